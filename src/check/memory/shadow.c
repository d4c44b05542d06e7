#include "shadow.h"

#include "memory.h"
#include "releases.h"
#include "runtime/threads/lock.h"
#include "stamps.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/options.h"

enum {
  PHASES_AT_ONCE = 1 << 16,
  CHUNKS = 1 << 16,
  ENOUGH_PHASES = 1 << 20, /* forgotten when no launch runs */
  PAGE_BITS = MPL_SHADOW_PAGE_BITS,
  PAGE = 1 << PAGE_BITS,
  WORD_BITS = 2,
  BUCKETS = 1 << 14,
};
#define ENOUGH ((size_t)256 << 20) /* bytes; given back when no launch runs */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t launches, running;
atomic_uint mpl_shadow_generation = 1; /* cells of an older one are empty */

/* --- Phases --- */

static atomic_uint newest;
static _Atomic(struct mpl_phase *) chunks[CHUNKS];

static struct mpl_phase *add_chunk(uint32_t index) {
  mpl_lock(&lock);
  struct mpl_phase *chunk = atomic_load(&chunks[index]);
  if (!chunk) {
    chunk = calloc(PHASES_AT_ONCE, sizeof *chunk);
    atomic_store(&chunks[index], chunk);
  }
  mpl_unlock(&lock);
  return chunk;
}

uint32_t mpl_phase_begin(struct mpl_phase phase) {
  uint32_t number = atomic_fetch_add(&newest, 1) + 1;
  struct mpl_phase *chunk = atomic_load(&chunks[number / PHASES_AT_ONCE]);
  if (!chunk && !(chunk = add_chunk(number / PHASES_AT_ONCE))) return 0;
  chunk[number % PHASES_AT_ONCE] = phase;
  return number;
}

const struct mpl_phase *mpl_phase_of(uint32_t number) {
  return &atomic_load_explicit(&chunks[number / PHASES_AT_ONCE],
                               memory_order_relaxed)[number % PHASES_AT_ONCE];
}

uint32_t mpl_phase_now(void) {
  return atomic_load_explicit(&newest, memory_order_relaxed);
}

/* --- Pages --- */

static _Atomic(struct mpl_shadow_page *) buckets[BUCKETS];
static atomic_size_t taken;

/* --- How much --- */

static atomic_bool full; /* until it is given back */
atomic_bool mpl_shadow_was_full;

static size_t limit(void) {
  return mpl_option_number(MPL_OPTION_CHECK_SHADOW);
}

bool mpl_shadow_is_full(void) {
  return atomic_load_explicit(&full, memory_order_relaxed);
}

static void say_full(void) {
  atomic_store(&full, true);
  if (atomic_exchange(&mpl_shadow_was_full, true)) return;
  fprintf(stderr,
          "maniple: shadow memory is full (MANIPLE_CHECK_SHADOW=%s): races in what a launch "
          "accesses further on are not found\n",
          mpl_option_text(MPL_OPTION_CHECK_SHADOW));
}

bool mpl_shadow_may_take(size_t bytes) {
  if (mpl_shadow_is_full()) return false;
  if (atomic_fetch_add(&taken, bytes) + bytes <= limit()) return true;
  atomic_fetch_sub(&taken, bytes);
  say_full();
  return false;
}

static size_t bucket_of(uintptr_t number) {
  return (number * 0x9e3779b97f4a7c15u >> 40) % BUCKETS;
}

static struct mpl_cell *new_cells(unsigned shift) {
  size_t count = (size_t)1 << (PAGE_BITS - shift);
  if (!mpl_shadow_may_take(count * sizeof(struct mpl_cell))) return NULL;
  return calloc(count, sizeof(struct mpl_cell));
}

static struct mpl_shadow_page *look_up(uintptr_t number) {
  struct mpl_shadow_page *page = atomic_load(&buckets[bucket_of(number)]);
  while (page && page->number != number) page = page->next;
  return page;
}

static struct mpl_shadow_page *add_page(uintptr_t number) {
  if (mpl_shadow_is_full()) return NULL;
  mpl_lock(&lock);
  struct mpl_shadow_page *page = look_up(number);
  struct mpl_cell *cells = page ? NULL : new_cells(WORD_BITS);
  if (cells && (page = calloc(1, sizeof *page))) {
    *page = (struct mpl_shadow_page){.next = atomic_load(&buckets[bucket_of(number)]),
                                     .number = number,
                                     .busy = ATOMIC_FLAG_INIT,
                                     .shift = WORD_BITS,
                                     .generation = atomic_load(&mpl_shadow_generation),
                                     .cells = cells};
    atomic_store(&buckets[bucket_of(number)], page);
  } else {
    free(cells);
  }
  mpl_unlock(&lock);
  return page;
}

static struct mpl_shadow_page *page_of(struct mpl_shadow_cache *cache, uintptr_t number) {
  struct mpl_shadow_page **kept = &cache->pages[mpl_shadow_slot(number)];
  if (*kept && (*kept)->number == number) return *kept;
  struct mpl_shadow_page *page = look_up(number);
  if (!page && !(page = add_page(number))) return NULL;
  return *kept = page;
}

