/* What the kernels of this folder share: `failed` gets the line of a check that fails. */
#include <opencl_work_item>
#define CHECK(...)                                                                                 \
  if (!(__VA_ARGS__)) failed[::get_global_id(0)] = __LINE__
