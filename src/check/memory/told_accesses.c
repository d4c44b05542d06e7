#include "told_accesses.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "memory.h"
#include "runtime/options.h"
#include "runtime/threads/lock.h"
#include "stamps.h"
#include "unwritten.h"

enum { BUCKETS = 1 << 13 };

/* One place in the code, and the calls that led to it. */
struct mpl_told_place {
  struct mpl_told_place *next;
  struct mpl_code code;
  struct mpl_access access;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct mpl_told_place *) buckets[BUCKETS];

static bool is_same(const struct mpl_code *a, const struct mpl_code *b) {
  for (unsigned i = 0; i < MPL_CODE_DEPTH; i++)
    if (a->at[i] != b->at[i]) return false;
  return true;
}

static struct mpl_told_place *find(struct mpl_told_place *first, const struct mpl_code *code,
                                   uint32_t flags) {
  while (first && (!is_same(&first->code, code) || first->access.flags != flags))
    first = first->next;
  return first;
}

static struct mpl_told_place *look_up(const struct mpl_code *code, uint32_t flags) {
  uintptr_t sum = 0;
  for (unsigned i = 0; i < MPL_CODE_DEPTH; i++)
    sum = (sum + (uintptr_t)code->at[i]) * 0x9e3779b97f4a7c15u;
  _Atomic(struct mpl_told_place *) *bucket = &buckets[(sum >> 40) % BUCKETS];
  struct mpl_told_place *place = find(atomic_load(bucket), code, flags);
  if (place) return place;
  mpl_lock(&lock);
  place = find(atomic_load(bucket), code, flags);
  if (!place && (place = malloc(sizeof *place))) {
    *place = (struct mpl_told_place){atomic_load(bucket), *code, {.flags = flags}};
    atomic_store(bucket, place);
  }
  mpl_unlock(&lock);
  return place;
}

/* Mostly the group was there lately. */
static struct mpl_told_place *place_of(struct mpl_memory *m, const struct mpl_code *code,
                                       uint32_t flags) {
  uintptr_t sum = ((uintptr_t)code->at[0] + 8 * (uintptr_t)code->at[1]) * 0x9e3779b97f4a7c15u;
  struct mpl_told_place **kept = &m->places[sum >> (64 - MPL_TOLD_PLACES_BITS)];
  if (!*kept || (*kept)->access.flags != flags || !is_same(&(*kept)->code, code))
    *kept = look_up(code, flags);
  return *kept;
}

void mpl_told_begin(void) {
  mpl_accesses_are_told = mpl_option_number(MPL_OPTION_CHECK_MEMORY) != 0;
}

/* Null outside of kernels, and where no access is looked at. */
static struct mpl_memory *memory_now(void) {
  return mpl_item_now ? mpl_item_now->run->memory : NULL;
}

/* The short way, of accesses that repeat a known one, as most do. */
static inline bool repeats(const struct mpl_item *item, struct mpl_memory *m, uintptr_t address,
                           size_t size, uint32_t flags) {
  enum { OTHERS = MPL_ACCESS_ATOMIC | MPL_ACCESS_READ | MPL_ACCESS_WRITE };
  const struct mpl_watch_now *watch = &item->run->watch;
  const struct mpl_stretch *s = mpl_stretch_of(m, address);
  uintptr_t offset = address - s->low;
  bool reads = (flags & OTHERS) == MPL_ACCESS_READ, writes = (flags & OTHERS) == MPL_ACCESS_WRITE;
  bool is_local = s->kind == MPL_WATCH_LOCAL;
  if ((size != 4 && size != 8) || offset >= s->size || size > s->size - offset || offset & 3 ||
      !(reads || writes) || m->doubt.size || s->time != mpl_stretch_time(m))
    return false;
  for (size_t i = 0; i < size; i += 4) {
    uint64_t stamp = atomic_load_explicit(&s->stamps[(offset + i) / 4], memory_order_relaxed);
    if (!mpl_stamp_repeats(stamp, watch, s->kind, writes)) return false;
    if (reads && !is_local && mpl_may_be_unwritten(address + i)) return false;
  }
  return true;
}

static __attribute__((noinline)) void tell(struct mpl_item *item, struct mpl_memory *m,
                                           const void *address, size_t size, uint32_t flags,
                                           const void *code) {
  const struct mpl_callers *callers = &item->stack->callers;
  struct mpl_code at = {{(const char *)code - 1}};
  for (uint64_t i = 1; i < MPL_CODE_DEPTH && i <= callers->depth; i++)
    if (callers->depth - i < MPL_MOST_CALLERS) at.at[i] = callers->at[callers->depth - i];
  if (flags & MPL_ACCESS_READ) /* of what is read for more than a copy nothing is known */
    flags |= flags & MPL_ACCESS_UNUSED ? MPL_ACCESS_COPIED : MPL_ACCESS_USED;
  struct mpl_told_place *place = place_of(m, &at, flags);
  if (place && !mpl_told_quickly(item, m, &place->access, (uintptr_t)address, size))
    mpl_memory_access(&place->access, address, size, &place->code);
}

static _Thread_local bool is_known_volatile;

void mpl_told_volatile(uint32_t begins) {
  is_known_volatile = begins;
}

void mpl_told_scope(uint32_t scope) {
  if (mpl_item_now) mpl_memory_set_scope(mpl_item_now, scope);
}

void mpl_told_access(const void *address, size_t size, uint32_t flags, const void *code) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_memory *m = item ? item->run->memory : NULL;
  if (!is_known_volatile) flags &= ~(uint32_t)MPL_ACCESS_VOLATILE;
  if (!m || mpl_memory_is_own(item, address)) return;
  if (!repeats(item, m, (uintptr_t)address, size, flags)) tell(item, m, address, size, flags, code);
}

void mpl_told_enter(const void *caller) {
  if (!mpl_item_now) return;
  struct mpl_callers *callers = &mpl_item_now->stack->callers;
  if (callers->depth < MPL_MOST_CALLERS) callers->at[callers->depth] = (const char *)caller - 1;
  callers->depth++;
}

void mpl_told_leave(void) {
  struct mpl_item *item = mpl_item_now;
  if (item && item->stack->callers.depth) item->stack->callers.depth--;
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
