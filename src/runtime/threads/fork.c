#include "runtime/threads/fork.h"

#include <pthread.h>

#include "runtime/threads/lock.h"
#include "runtime/threads/registry.h"
#include "runtime/threads/threads.h"

atomic_uint mpl_forks;

static _Thread_local bool starting; /* a program: its fork() waits for nobody */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void) {
  if (!starting) mpl_registry_stop();
}

static void in_parent(void) {
  if (starting) return;
  atomic_store(&mpl_forking, 0);
  mpl_wake(&mpl_forking);
  mpl_registry_go_on();
}

static void in_child(void) {
  if (starting) return;
  atomic_store(&mpl_forking, 0);
  atomic_fetch_add(&mpl_forks, 1);
  mpl_registry_begin_again();
  mpl_pools_after_fork();
  mpl_queues_after_fork();
  mpl_locate_after_fork();
}

static void start(void) {
  mpl_registry_start();
  pthread_atfork(before_fork, in_parent, in_child);
}

void mpl_fork_watch(void) {
  pthread_once(&once, start);
}

void mpl_start_hold(void) {
  mpl_fork_hold();
  starting = true;
}

void mpl_start_let(void) {
  starting = false;
  mpl_fork_let();
}
