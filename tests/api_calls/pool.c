/* The pools of live objects. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "api_calls.h"

enum { SLOTS = 20, MOST_KEPT = 1 << 16 };

static struct slot slots[NUM_POOLS][SLOTS];

/* What is held until the end: kernels do not hold their arguments, handles not their buffers. */
static struct kept {
  enum pool pool;
  void *object;
} kept[MOST_KEPT];
static size_t num_kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static uintptr_t call_one(const char *name, void *object) {
  uint64_t args[MOST_ARGS] = {(uintptr_t)object};
  return call_function(function_named(name), args);
}

#define KINDS(with)                                                                                \
  with(DEVICES, Device) with(CONTEXTS, Context) with(QUEUES, CommandQueue)                         \
      with(BUFFERS, MemObject) with(IMAGES, MemObject) with(PIPES, MemObject)                      \
          with(SAMPLERS, Sampler) with(PROGRAMS, Program) with(KERNELS, Kernel)                    \
              with(EVENTS, Event) with(USER_EVENTS, Event) with(COMMAND_BUFFERS, CommandBufferKHR) \
                  with(SEMAPHORES, SemaphoreKHR)

uintptr_t pool_release(enum pool pool, void *object) {
  switch (pool) {
#define RELEASE(pool, name)                                                                        \
  case pool:                                                                                       \
    return call_one("clRelease" #name, object);
    KINDS(RELEASE)
  default:
    return 0; /* memory ends with its context */
  }
}

uintptr_t pool_retain(enum pool pool, void *object) {
  switch (pool) {
#define RETAIN(pool, name)                                                                         \
  case pool:                                                                                       \
    return call_one("clRetain" #name, object);
    KINDS(RETAIN)
  default:
    return 0;
  }
}

/* The first context and its queue are where most happens: what belongs together is wanted often. */
static unsigned choose(uint64_t *random, enum pool pool) {
  unsigned home = pool == CONTEXTS || pool == DEVICES ? 1 : 4;
  return one_in(random, 3) ? below(random, SLOTS) : below(random, home);
}

static bool pin(struct slot *slot) {
  int state = atomic_load_explicit(&slot->state, memory_order_relaxed);
  while (state > 0)
    if (atomic_compare_exchange_weak_explicit(&slot->state, &state, state + 1, memory_order_relaxed,
                                              memory_order_relaxed))
      return true;
  return false;
}

struct slot *pool_pin(uint64_t *random, enum pool pool) {
  unsigned first = choose(random, pool);
  for (unsigned i = 0; i < SLOTS; i++)
    if (pin(&slots[pool][(first + i) % SLOTS])) return &slots[pool][(first + i) % SLOTS];
  return NULL;
}

void pool_unpin(struct slot *slot) {
  atomic_fetch_sub_explicit(&slot->state, 1, memory_order_release);
}

static bool take(struct slot *slot) {
  int alone = 1;
  return atomic_compare_exchange_strong_explicit(&slot->state, &alone, -1, memory_order_acq_rel,
                                                 memory_order_relaxed);
}

/* The home stays. */
static bool fixed(enum pool pool, unsigned i) {
  return (pool == DEVICES || pool == CONTEXTS || pool == QUEUES || pool == PROGRAMS) && !i;
}

struct slot *pool_take(uint64_t *random, enum pool pool) {
  unsigned first = below(random, SLOTS);
  for (unsigned i = 0; i < SLOTS; i++) {
    struct slot *slot = &slots[pool][(first + i) % SLOTS];
    if (fixed(pool, (first + i) % SLOTS) || !take(slot)) continue;
    if (!atomic_load(&slot->used)) return slot;
    pool_put_back(slot);
  }
  return NULL;
}

void pool_put_back(struct slot *slot) {
  atomic_store_explicit(&slot->state, 1, memory_order_release);
}

void *pool_drop(struct slot *slot) {
  void *object = atomic_load(&slot->object);
  atomic_store(&slot->more, 0);
  atomic_store_explicit(&slot->state, 0, memory_order_release);
  return object;
}

static bool put(struct slot *slot, void *object) {
  int free_now = 0;
  if (!atomic_compare_exchange_strong(&slot->state, &free_now, -1)) return false;
  atomic_store_explicit(&slot->object, object, memory_order_release);
  atomic_store(&slot->more, 0);
  atomic_store(&slot->used, false);
  pool_put_back(slot);
  return true;
}

static void end(enum pool pool, struct slot *slot) {
  for (int more = atomic_load(&slot->more); more > 0; more--)
    pool_release(pool, atomic_load(&slot->object));
  pool_release(pool, pool_drop(slot));
}

void pool_add(uint64_t *random, enum pool pool, void *object) {
  for (unsigned i = 0; i < SLOTS; i++)
    if (put(&slots[pool][i], object)) return;
  struct slot *old = pool_take(random, pool);
  if (old) end(pool, old);
  for (unsigned i = 0; i < SLOTS; i++)
    if (put(&slots[pool][i], object)) return;
  pool_release(pool, object);
}

void pool_keep(enum pool pool, void *object) {
  pool_retain(pool, object);
  pthread_mutex_lock(&kept_lock);
  if (num_kept == MOST_KEPT) {
    fprintf(stderr, "api_calls: too much is kept in one round\n");
    abort();
  }
  kept[num_kept++] = (struct kept){pool, object};
  pthread_mutex_unlock(&kept_lock);
}

void pool_settle(uint64_t *random) {
  void *set = function_named("clSetUserEventStatus");
  for (unsigned i = 0; i < SLOTS; i++) {
    struct slot *slot = &slots[USER_EVENTS][i];
    if (!pin(slot)) continue;
    uint64_t args[MOST_ARGS] = {
        (uintptr_t)atomic_load_explicit(&slot->object, memory_order_acquire),
        one_in(random, 4) ? (uint64_t)-5 : 0};
    call_function(set, args);
    pool_unpin(slot);
  }
}

void *pool_home(void) {
  return atomic_load(&slots[CONTEXTS][0].object);
}

/* Shared memory is the home's, and may be used by what other contexts' queues still do. */
void pool_release_home(void) {
  if (!take(&slots[CONTEXTS][0])) abort();
  end(CONTEXTS, &slots[CONTEXTS][0]);
}

void pool_release_all(void) {
  for (size_t i = 0; i < num_kept; i++) pool_release(kept[i].pool, kept[i].object);
  num_kept = 0;
  for (int pool = NUM_POOLS - 1; pool >= 0; pool--)
    for (unsigned i = pool == CONTEXTS; i < SLOTS; i++) {
      struct slot *slot = &slots[pool][i];
      if (atomic_load(&slot->state) > 1) {
        fprintf(stderr, "api_calls: slot %u of pool %d is still pinned\n", i, pool);
        abort();
      }
      if (take(slot)) end((enum pool)pool, slot);
    }
}
