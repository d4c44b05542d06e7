#include "stamps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/options.h"

/* Numbers are used up by launch after launch; when there are no more, all stamps are 0 again. */
struct pool {
  char *memory;
  size_t size;
  uint64_t next; /* number */
};
static struct pool global, local;

static void forget(struct pool *pool) {
  if (pool->memory) madvise(pool->memory, pool->size, MADV_DONTNEED);
  pool->next = 1;
}

static char *reserve(struct pool *pool, size_t size) {
  if (pool->memory) return size <= pool->size ? pool->memory : NULL;
  size_t most = mpl_option_number(MPL_OPTION_CHECK_SHADOW);
  void *memory =
      mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, most, MADV_DONTDUMP);
  *pool = (struct pool){memory, most, pool->next ? pool->next : 1};
  return size <= most ? memory : NULL;
}

static uint32_t numbers(struct pool *pool, uint64_t count) {
  const uint64_t most = (uint64_t)1 << 31, behind = 1 << 20; /* a phase more is a number yet */
  if (count > most) return 0;
  if (!pool->next || pool->next + count > 2 * most - behind) forget(pool);
  uint64_t first = pool->next;
  pool->next += count;
  return (uint32_t)first;
}

char *mpl_filter_stamps(size_t size) {
  return reserve(&global, size);
}

char *mpl_filter_local_stamps(size_t size) {
  return reserve(&local, size);
}

uint32_t mpl_filter_numbers(uint64_t count) {
  return numbers(&global, count);
}

uint32_t mpl_filter_local_numbers(uint32_t count) {
  return numbers(&local, count);
}
