/* Objects of kernels, before they are mapped. */
#include "cpu/object.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char why[128] = "";
  size_t length = 0;
  if (!mpl_object_is_sound(data, size, why, sizeof why)) {
    MUST(memchr(why, 0, sizeof why) && *why);
    return 0;
  }
  mpl_object_holds(data, size, UINT64_MAX, 2);
  mpl_object_holds(data, size, 0, size);
  const char *section = mpl_object_section(data, size, ".comment", &length);
  MUST(!section || (section >= (const char *)data && length <= size));
  return 0;
}
