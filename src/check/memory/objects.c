/* Accesses to a variable: of the work-item's own, or one of several in local memory. */
#include <string.h>

#include "memory.h"

static bool is_written(const uint8_t *written, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    if (!written[i]) return false;
  return true;
}

static _Noreturn void leave(struct mpl_run *run, struct mpl_item *item,
                            const struct mpl_access *access, const void *address, uint64_t size,
                            const void *base, uint64_t whole) {
  run->fault_object = (struct mpl_allocation){
      .base = base,
      .size = whole,
      .what = mpl_memory_is_own(item, base) ? "a private array" : "local variable"};
  mpl_memory_give_up(run, item, access->flags, address, size);
}

void mpl_memory_inside(struct mpl_access *access, const void *address, uint64_t size,
                       const void *base, uint64_t whole, uint8_t *written) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_run *run = item ? item->run : NULL;
  struct mpl_memory *m = run ? run->memory : NULL;
  uint64_t offset = (uint64_t)((const char *)address - (const char *)base);
  if (!m || !size) return;
  if (offset >= whole || size > whole - offset) {
    mpl_memory_settle(run);
    m->last = mpl_access_number(access, NULL);
    leave(run, item, access, address, size, base, whole);
  }
  if (!written) return;
  written += offset;
  if (access->flags & MPL_ACCESS_READ && !(access->flags & MPL_ACCESS_UNUSED) &&
      !is_written(written, size)) {
    mpl_diagnose_unwritten(run, item, MPL_MEMORY_PRIVATE, mpl_access_number(access, NULL));
    memset(written, 1, size); /* once is enough */
  }
  if (access->flags & MPL_ACCESS_WRITE) memset(written, 1, size);
}