static void enter(struct mpl_shadow_page *page) {
  while (atomic_flag_test_and_set_explicit(&page->busy, memory_order_acquire)) sched_yield();
  uint32_t now = atomic_load_explicit(&mpl_shadow_generation, memory_order_relaxed);
  if (page->generation == now) return;
  memset(page->cells, 0, sizeof *page->cells << (PAGE_BITS - page->shift));
  page->generation = now;
}

static void leave(struct mpl_shadow_page *page) {
  atomic_flag_clear_explicit(&page->busy, memory_order_release);
}

/* From now on a cell for each byte. */
static void split(struct mpl_shadow_page *page) {
  struct mpl_cell *cells = new_cells(0);
  if (!cells) return;
  for (size_t i = 0; i < (size_t)1 << PAGE_BITS; i++) cells[i] = page->cells[i >> page->shift];
  page->before = page->cells;
  page->cells = cells;
  page->shift = 0;
}

/* --- Visits --- */

/* The cells of a word get what its stamp says, if they are not what it stands for. */
static void expand(struct mpl_cell *cells, size_t count, uint64_t stamp) {
  struct mpl_record record = mpl_stamp_record(stamp);
  if (!record.access) return;
  for (size_t i = 0; i < count; i++) {
    cells[i] = (struct mpl_cell){0};
    if (mpl_stamp_how(stamp) == MPL_STAMP_WROTE)
      cells[i].write = record;
    else
      cells[i].read[0] = record;
  }
}

/* Bytes `from` to `end` - 1 of the page, all of one word. */
static void visit_word(struct mpl_shadow_page *page, size_t from, size_t end, mpl_stamps *stamp,
                       struct mpl_visit *visit) {
  size_t first = from >> WORD_BITS << WORD_BITS, each = (size_t)1 << page->shift;
  struct mpl_cell *cells = &page->cells[first >> page->shift];
  if (stamp) expand(cells, 4 >> page->shift, atomic_exchange(stamp, visit->nobody));
  for (size_t i = from; i < end; i += each) visit->enter(&cells[(i - first) >> page->shift], visit);
  if (!stamp || end - from < 4 || page->shift < WORD_BITS) return;
  uint64_t nobody = visit->nobody; /* another launch, for which that is past, may have gone on */
  atomic_compare_exchange_strong(stamp, &nobody, visit->stamp(cells, visit));
}

static void visit_part(struct mpl_shadow_page *page, uintptr_t address, size_t size,
                       struct mpl_visit *visit) {
  size_t from = address % PAGE, end = from + size;
  mpl_stamps *stamps = mpl_stamps_at(address - from);
  enter(page);
  if (page->shift && (from | size) & 3) split(page);
  while (from < end) {
    size_t next = (from >> WORD_BITS << WORD_BITS) + 4;
    if (next > end) next = end;
    visit_word(page, from, next, stamps ? &stamps[from >> WORD_BITS] : NULL, visit);
    from = next;
  }
  leave(page);
}

void mpl_shadow_visit(struct mpl_shadow_cache *cache, uintptr_t address, uint64_t size,
                      struct mpl_visit *visit) {
  while (size) {
    uint64_t left = PAGE - address % PAGE, part = size < left ? size : left;
    struct mpl_shadow_page *page = page_of(cache, address >> PAGE_BITS);
    if (page) visit_part(page, address, part, visit);
    address += part;
    size -= part;
  }
}

/* --- Launches --- */

static void free_pages(void) {
  for (size_t i = 0; i < BUCKETS; i++) {
    struct mpl_shadow_page *next, *page = atomic_exchange(&buckets[i], NULL);
    for (; page; page = next) {
      next = page->next;
      free(page->cells);
      free(page->before);
      free(page);
    }
  }
}

/* No launch runs. */
static void forget(void) {
  mpl_releases_forget();
  mpl_access_forget();
  if (atomic_load(&taken) > ENOUGH || atomic_load(&taken) > limit() / 2 || atomic_load(&full)) {
    free_pages();
    mpl_stamps_forget();
    atomic_store(&taken, 0);
    atomic_store(&full, false);
  }
  if (atomic_load(&newest) > ENOUGH_PHASES) {
    atomic_fetch_add(&mpl_shadow_generation, 1);
    atomic_store(&newest, 0);
    mpl_stamps_forget();
  }
}

uint32_t mpl_shadow_begin(void) {
  mpl_lock(&lock);
  running++;
  uint32_t number = ++launches;
  mpl_unlock(&lock);
  return number;
}

void mpl_shadow_end(void) {
  mpl_lock(&lock);
  if (!--running) forget();
  mpl_unlock(&lock);
}

/* In the child: no launch runs, and nobody will leave a page that somebody was in. */
void mpl_shadow_after_fork(void) {
  for (size_t i = 0; i < BUCKETS; i++) atomic_store(&buckets[i], NULL);
  atomic_store(&taken, 0);
  atomic_store(&full, false);
  running = 0;
}
