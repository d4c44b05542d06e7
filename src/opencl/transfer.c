#include "transfer.h"

cl_int mpl_validate_pattern(const char *function, const void *pattern, size_t pattern_size,
                            size_t offset, size_t size) {
  if (!pattern || !pattern_size || pattern_size > 128 || (pattern_size & (pattern_size - 1)))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "a pattern of %zu bytes at %p: 1, 2, 4 ... 128 bytes are possible",
                      pattern_size, pattern);
  if (offset % pattern_size || size % pattern_size)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "offset and size are not multiples of the pattern's %zu bytes", pattern_size);
  return CL_SUCCESS;
}
