#include "transfer.h"

#include <string.h>

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

/* Doubles what is there already: every copy is one large memcpy. */
void mpl_fill(void *target, size_t size, const void *pattern, size_t pattern_size) {
  enum { BLOCK = 1 << 15 }; /* stays in the first-level cache as the source */
  char *bytes = target;
  if (!size) return;
  if (pattern_size == 1) {
    memset(target, *(const unsigned char *)pattern, size);
    return;
  }
  memcpy(bytes, pattern, pattern_size);
  for (size_t done = pattern_size; done < size;) {
    size_t from = done < BLOCK ? done : BLOCK, left = size - done;
    size_t chunk = from < left ? from : left;
    memcpy(bytes + done, bytes, chunk);
    done += chunk;
  }
}
