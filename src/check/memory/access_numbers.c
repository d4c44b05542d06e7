/* Accesses by numbers small enough for the shadow memory. */
#include <pthread.h>
#include <stdatomic.h>

#include "memory.h"
#include "runtime/mistakes/locate.h"
#include "runtime/options.h"
#include "runtime/threads/lock.h"

enum { NUMBER_BITS = MPL_ACCESS_NUMBER_BITS, MOST_ACCESSES = 1 << NUMBER_BITS };

struct numbered {
  const struct mpl_access *access;
  const struct mpl_code *code;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct numbered accesses[MOST_ACCESSES]; /* from 1 on */
static uint32_t used = 1;
uint32_t mpl_access_generation = 1;

uint16_t mpl_access_number(struct mpl_access *access, const struct mpl_code *code) {
  uint32_t kept = __atomic_load_n(&access->number, __ATOMIC_RELAXED);
  uint32_t now = __atomic_load_n(&mpl_access_generation, __ATOMIC_RELAXED);
  if (kept >> NUMBER_BITS == now) return kept & (MOST_ACCESSES - 1);
  mpl_lock(&lock);
  kept = __atomic_load_n(&access->number, __ATOMIC_RELAXED);
  if (kept >> NUMBER_BITS != mpl_access_generation) {
    uint32_t number = used < MOST_ACCESSES ? used++ : 0;
    accesses[number] = number ? (struct numbered){access, code} : (struct numbered){0};
    kept = mpl_access_generation << NUMBER_BITS | number;
    __atomic_store_n(&access->number, kept, __ATOMIC_RELAXED);
  }
  mpl_unlock(&lock);
  return kept & (MOST_ACCESSES - 1);
}

void mpl_access_forget(void) {
  mpl_lock(&lock);
  if (used > MOST_ACCESSES / 2) {
    mpl_access_generation = mpl_access_generation % ((1u << (32 - NUMBER_BITS)) - 1) + 1;
    used = 1;
  }
  mpl_unlock(&lock);
}

struct mpl_place mpl_access_place(uint16_t number) {
  const struct numbered *n = &accesses[number];
  if (!n->access) return (struct mpl_place){0};
  if (!n->code) return n->access->place;
  struct mpl_site site = mpl_locate_chain(n->code->at, MPL_CODE_DEPTH);
  return mpl_place_of(&site);
}

const char *mpl_access_variable(uint16_t number) {
  return accesses[number].access ? accesses[number].access->variable : NULL;
}

static bool is_only_volatile(const struct mpl_access *access) {
  return access->flags & MPL_ACCESS_VOLATILE && mpl_option_number(MPL_OPTION_CHECK_VOLATILE);
}

bool mpl_access_is_volatile(uint16_t number) {
  return accesses[number].access && is_only_volatile(accesses[number].access);
}

bool mpl_access_counts_as_atomic(const struct mpl_access *access) {
  return access->flags & MPL_ACCESS_ATOMIC && !is_only_volatile(access);
}
