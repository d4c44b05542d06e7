/* Groups that several threads take: each once, in as many slices as there are threads or in one; and who
 * has the first slice takes the first that nobody has. */
#include "cpu/groups.h"
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 5000, THREADS = 5 };

static struct mpl_groups groups;
static atomic_uint taken[MOST];

static void *take_all(void *own) {
  uint64_t first, end;
  while (mpl_groups_take(&groups, *(unsigned *)own, &first, &end)) {
    CHECK(first < end && end <= MOST);
    for (; first < end; first++) atomic_fetch_add(&taken[first], 1);
  }
  return NULL;
}

static void run(uint64_t first, uint64_t end, unsigned threads, uint64_t min_chunk, bool sliced) {
  pthread_t ids[THREADS];
  unsigned own[THREADS];
  for (unsigned k = 0; k < MOST; k++) atomic_store(&taken[k], 0);
  mpl_groups_begin(&groups, first, end, threads, min_chunk, sliced);
  for (unsigned k = 0; k < THREADS; k++) { /* two may be of one slice, and slices of nobody */
    own[k] = k * 3;
    CHECK(!pthread_create(&ids[k], NULL, take_all, &own[k]));
  }
  for (unsigned k = 0; k < THREADS; k++) pthread_join(ids[k], NULL);
  for (uint64_t k = 0; k < MOST; k++) CHECK(atomic_load(&taken[k]) == (k >= first && k < end));
}

static void take_in_order(void) {
  uint64_t first, end, at = 0;
  mpl_groups_begin(&groups, 0, 100, 8, 1, true);
  CHECK(mpl_groups_take(&groups, 3, &first, &end) && first > 30 && first < 50);
  uint64_t other = first, other_end = end;
  while (mpl_groups_take(&groups, 0, &first, &end)) {
    if (at == other) at = other_end;
    CHECK(first == at);
    at = end;
  }
  CHECK(at == 100);
}

int main(void) {
  static const unsigned threads[] = {1, 2, 7, 64, 1000};
  static const uint64_t ends[] = {1, 2, 3, 63, 64, 65, 4999, MOST};
  for (unsigned t = 0; t < sizeof threads / sizeof *threads; t++)
    for (unsigned e = 0; e < sizeof ends / sizeof *ends; e++)
      for (unsigned kind = 0; kind < 4; kind++)
        run(ends[e] / 3, ends[e], threads[t], kind & 1 ? 0 : 7, kind & 2);
  run(MOST, MOST, 4, 1, true); /* none */
  take_in_order();
  return 0;
}
