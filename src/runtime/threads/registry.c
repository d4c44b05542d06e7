#include "runtime/threads/registry.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>

#include "runtime/threads/fork.h"
#include "runtime/threads/slot.h"

_Thread_local struct mpl_thread mpl_own_thread;

/* Held through a fork. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_thread *threads;
static uint64_t slots;     /* that living threads own */
static unsigned next_slot; /* for those that find none */

static pthread_key_t key; /* for its destructor */
static bool has_key;

static void take_slot(struct mpl_thread *thread) {
  thread->owns_slot = ~slots;
  thread->slot = ~slots ? (unsigned)__builtin_ctzll(~slots) : next_slot++ % MPL_SLOTS;
  slots |= (uint64_t)1 << thread->slot;
}

static void add(struct mpl_thread *thread) {
  take_slot(thread);
  thread->next = threads;
  thread->link = &threads;
  if (threads) threads->link = &thread->next;
  threads = thread;
  thread->listed = true;
}

/* Destructors of other keys may come back to us: then it is added once more. */
static void thread_ends(void *data) {
  struct mpl_thread *thread = data;
  pthread_mutex_lock(&lock);
  *thread->link = thread->next;
  if (thread->next) thread->next->link = thread->link;
  thread->listed = false;
  if (thread->owns_slot) slots &= ~((uint64_t)1 << thread->slot);
  pthread_mutex_unlock(&lock);
}

void mpl_registry_start(void) {
  has_key = !pthread_key_create(&key, thread_ends);
}

/* Without a key the list would keep entries of threads that have ended: rather no protection. */
__attribute__((noinline)) void mpl_registry_add(void) {
  mpl_fork_watch();
  if (!has_key || pthread_setspecific(key, &mpl_own_thread)) return;
  pthread_mutex_lock(&lock);
  add(&mpl_own_thread);
  pthread_mutex_unlock(&lock);
}

void mpl_registry_stop(void) {
  pthread_mutex_lock(&lock);
  atomic_store(&mpl_forking, 1);
  for (struct mpl_thread *thread = threads; thread; thread = thread->next)
    while (thread != &mpl_own_thread && atomic_load(&thread->depth)) sched_yield();
}

void mpl_registry_go_on(void) {
  pthread_mutex_unlock(&lock);
}

void mpl_registry_begin_again(void) {
  pthread_mutex_init(&lock, NULL);
  threads = NULL;
  slots = 0;
  if (mpl_own_thread.listed) add(&mpl_own_thread);
}

/* Without a key a thread is on no list: all such have the first. */
unsigned mpl_slot(void) {
  return mpl_this_thread()->slot;
}
