/* The program's own heap, while it is checked: memory that its code gets from malloc lies between
 * guard bytes, and the engine knows its size.  So an access of a kernel beside it is recognised.
 * Allocations of libraries are left as they are. */
#include "heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check/memory/told_accesses.h"

#define CALLED __builtin_return_address(0)
/* A program with an allocator of its own keeps that. */
#define PUBLIC __attribute__((visibility("default"), weak))

/* The C library's, by names that nobody replaces. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

enum { PLACE_BITS = 14, MOST_PLACES = 64, BUCKETS = 1 << 14, LEAST_GAP = 64, MOST_GAP = 1 << 16 };
static const uint64_t MAGIC = 0x6d706c2d68656170;

/* At the beginning of what the C library gave.  The two words in front of the program's memory are
 * its address, and a number by which it is known from other blocks. */
struct block {
  char *memory;
  size_t size, whole;
  const void *caller;
  bool is_marked;
};

struct node { /* a block in one place, of 1 << PLACE_BITS bytes */
  struct node *next;
  uintptr_t place; /* LARGE: of one that is in too many */
  struct block *block;
};
static const uintptr_t LARGE = UINTPTR_MAX;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *buckets[BUCKETS];
static bool on;
static size_t (*usable)(void *);

/* --- The table: with the lock held --- */

static struct node **bucket_of(uintptr_t place) {
  return &buckets[place * 0x9e3779b97f4a7c15u >> 40 & (BUCKETS - 1)];
}

static bool add_to(uintptr_t place, struct block *block) {
  struct node **bucket = bucket_of(place), *node = __libc_malloc(sizeof *node);
  if (!node) return false;
  *node = (struct node){*bucket, place, block};
  *bucket = node;
  return true;
}

static void remove_from(uintptr_t place, const struct block *block) {
  struct node **at = bucket_of(place);
  while (*at && ((*at)->place != place || (*at)->block != block)) at = &(*at)->next;
  struct node *node = *at;
  if (!node) return;
  *at = node->next;
  __libc_free(node);
}

struct places {
  uintptr_t first, last;
};

static struct places places_of(const struct block *block) {
  uintptr_t begin = (uintptr_t)block, end = begin + block->whole - 1;
  struct places p = {begin >> PLACE_BITS, end >> PLACE_BITS};
  return p.last - p.first >= MOST_PLACES ? (struct places){LARGE, LARGE} : p;
}

static void forget(const struct block *block, uintptr_t last) {
  struct places p = places_of(block);
  for (uintptr_t place = p.first; place - p.first <= last - p.first; place++)
    remove_from(place, block);
}

static bool add(struct block *block) {
  struct places p = places_of(block);
  for (uintptr_t place = p.first; place - p.first <= p.last - p.first; place++)
    if (!add_to(place, block)) {
      forget(block, place);
      return false;
    }
  return true;
}

static bool is_on_its_page(const struct block *block, uintptr_t address) {
  const uintptr_t within = 4095;
  return (address | within) >= (uintptr_t)block &&
         (address & ~within) < (uintptr_t)block + block->whole;
}

static const struct block *find_in(uintptr_t place, uintptr_t address, bool *others) {
  for (const struct node *node = *bucket_of(place); node; node = node->next) {
    if (node->place != place) continue;
    if (address - (uintptr_t)node->block < node->block->whole) return node->block;
    *others |= place != LARGE || is_on_its_page(node->block, address);
  }
  return NULL;
}

static enum mpl_told_memory find(const void *at, struct mpl_told_block *found, bool waits) {
  uintptr_t address = (uintptr_t)at;
  bool others = false;
  if (waits)
    pthread_mutex_lock(&lock);
  else if (pthread_mutex_trylock(&lock))
    return MPL_TOLD_NEAR;
  const struct block *block = find_in(address >> PLACE_BITS, address, &others);
  if (!block) block = find_in(LARGE, address, &others);
  if (block)
    *found = (struct mpl_told_block){block->memory, block->size, block->caller, block->is_marked};
  pthread_mutex_unlock(&lock);
  return block ? MPL_TOLD_BLOCK : others ? MPL_TOLD_NEAR : MPL_TOLD_NOTHING;
}

/* --- Blocks --- */

static size_t gap_of(size_t size) {
  size_t gap = size / 8;
  return gap < LEAST_GAP ? LEAST_GAP : gap > MOST_GAP ? MOST_GAP : gap;
}

