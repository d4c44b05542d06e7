#include "releases.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "runtime/threads/lock.h"

enum {
  LEAST = 1 << 12,
  MOST_EXACT = 1 << 16, /* of more objects only times are kept: a word each, not clocks */
};

struct entry {
  uintptr_t address;
  struct mpl_release *exact; /* null: the times */
  uint32_t known, written;
};

/* Without gaps between an entry and where it belongs. */
static struct entry *entries;
static size_t size, used, num_exact;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry *find(uintptr_t address) {
  size_t i = (address * 0x9e3779b97f4a7c15u >> 32) & (size - 1);
  while (entries[i].address && entries[i].address != address) i = (i + 1) & (size - 1);
  return &entries[i];
}

static bool grow(void) {
  struct entry *old = entries;
  size_t count = size, more = count ? count * 2 : LEAST;
  struct entry *larger = calloc(more, sizeof *larger);
  if (!larger) return false;
  entries = larger;
  size = more;
  for (size_t i = 0; i < count; i++)
    if (old[i].address) *find(old[i].address) = old[i];
  free(old);
  return true;
}

static struct entry *make(uintptr_t address) {
  struct entry *e = find(address);
  if (e->address) return e;
  used++;
  e->address = address;
  if (num_exact < MOST_EXACT && (e->exact = calloc(1, sizeof *e->exact))) num_exact++;
  return e;
}

/* A later write does not end what an earlier one has released: those who read it may be in order
 * with both (release sequences). */
static bool is_same_unit(struct mpl_writer a, struct mpl_writer b, enum mpl_reach reach) {
  return a.group == b.group && (reach != MPL_REACH_SUB_GROUP || a.lanes == b.lanes);
}

/* One unit's narrow releases are kept apart; those of more count as for all. */
static void release(struct mpl_release *r, const struct mpl_clock *known, struct mpl_writer by,
                    enum mpl_reach reach) {
  bool is_first = mpl_clock_is_empty(&r->written);
  r->are_several |= !is_first && r->group != by.group;
  r->group = by.group;
  mpl_clock_join(&r->written, known);
  if (reach == MPL_REACH_NOBODY) return;
  bool is_kept = reach != MPL_REACH_ALL &&
                 (!r->reach || (r->reach == reach && is_same_unit(r->of, by, reach)));
  mpl_clock_join(is_kept ? &r->narrow : &r->known, known);
  if (!is_kept) return;
  r->of = by;
  r->reach = reach;
}

void mpl_release_set(uintptr_t address, const struct mpl_clock *known, struct mpl_writer by,
                     enum mpl_reach reach) {
  mpl_lock(&lock);
  struct entry *e = used * 2 < size || grow() ? make(address) : NULL;
  if (e && e->exact) {
    release(e->exact, known, by, reach);
  } else if (e) {
    e->written = mpl_clock_end(known);
    if (reach) e->known = e->written;
  }
  mpl_unlock(&lock);
}

struct mpl_clock mpl_release_seen(const struct mpl_release *last, struct mpl_writer reader,
                                  enum mpl_reach reach) {
  struct mpl_clock seen = last->known;
  if (last->reach && is_same_unit(last->of, reader, last->reach))
    mpl_clock_join(&seen, &last->narrow);
  if (reach != MPL_REACH_ALL && !last->are_several && last->group != reader.group)
    return (struct mpl_clock){0};
  return seen;
}

bool mpl_release_at(uintptr_t address, struct mpl_release *last) {
  mpl_lock(&lock);
  const struct entry *e = used ? find(address) : NULL;
  bool found = e && e->address;
  if (found && e->exact)
    *last = *e->exact;
  else if (found)
    *last = (struct mpl_release){
        .known = {.time = e->known}, .written = {.time = e->written}, .are_several = true};
  mpl_unlock(&lock);
  return found;
}

void mpl_releases_forget(void) {
  mpl_lock(&lock);
  for (size_t i = 0; i < size; i++) free(entries[i].exact);
  free(entries);
  entries = NULL;
  size = used = num_exact = 0;
  mpl_unlock(&lock);
}
