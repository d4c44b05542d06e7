/* mpl_get_address_space for work-items on fibres, and the library function that compiled kernels
 * call. */
#include <link.h>

#include "engine.h"
#include "fibre.h"
#include "group_place.h"
#include "maniple/kernel.h"

/* Variables of the thread, which its work-groups share: where those of each module lie.  A thread's
 * memory of a library that is loaded late is scarce (glibc: some 1,600 bytes, all libraries). */
enum { MOST_MODULES = 4 };
struct variables {
  const void *launch; /* in which they were looked for: another one may know more modules */
  size_t count;
  bool more; /* than there is room for */
  struct {
    uintptr_t first, size;
  } list[MOST_MODULES];
};

static int add(struct dl_phdr_info *info, size_t size, void *data) {
  struct variables *v = data;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_TLS || !info->dlpi_tls_data) continue;
    v->more = v->count == MOST_MODULES;
    if (v->more) return 1;
    v->list[v->count].first = (uintptr_t)info->dlpi_tls_data;
    v->list[v->count++].size = info->dlpi_phdr[i].p_memsz;
  }
  return 0;
}

static int find(struct dl_phdr_info *info, size_t size, void *data) {
  uintptr_t at = *(const uintptr_t *)data;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data &&
        at - (uintptr_t)info->dlpi_tls_data < info->dlpi_phdr[i].p_memsz)
      return 1;
  return 0;
}

bool __mpl_is_of_thread(const void *p, const void *launch);
__attribute__((visibility("default"))) bool __mpl_is_of_thread(const void *p, const void *launch) {
  static _Thread_local struct variables known;
  if (known.launch != launch) {
    known = (struct variables){.launch = launch};
    dl_iterate_phdr(add, &known);
  }
  for (size_t i = 0; i < known.count; i++)
    if ((uintptr_t)p - known.list[i].first < known.list[i].size) return true;
  return known.more && dl_iterate_phdr(find, &(uintptr_t){(uintptr_t)p});
}

uint32_t mpl_get_address_space(const void *p) {
  const struct mpl_item *item = mpl_item_now;
  if (!item) return MPL_SPACE_GLOBAL;
  const struct mpl_group *group = item->run->group;
  const struct mpl_stack *stack = item->stack;
  const char *at = p;
  if (at >= (char *)group->local_base && at < (char *)group->scratch) return MPL_SPACE_LOCAL;
  if (stack && at >= stack->low && at < stack->top) return MPL_SPACE_PRIVATE;
  bool of_group = mpl_is_group_place(p) || __mpl_is_of_thread(p, item->run->launch);
  return of_group ? MPL_SPACE_LOCAL : MPL_SPACE_GLOBAL;
}
