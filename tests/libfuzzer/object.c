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
  struct mpl_object_range range;
  MUST(!mpl_object_range(data, size, UINT64_MAX, &range));
  if (mpl_object_range(data, size, 0, &range)) MUST(range.begin == 0 && range.end > 0);
  const char *section = mpl_object_section(data, size, ".comment", &length);
  MUST(!section || (section >= (const char *)data && length <= size));
  return 0;
}
