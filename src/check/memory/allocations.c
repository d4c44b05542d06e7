#include "allocations.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/engine/fault.h"
#include "check/report/diagnose_pointer.h"
#include "runtime/memory/address_map.h"
#include "runtime/threads/lock.h"
#include "unwritten.h"

enum {
  LEAST_GUARD = 1 << 20,    /* a row or two of what is not very large */
  LARGEST_GUARD = 64 << 20, /* up to it as wide as the memory: an index that is twice too large */
  MOST_LIVE = 3000,         /* two mappings each, of those that stacks leave (stacks.c) */
  MOST_FREED = 256,
  PATTERN = 0xc9, /* of bytes that are nobody's */
  DAMAGES_AT_ONCE = 8,
};
static const size_t MOST_MARKED_SIZE = (size_t)256 << 20; /* what is larger takes too long */
static const size_t MOST_FREED_SIZE = (size_t)1 << 30;

struct block {
  struct mpl_allocation seen; /* first */
  struct block *next_freed;
  char *reserved, *pages; /* with the guards; without */
  size_t reserved_size, pages_size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_address_map blocks; /* with their guards; owner: the struct block */
static size_t num_live;
static struct block *oldest_freed, **last_freed = &oldest_freed;
static size_t num_freed, freed_size;
atomic_uint mpl_allocations_change = 1;

/* --- The list: with the lock held --- */

static struct block *find(const void *address) {
  const struct mpl_mapped *range = mpl_map_find(&blocks, address);
  return range ? range->owner : NULL;
}

static bool add(struct block *block) {
  if (!mpl_map_add(&blocks, (struct mpl_mapped){block->reserved, block->reserved_size, block, 0}))
    return false;
  atomic_fetch_add(&mpl_allocations_change, 1);
  num_live++;
  return true;
}

static void forget_oldest(void) {
  struct block *block = oldest_freed;
  oldest_freed = block->next_freed;
  if (!oldest_freed) last_freed = &oldest_freed;
  num_freed--;
  freed_size -= block->reserved_size;
  mpl_map_remove(&blocks, mpl_map_find(&blocks, block->reserved));
  munmap(block->reserved, block->reserved_size);
  free(block);
}

/* --- Making --- */

static size_t round_up(size_t size, size_t to) {
  return (size + to - 1) / to * to;
}

/* Finds room, and fills in all but the address for the program. */
static bool reserve(struct block *block, size_t size, size_t align, size_t margin) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), body, whole;
  size_t guard = round_up(size, page);
  if (guard < LEAST_GUARD) guard = LEAST_GUARD;
  if (guard > LARGEST_GUARD) guard = LARGEST_GUARD;
  size_t between = align > page ? align : 0;           /* room to begin at a multiple */
  margin = align < page ? round_up(margin, align) : 0; /* or it begins a page */
  if (__builtin_add_overflow(size, align + page + between + 2 * margin, &body) ||
      __builtin_add_overflow(body, 2 * guard, &whole))
    return false;
  size_t held = align < page ? round_up(size, align) : size;
  body = round_up(held + 2 * margin, page);
  whole = body + between + 2 * guard;
  char *memory = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  char *pages = memory + guard;
  if (between) pages += -(uintptr_t)pages & (align - 1);
  if (mprotect(pages, body, PROT_READ | PROT_WRITE)) {
    munmap(memory, whole);
    return false;
  }
  block->reserved = memory;
  block->reserved_size = whole;
  block->pages = pages;
  block->pages_size = body;
  block->seen.base = align < page ? pages + body - margin - held : pages;
  block->seen.size = size;
  return true;
}

static char *end_of(const struct block *block) {
  return (char *)block->seen.base + block->seen.size;
}

static size_t front_of(const struct block *block) {
  return (size_t)(block->seen.base - block->pages);
}

static size_t slack_of(const struct block *block) {
  return (size_t)(block->pages + block->pages_size - end_of(block));
}

/* The words of it that are whole. */
static uint32_t *words_of(const void *base, size_t size, size_t *count) {
  uintptr_t begin = ((uintptr_t)base + 3) & ~(uintptr_t)3;
  uintptr_t end = ((uintptr_t)base + size) & ~(uintptr_t)3;
  *count = end > begin ? (end - begin) / sizeof(uint32_t) : 0;
  return (uint32_t *)begin;
}

bool mpl_allocation_mark(void *base, size_t size) {
  size_t count;
  uint32_t *words = words_of(base, size, &count);
  if (size > MOST_MARKED_SIZE) return false;
  for (size_t i = 0; i < count; i++) words[i] = MPL_UNWRITTEN;
  return true;
}

static bool is_blank(const struct mpl_allocation *memory) {
  size_t count, i = 0;
  const uint32_t *words = words_of(memory->base, memory->size, &count);
  while (i < count && mpl_may_be_unwritten((uintptr_t)&words[i])) i++;
  return i == count && count;
}

void *mpl_allocation_create(size_t size, size_t align, size_t margin, const char *what) {
  struct block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  if (!size) size = 1;
  if (!reserve(block, size, align, margin)) {
    free(block);
    return NULL;
  }
  mpl_faults_watch(); /* the host's too */
  block->seen.what = what;
  mpl_trace_take(&block->seen.made);
  block->seen.is_marked = mpl_allocation_mark((char *)block->seen.base, size);
  memset(block->pages, PATTERN, front_of(block));
  memset(end_of(block), PATTERN, slack_of(block));
  mpl_lock(&lock);
  bool added = num_live < MOST_LIVE && add(block);
  mpl_unlock(&lock);
  if (added) return (char *)block->seen.base;
  munmap(block->reserved, block->reserved_size);
  free(block);
  return NULL;
}

