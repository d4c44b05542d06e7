/* Memory: of devices, at addresses where the host has none, and of the host. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device.h"

enum { PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, POISON = 0xa5, MOST_POISON = 1 << 20 };
static const size_t window_size = (size_t)1 << 36;
static const size_t most_pinned = (size_t)4 << 30;

/* Never freed: who runs a kernel may look at one that is being given back. */
struct block {
  uint64_t begin;
  size_t size;
  int device;
};
struct window {
  char *base; /* addresses as they are given out */
  char *real; /* where the bytes are */
  size_t used;
  struct block **pages;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct window windows[TWIN_SIDES];

static void *reserve(size_t size, int protection) {
  void *made = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) twin_fail("no addresses are left: %s", strerror(errno));
  return made;
}

static void reserve_all(void) {
  for (int i = 0; i < TWIN_SIDES; i++) {
    struct window *w = &windows[i];
    w->base = reserve(window_size, PROT_NONE);
    w->real = i == TWIN_HIDDEN ? reserve(window_size, PROT_NONE) : w->base;
    w->pages = reserve((window_size >> PAGE_BITS) * sizeof *w->pages, PROT_READ | PROT_WRITE);
  }
}

static size_t pages_of(size_t size) {
  return (size + PAGE - 1) >> PAGE_BITS;
}

static void set_pages(struct window *w, const struct block *b, struct block *to) {
  size_t first = (b->begin - (uintptr_t)w->base) >> PAGE_BITS;
  for (size_t i = 0; i < pages_of(b->size); i++)
    __atomic_store_n(&w->pages[first + i], to, __ATOMIC_RELEASE);
}

/* With the lock held.  A page is left out behind each. */
static uint64_t take(struct window *w, size_t size, int device) {
  size_t pages = pages_of(size);
  if (size > window_size || w->used + (pages + 1) * PAGE > window_size) return 0;
  if (mprotect(w->real + w->used, pages * PAGE, PROT_READ | PROT_WRITE)) return 0;
  memset(w->real + w->used, POISON, size < MOST_POISON ? size : MOST_POISON);
  struct block *b = malloc(sizeof *b);
  *b = (struct block){(uintptr_t)w->base + w->used, size, device};
  w->used += (pages + 1) * PAGE;
  set_pages(w, b, b);
  return b->begin;
}

static long *count_of(enum twin_side side) {
  return side == TWIN_OPEN ? &twin_things.pinned : &twin_things.memory;
}

uint64_t twin_take(enum twin_side side, size_t size, int device) {
  static size_t most[TWIN_SIDES] = {TWIN_MEMORY, 0, TWIN_MEMORY};
  most[TWIN_OPEN] = most_pinned;
  pthread_once(&once, reserve_all);
  if (!size) return 0;
  pthread_mutex_lock(&lock);
  long *all = count_of(side);
  size_t devices = side != TWIN_OPEN ? (size_t)twin_option("TWIN_DEVICES", 1) : 1;
  uint64_t at = (size_t)*all + size > devices * most[side] ? 0 : take(&windows[side], size, device);
  if (at) *all += (long)size;
  pthread_mutex_unlock(&lock);
  return at;
}

static struct block *find(uint64_t at, struct window **window) {
  for (int i = 0; i < TWIN_SIDES; i++) {
    struct window *w = &windows[i];
    uint64_t offset = at - (uintptr_t)w->base;
    if (!w->base || offset >= window_size) continue;
    *window = w;
    return __atomic_load_n(&w->pages[offset >> PAGE_BITS], __ATOMIC_ACQUIRE);
  }
  *window = NULL;
  return NULL;
}

bool twin_give_back(enum twin_side side, uint64_t at) {
  struct window *w;
  pthread_mutex_lock(&lock);
  struct block *b = find(at, &w);
  bool good = b && b->begin == at && w == &windows[side];
  if (good) {
    char *real = w->real + (at - (uintptr_t)w->base);
    *count_of(side) -= (long)b->size;
    set_pages(w, b, NULL);
    madvise(real, pages_of(b->size) * PAGE, MADV_DONTNEED);
    mprotect(real, pages_of(b->size) * PAGE, PROT_NONE);
  }
  pthread_mutex_unlock(&lock);
  return good;
}

