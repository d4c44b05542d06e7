/* Commands of two queues that use the same bytes, and are in no order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "mem_watch.h"
#include "runtime/commands/sequence.h"
#include "runtime/mistakes/host_mistake.h"

enum { MOST_SETS = 4096 }; /* of bytes, of one use: it is kept */

/* A command's accesses to an object that has its own bytes. */
struct mpl_mem_use {
  unsigned queue;
  uint64_t number, made;
  struct mpl_trace enqueued;
  char who[80];
  bool has_atomics;
  struct mpl_byte_set sets[MPL_USES];
};

void mpl_mem_use_free(struct mpl_mem_use *use) {
  if (!use) return;
  for (unsigned k = 0; k < MPL_USES; k++) free(use->sets[k].each);
  free(use);
}

/* As bytes of the object that has them; false if there is no memory, or there are too many. */
static bool copy_set(struct mpl_byte_set *to, const struct mpl_byte_set *from, size_t origin) {
  if (!from->count) return true;
  if (from->count > MOST_SETS || !(to->each = malloc(from->count * sizeof *to->each))) return false;
  to->count = from->count;
  for (uint32_t i = 0; i < from->count; i++)
    to->each[i] = (struct mpl_bytes){from->each[i].begin + origin, from->each[i].end + origin};
  return true;
}

static struct mpl_mem_use *make(const struct mpl_sequence *order, cl_mem mem, const char *who,
                                const struct mpl_byte_set *sets, bool has_atomics) {
  struct mpl_mem_use *use = calloc(1, sizeof *use);
  bool good = use;
  for (unsigned k = 0; k < MPL_USES && good; k++)
    good = copy_set(&use->sets[k], &sets[k], mem->origin);
  if (!good) {
    mpl_mem_use_free(use);
    return NULL;
  }
  use->queue = order->queue;
  use->number = order->number;
  use->made = order->made;
  use->enqueued = order->enqueued;
  use->has_atomics = has_atomics;
  snprintf(use->who, sizeof use->who, "%s", who);
  return use;
}

/* The first byte that both have, or UINT64_MAX. */
static uint64_t common(const struct mpl_byte_set *a, const struct mpl_byte_set *b) {
  uint32_t i = 0, k = 0;
  while (i < a->count && k < b->count) {
    const struct mpl_bytes *x = &a->each[i], *y = &b->each[k];
    if (x->begin < y->end && y->begin < x->end) return x->begin > y->begin ? x->begin : y->begin;
    if (x->end <= y->end)
      i++;
    else
      k++;
  }
  return UINT64_MAX;
}

/* Atomic accesses may meet one another; the order that they make is not known here. */
static bool find_conflict(const struct mpl_mem_use *first, const struct mpl_mem_use *second,
                          uint64_t *at, bool *first_writes, bool *second_writes) {
  static const struct {
    enum mpl_use_kind first, second;
  } pairs[] = {{MPL_USE_WRITE, MPL_USE_WRITE},
               {MPL_USE_WRITE, MPL_USE_READ},
               {MPL_USE_READ, MPL_USE_WRITE},
               {MPL_USE_WRITE, MPL_USE_ATOMIC},
               {MPL_USE_ATOMIC, MPL_USE_WRITE}};
  if (first->has_atomics && second->has_atomics) return false;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    *at = common(&first->sets[pairs[i].first], &second->sets[pairs[i].second]);
    *first_writes = pairs[i].first != MPL_USE_READ;
    *second_writes = pairs[i].second != MPL_USE_READ;
    if (*at != UINT64_MAX) return true;
  }
  return false;
}

/* As the program has them, whichever came first this time. */
static bool look(const struct mpl_mem_use *one, const struct mpl_mem_use *other) {
  const struct mpl_mem_use *first = one->made < other->made ? one : other,
                           *second = first == one ? other : one;
  uint64_t at;
  bool first_writes, second_writes;
  char text[400];
  if (!find_conflict(first, second, &at, &first_writes, &second_writes)) return false;
  snprintf(text, sizeof text,
           "%s %s byte %llu of a memory object, which %s of another queue %s, and nothing orders "
           "the two",
           second->who, second_writes ? "writes" : "reads", (unsigned long long)at, first->who,
           first_writes ? "writes" : "reads");
  mpl_host_tell(
      &(struct mpl_host_mistake){.kind = MPL_HOST_UNORDERED,
                                 .text = text,
                                 .at = &second->enqueued,
                                 .notes = {{"the other is enqueued here", &first->enqueued}}});
  return true;
}

void mpl_mem_watch_used(cl_mem mem, const char *who, const struct mpl_byte_set *sets,
                        bool has_atomics) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  const struct mpl_sequence *order = mpl_sequence_now();
  if (!watch || !order || order->queue == MPL_SEQUENCE_QUEUES) return;
  struct mpl_mem_use *own = make(order, mem, who, sets, has_atomics);
  bool found = false;
  if (!own) return;
  mpl_lock(&watch->lock);
  for (unsigned i = 0; i < MPL_MEM_USES && !found; i++) {
    const struct mpl_mem_use *other = watch->uses[i];
    found = other && other->queue != own->queue &&
            !mpl_sequence_has(order, other->queue, other->number) && look(own, other);
  }
  mpl_mem_use_free(watch->uses[watch->next_use]);
  watch->uses[watch->next_use] = own;
  watch->next_use = (watch->next_use + 1) % MPL_MEM_USES;
  mpl_unlock(&watch->lock);
}

void mpl_mem_watch_used_range(cl_mem mem, const char *who, size_t offset, size_t size,
                              bool writes) {
  if (!mpl_sequence_matters() || !size) return;
  struct mpl_bytes bytes = {offset, offset + size};
  struct mpl_byte_set sets[MPL_USES] = {0};
  sets[writes ? MPL_USE_WRITE : MPL_USE_READ] = (struct mpl_byte_set){&bytes, 1};
  char name[80];
  snprintf(name, sizeof name, "command '%s'", who);
  mpl_mem_watch_used(mem, name, sets, false);
}