/* --- Writes beside the memory --- */

/* The first byte behind the memory that is not the pattern, or the first of those just before it;
 * they are the pattern again. */
static bool find_behind(struct block *block, struct mpl_damage *damage) {
  unsigned char *bytes = (unsigned char *)end_of(block);
  size_t size = slack_of(block), i = 0;
  while (i < size && bytes[i] == PATTERN) i++;
  if (i == size) return false;
  memset(bytes, PATTERN, size);
  *damage = (struct mpl_damage){block->seen, (ptrdiff_t)(block->seen.size + i)};
  return true;
}

static bool find_before(struct block *block, struct mpl_damage *damage) {
  unsigned char *bytes = (unsigned char *)block->pages;
  size_t size = front_of(block), i = size;
  while (i && bytes[i - 1] == PATTERN) i--;
  if (!i) return false;
  while (i && bytes[i - 1] != PATTERN) i--;
  memset(bytes, PATTERN, size);
  *damage = (struct mpl_damage){block->seen, (ptrdiff_t)i - (ptrdiff_t)size};
  return true;
}

/* Returns how many, up to two. */
static size_t find_damage(struct block *block, struct mpl_damage *damages) {
  size_t count = find_behind(block, damages);
  return count + find_before(block, damages + count);
}

void mpl_allocations_verify(const struct mpl_check_launch *check) {
  struct mpl_damage damages[DAMAGES_AT_ONCE];
  size_t count, at = 0;
  bool more;
  do { /* not reported with the lock held: that may take memory */
    count = 0;
    mpl_lock(&lock);
    for (; at < blocks.count && count + 2 <= DAMAGES_AT_ONCE; at++) {
      struct block *block = blocks.ranges[at].owner;
      if (!block->seen.is_freed) count += find_damage(block, damages + count);
    }
    more = at < blocks.count;
    mpl_unlock(&lock);
    for (size_t i = 0; i < count; i++)
      mpl_diagnose_damage(&damages[i], check ? MPL_AFTER_LAUNCH : MPL_BEFORE_LAUNCH, check);
  } while (more);
}

/* --- Freeing --- */

/* With the lock held.  Its memory goes, its addresses stay. */
static void retire(struct block *block) {
  num_live--;
  block->seen.is_freed = true;
  atomic_fetch_add(&mpl_allocations_change, 1);
  mmap(block->pages, block->pages_size, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  *last_freed = block;
  last_freed = &block->next_freed;
  num_freed++;
  freed_size += block->reserved_size;
  while (num_freed > MOST_FREED || (freed_size > MOST_FREED_SIZE && num_freed > 1)) forget_oldest();
}

bool mpl_allocation_release(void *base) {
  struct mpl_damage damages[2];
  struct mpl_trace callers;
  mpl_trace_take(&callers);
  mpl_lock(&lock);
  struct block *block = find(base);
  bool found = block && block->seen.base == base && !block->seen.is_freed;
  size_t damaged = found ? find_damage(block, damages) : 0;
  if (found) {
    block->seen.freed = callers;
    retire(block);
  }
  mpl_unlock(&lock);
  for (size_t i = 0; i < damaged; i++) mpl_diagnose_damage(&damages[i], MPL_AT_END, NULL);
  return found;
}

/* --- Finding --- */

/* The program's own heap, if it tells of it. */
static mpl_heap_finder *heap;

void mpl_allocations_add_heap(mpl_heap_finder *find) {
  heap = find;
}

static enum mpl_told_memory look(const void *address, struct mpl_allocation *found, bool waits) {
  const struct block *block = find(address);
  struct mpl_told_block told;
  if (block) *found = block->seen;
  if (block || !heap) return block ? MPL_TOLD_BLOCK : MPL_TOLD_NOTHING;
  enum mpl_told_memory kind = heap(address, &told, waits);
  if (kind == MPL_TOLD_BLOCK)
    *found = (struct mpl_allocation){.base = told.base,
                                     .size = told.size,
                                     .what = "memory of the heap",
                                     .is_marked = told.is_marked,
                                     .made = {1, {told.caller}}};
  return kind;
}

enum mpl_told_memory mpl_allocation_near(const void *address, struct mpl_allocation *found) {
  mpl_lock(&lock);
  enum mpl_told_memory kind = look(address, found, true);
  mpl_unlock(&lock);
  return kind;
}

bool mpl_allocation_at(const void *address, struct mpl_allocation *found) {
  return mpl_allocation_near(address, found) == MPL_TOLD_BLOCK;
}

bool mpl_allocation_try_at(const void *address, struct mpl_allocation *found) {
  enum { TRIES = 1000 }; /* this thread may hold it itself */
  for (unsigned i = 0; i < TRIES; i++) {
    if (pthread_mutex_trylock(&lock)) {
      sched_yield();
      continue;
    }
    bool is_known = look(address, found, false) == MPL_TOLD_BLOCK;
    pthread_mutex_unlock(&lock);
    return is_known;
  }
  return false;
}

bool mpl_allocation_is_blank(const void *address) {
  struct mpl_allocation memory;
  mpl_lock(&lock); /* so that nobody frees it */
  bool blank = look(address, &memory, true) == MPL_TOLD_BLOCK && !memory.is_freed &&
               memory.is_marked && is_blank(&memory);
  mpl_unlock(&lock);
  return blank;
}