/* Null: it is no block of ours. */
static struct block *block_of(const void *memory) {
  const uint64_t *words = memory;
  if (!on || words[-1] != (MAGIC ^ (uintptr_t)memory)) return NULL;
  return (struct block *)(uintptr_t)words[-2];
}

static void *no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void *mpl_heap_new(size_t size, size_t align, const void *caller) {
  enum { LEAST = 16 };
  const size_t most = SIZE_MAX / 4;
  if (align < LEAST) align = LEAST;
  if (size > most || align > most) return no_memory();
  size_t gap = gap_of(size);
  size_t front = (gap + sizeof(struct block) + 2 * sizeof(uint64_t) + align - 1) / align * align;
  struct block *block = __libc_memalign(align, front + size + gap);
  if (!block) return NULL;
  char *memory = (char *)block + front;
  *block = (struct block){memory, size, front + size + gap, (const char *)caller - 1, false};
  block->is_marked = mpl_told_mark(memory, size);
  uint64_t *words = (uint64_t *)memory;
  words[-1] = MAGIC ^ (uintptr_t)memory;
  words[-2] = (uintptr_t)block;
  pthread_mutex_lock(&lock);
  bool added = add(block);
  pthread_mutex_unlock(&lock);
  if (added) mpl_told_fresh(memory, size);
  mpl_told_heap_changed();
  if (added) return memory;
  __libc_free(block);
  return no_memory();
}

static void release(struct block *block) {
  pthread_mutex_lock(&lock);
  forget(block, places_of(block).last);
  pthread_mutex_unlock(&lock);
  ((uint64_t *)block->memory)[-1] = 0;
  mpl_told_heap_changed();
  __libc_free(block);
}

/* --- The C library's functions --- */

bool mpl_heap_has(const void *caller) {
  return on && mpl_is_program(caller);
}

PUBLIC void *malloc(size_t size) {
  return mpl_heap_has(CALLED) ? mpl_heap_new(size, 0, CALLED) : __libc_malloc(size);
}

PUBLIC void *calloc(size_t count, size_t size) {
  size_t all;
  if (!mpl_heap_has(CALLED) || __builtin_mul_overflow(count, size, &all))
    return __libc_calloc(count, size);
  void *memory = mpl_heap_new(all, 0, CALLED);
  return memory ? memset(memory, 0, all) : NULL;
}

PUBLIC void free(void *memory) {
  struct block *block = memory ? block_of(memory) : NULL;
  if (block)
    release(block);
  else
    __libc_free(memory);
}

PUBLIC void *realloc(void *memory, size_t size) {
  struct block *block = memory ? block_of(memory) : NULL;
  bool is_new = mpl_heap_has(CALLED) && (block || !memory);
  if (!block && !is_new) return __libc_realloc(memory, size);
  if (block && !size) {
    release(block);
    return NULL;
  }
  void *other = is_new ? mpl_heap_new(size, 0, CALLED) : __libc_malloc(size);
  if (!other || !block) return other;
  memcpy(other, memory, block->size < size ? block->size : size);
  release(block);
  return other;
}

PUBLIC void *memalign(size_t align, size_t size) {
  return mpl_heap_has(CALLED) ? mpl_heap_new(size, align, CALLED) : __libc_memalign(align, size);
}

PUBLIC void *aligned_alloc(size_t align, size_t size) {
  return mpl_heap_has(CALLED) ? mpl_heap_new(size, align, CALLED) : __libc_memalign(align, size);
}

PUBLIC int posix_memalign(void **memory, size_t align, size_t size) {
  if (align % sizeof(void *) || align & (align - 1) || !align) return EINVAL;
  void *made =
      mpl_heap_has(CALLED) ? mpl_heap_new(size, align, CALLED) : __libc_memalign(align, size);
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}

PUBLIC size_t malloc_usable_size(void *memory) {
  const struct block *block = memory ? block_of(memory) : NULL;
  return block ? block->size : usable ? usable(memory) : 0;
}

/* --- Beginning, and forks --- */

static void before_fork(void) {
  pthread_mutex_lock(&lock);
}

static void after_fork(void) {
  pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void start(void) {
  usable = (size_t(*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
  pthread_atfork(before_fork, after_fork, after_fork);
  on = mpl_told_heap(find);
}
