#include "told_accesses.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "memory.h"
#include "runtime/fork.h"
#include "runtime/options.h"
#include "stamps.h"

enum { BUCKETS = 1 << 13 };

/* One place in the code, and the calls that led to it. */
struct place {
  struct place *next;
  struct mpl_code code;
  struct mpl_access access;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct place *) buckets[BUCKETS];

static bool is_same(const struct mpl_code *a, const struct mpl_code *b) {
  for (unsigned i = 0; i < MPL_CODE_DEPTH; i++)
    if (a->at[i] != b->at[i]) return false;
  return true;
}

static struct place *find(struct place *first, const struct mpl_code *code, uint32_t flags) {
  while (first && (!is_same(&first->code, code) || first->access.flags != flags))
    first = first->next;
  return first;
}

static struct place *place_of(const struct mpl_code *code, uint32_t flags) {
  uintptr_t sum = 0;
  for (unsigned i = 0; i < MPL_CODE_DEPTH; i++)
    sum = (sum + (uintptr_t)code->at[i]) * 0x9e3779b97f4a7c15u;
  _Atomic(struct place *) *bucket = &buckets[(sum >> 40) % BUCKETS];
  struct place *place = find(atomic_load(bucket), code, flags);
  if (place) return place;
  mpl_lock(&lock);
  place = find(atomic_load(bucket), code, flags);
  if (!place && (place = malloc(sizeof *place))) {
    *place = (struct place){atomic_load(bucket), *code, {.flags = flags}};
    atomic_store(bucket, place);
  }
  mpl_unlock(&lock);
  return place;
}

void mpl_told_begin(void) {
  mpl_accesses_are_told = mpl_option_number(MPL_OPTION_CHECK_MEMORY) != 0;
}

/* Null outside of kernels, and where no access is looked at. */
static struct mpl_memory *memory_now(void) {
  return mpl_item_now ? mpl_item_now->run->memory : NULL;
}

void mpl_told_access(const void *address, size_t size, uint32_t flags, const void *code) {
  const struct mpl_memory *m = memory_now();
  if (!m || mpl_memory_is_own(mpl_item_now, address)) return;
  const struct mpl_callers *callers = &m->callers[mpl_item_now->linear];
  struct mpl_code at = {{(const char *)code - 1}};
  for (uint32_t i = 1; i < MPL_CODE_DEPTH && i <= callers->depth; i++)
    if (callers->depth - i < MPL_MOST_CALLERS) at.at[i] = callers->at[callers->depth - i];
  if (flags & MPL_ACCESS_READ) /* of what is read for more than a copy nothing is known */
    flags |= flags & MPL_ACCESS_UNUSED ? MPL_ACCESS_COPIED : MPL_ACCESS_USED;
  struct place *place = place_of(&at, flags);
  if (place) mpl_memory_access(&place->access, address, size, &place->code);
}

void mpl_told_enter(const void *caller) {
  struct mpl_memory *m = memory_now();
  if (!m) return;
  struct mpl_callers *callers = &m->callers[mpl_item_now->linear];
  if (callers->depth < MPL_MOST_CALLERS) callers->at[callers->depth] = (const char *)caller - 1;
  callers->depth++;
}

void mpl_told_leave(void) {
  struct mpl_memory *m = memory_now();
  if (m && m->callers[mpl_item_now->linear].depth) m->callers[mpl_item_now->linear].depth--;
}

static void clear(struct mpl_cell *cell, struct mpl_visit *visit) {
  *cell = (struct mpl_cell){0};
}

void mpl_told_fresh(const void *address, size_t size) {
  struct mpl_memory *m = memory_now();
  struct mpl_visit visit = {clear, mpl_visit_leaves_nobody,
                            mpl_stamp(mpl_phase_now(), MPL_STAMP_NOBODY, 0, 0)};
  if (m && address) mpl_shadow_visit(&m->cache, (uintptr_t)address, size, &visit);
}

/* --- The program's heap --- */

bool mpl_told_heap(mpl_heap_finder *find) {
  bool is_checked =
      mpl_option_number(MPL_OPTION_CHECK) && mpl_option_number(MPL_OPTION_CHECK_MEMORY);
  if (is_checked) mpl_allocations_add_heap(find);
  return is_checked;
}

void mpl_told_heap_changed(void) {
  atomic_fetch_add_explicit(&mpl_allocations_change, 1, memory_order_release);
}

bool mpl_told_mark(void *memory, size_t size) {
  return mpl_allocation_mark(memory, size);
}
