#include "runtime/commands/sequence.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/threads/lock.h"

struct place {
  bool is_used;
  uint64_t number; /* of the last command that has begun; goes on in later queues */
  uint64_t until[MPL_SEQUENCE_QUEUES]; /* what is known behind those that have ended */
};

atomic_bool mpl_sequences;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place places[MPL_SEQUENCE_QUEUES];
static atomic_uint num_queues;
static atomic_ullong made;                 /* commands */
static uint64_t host[MPL_SEQUENCE_QUEUES]; /* what it knows */
static _Thread_local const struct mpl_sequence *now;

void mpl_sequence_want(void) {
  atomic_store(&mpl_sequences, true);
}

unsigned mpl_sequence_join(void) {
  unsigned i = 0;
  if (!atomic_load_explicit(&mpl_sequences, memory_order_relaxed)) return MPL_SEQUENCE_QUEUES;
  mpl_lock(&lock);
  while (i < MPL_SEQUENCE_QUEUES && places[i].is_used) i++;
  if (i < MPL_SEQUENCE_QUEUES) {
    places[i].is_used = true;
    atomic_fetch_add(&num_queues, 1);
  }
  mpl_unlock(&lock);
  return i;
}

void mpl_sequence_leave(unsigned queue) {
  if (queue == MPL_SEQUENCE_QUEUES) return;
  mpl_lock(&lock);
  places[queue].is_used = false;
  atomic_fetch_sub(&num_queues, 1);
  mpl_unlock(&lock);
}

bool mpl_sequence_matters(void) {
  return atomic_load_explicit(&num_queues, memory_order_relaxed) > 1;
}

/* With the lock held. */
static void join(uint64_t *to, const uint64_t *from) {
  for (unsigned i = 0; i < MPL_SEQUENCE_QUEUES; i++)
    if (to[i] < from[i]) to[i] = from[i];
}

struct mpl_sequence *mpl_sequence_new(unsigned queue) {
  struct mpl_sequence *order = malloc(sizeof *order);
  if (!order) return NULL;
  order->queue = queue;
  order->number = 0;
  order->made = atomic_fetch_add(&made, 1);
  mpl_trace_take(&order->enqueued);
  mpl_sequence_of_host(order);
  return order;
}

void mpl_sequence_of_host(struct mpl_sequence *order) {
  if (!order) return;
  mpl_lock(&lock);
  memcpy(order->until, host, sizeof host);
  mpl_unlock(&lock);
}

void mpl_sequence_follow(struct mpl_sequence *after, const struct mpl_sequence *before) {
  mpl_lock(&lock);
  join(after->until, before->until);
  mpl_unlock(&lock);
}

const struct mpl_sequence *mpl_sequence_begin(struct mpl_sequence *order) {
  const struct mpl_sequence *before = now;
  now = order;
  if (order->queue == MPL_SEQUENCE_QUEUES) return before;
  mpl_lock(&lock);
  struct place *place = &places[order->queue];
  join(order->until, place->until);
  order->number = order->until[order->queue] = ++place->number;
  mpl_unlock(&lock);
  return before;
}

void mpl_sequence_end(const struct mpl_sequence *order, const struct mpl_sequence *before) {
  now = before;
  if (order->queue == MPL_SEQUENCE_QUEUES) return;
  mpl_lock(&lock);
  join(places[order->queue].until, order->until);
  mpl_unlock(&lock);
}

void mpl_sequence_seen(const struct mpl_sequence *order) {
  mpl_lock(&lock);
  join(host, order->until);
  mpl_unlock(&lock);
}

void mpl_sequence_seen_queue(unsigned queue) {
  if (queue == MPL_SEQUENCE_QUEUES) return;
  mpl_lock(&lock);
  join(host, places[queue].until);
  mpl_unlock(&lock);
}

void mpl_sequence_seen_all(void) {
  mpl_lock(&lock);
  for (unsigned i = 0; i < MPL_SEQUENCE_QUEUES; i++) host[i] = places[i].number;
  mpl_unlock(&lock);
}

const struct mpl_sequence *mpl_sequence_now(void) {
  return now;
}

void mpl_sequence_share(void) {
  struct mpl_sequence *own = (struct mpl_sequence *)(uintptr_t)now;
  if (!own) return;
  mpl_lock(&lock);
  join(host, own->until);
  join(own->until, host);
  mpl_unlock(&lock);
}
