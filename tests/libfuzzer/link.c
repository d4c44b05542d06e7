/* The compiler's objects, from which what is loaded is made: what comes out may be refused there,
 * but is an object in its own memory. */
#include "toolchain/link.h"
#include "cpu/object.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char why[128];
  void *linked = NULL;
  size_t linked_size = 0;
  if (!mpl_link_plain(data, size, &linked, &linked_size)) {
    MUST(!linked);
    return 0;
  }
  MUST(linked && linked_size);
  mpl_object_is_sound(linked, linked_size, why, sizeof why);
  free(linked);
  return 0;
}