/* --- The program's own memory, while the driver has it --- */

enum { MOST_LENT = 64 };
static struct {
  uint64_t begin, end; /* of pages; 0: unused */
} lent[MOST_LENT];

static int place_lent(uint64_t at, uint64_t end) {
  for (int i = 0; i < MOST_LENT; i++)
    if (lent[i].end && at < lent[i].end && end > lent[i].begin) return i;
  return -1;
}

int twin_lend(uint64_t at, size_t size) {
  uint64_t begin = at / PAGE * PAGE, end = (at + size + PAGE - 1) / PAGE * PAGE;
  int i = 0;
  if (!size) return TWIN_INVALID;
  pthread_mutex_lock(&lock);
  bool taken = place_lent(begin, end) >= 0;
  while (!taken && i < MOST_LENT && lent[i].end) i++;
  if (!taken && i == MOST_LENT) twin_fail("more than %d pieces are registered", MOST_LENT);
  if (!taken) {
    lent[i].begin = begin;
    lent[i].end = end;
    twin_things.lent += (long)(end - begin);
  }
  pthread_mutex_unlock(&lock);
  return taken ? TWIN_LENT : 0;
}

int twin_return(uint64_t at) {
  pthread_mutex_lock(&lock);
  int i = place_lent(at, at + 1);
  bool good = i >= 0 && lent[i].begin == at;
  if (good) {
    twin_things.lent -= (long)(lent[i].end - lent[i].begin);
    lent[i].begin = lent[i].end = 0;
  }
  pthread_mutex_unlock(&lock);
  return good ? 0 : TWIN_NOT_LENT;
}

bool twin_is_lent(uint64_t at) {
  pthread_mutex_lock(&lock);
  bool is = place_lent(at, at + 1) >= 0;
  pthread_mutex_unlock(&lock);
  return is;
}

bool twin_is_alike(uint64_t at, size_t size) {
  pthread_mutex_lock(&lock);
  int i = place_lent(at, at + 1);
  bool is = i < 0 || lent[i].end >= at + size;
  pthread_mutex_unlock(&lock);
  return is;
}

bool twin_is_memory(uint64_t at) {
  struct window *w;
  find(at, &w);
  return w != NULL;
}

void *twin_reach(uint64_t at, size_t size, int device) {
  struct window *w;
  const struct block *b = find(at, &w);
  if (!w) return (void *)(uintptr_t)at;
  if (!b || at - b->begin + size > b->size) return NULL;
  if (w == &windows[TWIN_HIDDEN] && device >= 0 && b->device != device) return NULL;
  return w->real + (at - (uintptr_t)w->base);
}

void *twin_reach_any(uint64_t at, size_t size) {
  return twin_reach(at, size, -1);
}

#define EACH_SIZE(X) X(1, uint8_t) X(2, uint16_t) X(4, uint32_t) X(8, uint64_t)

uint64_t twin_load(const void *from, unsigned size) {
  switch (size) {
#define X(bytes, type)                                                                             \
  case bytes:                                                                                      \
    return __atomic_load_n((const type *)from, __ATOMIC_RELAXED);
    EACH_SIZE(X)
#undef X
  }
  twin_fail("%u bytes at a time", size);
}

void twin_store(void *to, uint64_t value, unsigned size) {
  switch (size) {
#define X(bytes, type)                                                                             \
  case bytes:                                                                                      \
    __atomic_store_n((type *)to, (type)value, __ATOMIC_RELAXED);                                   \
    return;
    EACH_SIZE(X)
#undef X
  }
  twin_fail("%u bytes at a time", size);
}

bool twin_replace(void *at, uint64_t old, uint64_t now, unsigned size) {
  switch (size) {
#define X(bytes, type)                                                                             \
  case bytes:                                                                                      \
    return __atomic_compare_exchange_n((type *)at, &(type){(type)old}, (type)now, false,           \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    EACH_SIZE(X)
#undef X
  }
  twin_fail("%u bytes at a time", size);
}
