#include "releases.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "runtime/fork.h"

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
void mpl_release_set(uintptr_t address, const struct mpl_clock *known, bool releases) {
  mpl_lock(&lock);
  struct entry *e = used * 2 < size || grow() ? make(address) : NULL;
  if (e && e->exact) {
    mpl_clock_join(&e->exact->written, known);
    if (releases) mpl_clock_join(&e->exact->known, known);
  } else if (e) {
    e->written = mpl_clock_end(known);
    if (releases) e->known = e->written;
  }
  mpl_unlock(&lock);
}

bool mpl_release_at(uintptr_t address, struct mpl_release *last) {
  mpl_lock(&lock);
  const struct entry *e = used ? find(address) : NULL;
  bool found = e && e->address;
  if (found && e->exact)
    *last = *e->exact;
  else if (found)
    *last = (struct mpl_release){{.time = e->known}, {.time = e->written}};
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
