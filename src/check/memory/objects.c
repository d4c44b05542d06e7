/* Accesses to a variable: of the work-item's own, or one of several in local memory. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "runtime/device.h"
#include "stamps.h"

/* All of it; or a part, if it may have holes. */
static bool is_written(const uint8_t *written, uint64_t size, bool may_have_holes) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < size; i++) count += written[i] != 0;
  return may_have_holes ? count > 0 : count == size;
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

/* Of the variables that have ended those go that overlap with it. */
static void note_scope(struct mpl_ended *ended, uintptr_t low, uint64_t size, bool ends) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ended->count; i++)
    if (low - ended->at[i].low >= ended->at[i].size && ended->at[i].low - low >= size)
      ended->at[kept++] = ended->at[i];
  ended->count = kept;
  if (!ends) return;
  if (kept == MPL_MOST_ENDED)
    memmove(ended->at, ended->at + 1, --ended->count * sizeof *ended->at);
  ended->at[ended->count].low = low;
  ended->at[ended->count++].size = size;
}

void mpl_memory_own(struct mpl_run *run, struct mpl_item *item, struct mpl_access *access,
                    const void *address, uint64_t size, const struct mpl_code *code) {
  const struct mpl_ended *ended = &item->stack->ended;
  uintptr_t at = (uintptr_t)address;
  for (uint32_t i = 0; i < ended->count; i++)
    if (at - ended->at[i].low < ended->at[i].size || ended->at[i].low - at < size) {
      mpl_diagnose_ended(run, item, access->flags & MPL_ACCESS_WRITE,
                         mpl_access_number(access, code));
      return;
    }
}

void mpl_memory_inside(struct mpl_access *access, const void *address, uint64_t size,
                       const void *base, uint64_t whole, uint8_t *written) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_run *run = item ? item->run : NULL;
  struct mpl_memory *m = run ? run->memory : NULL;
  uint64_t offset = (uint64_t)((const char *)address - (const char *)base);
  if (m && !access) note_scope(&item->stack->ended, (uintptr_t)base, whole, size);
  if (!m || !size || !access) return;
  if (offset >= whole || size > whole - offset) {
    mpl_memory_settle(run);
    m->last = mpl_access_number(access, NULL);
    leave(run, item, access, address, size, base, whole);
  }
  if (!written) return;
  written += offset;
  item->unwritten = false;
  if (memchr(written, MPL_OWN_ENDED, size)) {
    mpl_diagnose_ended(run, item, access->flags & MPL_ACCESS_WRITE,
                       mpl_access_number(access, NULL));
    memset(written, MPL_OWN_WRITTEN, size); /* once is enough */
  }
  if (access->flags & MPL_ACCESS_READ && !(access->flags & MPL_ACCESS_UNUSED) &&
      !is_written(written, size, access->flags & MPL_ACCESS_PIECE)) {
    mpl_diagnose_unwritten(run, item, MPL_MEMORY_PRIVATE, mpl_access_number(access, NULL));
    memset(written, 1, size); /* once is enough */
    item->unwritten = true;
  }
  if (access->flags & MPL_ACCESS_WRITE) memset(written, 1, size);
}

/* --- Arguments --- */

static struct mpl_view view_of(const struct mpl_memory *m, const struct mpl_run *run, uint32_t i) {
  const struct mpl_arg_memory *memory = run->check->args;
  const struct mpl_arg *arg = &run->check->kernel->args[i];
  struct mpl_view view = {.size = UINTPTR_MAX};
  if (!memory || !memory[i].size) return view;
  memcpy(&view.low, (const char *)run->launch->args + arg->offset, sizeof view.low);
  if (arg->kind == MPL_ARG_LOCAL) view.low += (uintptr_t)m->local;
  view.size = memory[i].size;
  view.read_only = memory[i].read_only;
  view.write_only = memory[i].write_only;
  view.is_noted = memory[i].uses;
  return view;
}

/* Pages of stamps have nothing between them, within one window. */
static struct mpl_watched_view watched(struct mpl_view view) {
  enum { MOST_ALIGN = 16 };
  uintptr_t end = view.low + view.size;
  bool one = view.low >> MPL_STAMPS_WINDOW_BITS == end >> MPL_STAMPS_WINDOW_BITS;
  const mpl_stamps *stamps =
      one && view.size && view.low % MOST_ALIGN == 0 ? mpl_stamps_at(view.low) : NULL;
  /* Of some each access calls. */
  uint64_t words = stamps && !view.write_only && !view.is_noted ? view.size / 4 : 0;
  return (struct mpl_watched_view){(const char *)view.low, words, view.read_only ? 0 : words,
                                   (const uint64_t *)stamps};
}

bool mpl_memory_find_views(struct mpl_memory *m, struct mpl_run *run) {
  uint32_t count = run->check->record ? 0 : run->check->kernel->num_args;
  if (count > m->num_views) {
    free(m->views);
    free(m->watched);
    m->views = malloc(count * sizeof *m->views);
    m->watched = malloc(count * sizeof *m->watched);
    m->num_views = m->views && m->watched ? count : 0;
    if (!m->num_views) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    m->views[i] = view_of(m, run, i);
    m->watched[i] = watched(m->views[i]);
  }
  run->watch.views = m->watched;
  run->watch.local = watched((struct mpl_view){.low = (uintptr_t)m->local, .size = m->local_size});
  return true;
}

void mpl_memory_refuse(struct mpl_item *item, struct mpl_access *access, uintptr_t address,
                       uint64_t size, uint32_t argument) {
  struct mpl_run *run = item->run;
  struct mpl_view *view = &run->memory->views[argument];
  const char *what = run->check->args[argument].what;
  uintptr_t offset = address - view->low;
  if (!size) return;
  mpl_memory_settle(run);
  run->memory->last = mpl_access_number(access, NULL);
  if (offset > view->size || size > view->size - offset) {
    if (address < MPL_NULL_PAGES) return; /* there are better words for that */
    struct mpl_allocation whole = {0};
    if (run->check->kernel->args[argument].kind != MPL_ARG_LOCAL)
      mpl_allocation_at((const void *)view->low, &whole);
    run->fault_object = (struct mpl_allocation){
        .base = (const char *)view->low, .size = view->size, .what = what, .made = whole.made};
    mpl_memory_give_up(run, item, access->flags, (const void *)address, size);
  }
  if (view->read_only && access->flags & MPL_ACCESS_WRITE)
    mpl_diagnose_read_only(run, item, what, run->memory->last);
  else
    mpl_diagnose_write_only(run, item, what, run->memory->last);
}
