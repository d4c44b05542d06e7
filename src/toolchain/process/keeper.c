#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keeper_process.h"
#include "runtime/clock.h"
#include "runtime/threads/lock.h"

enum { STACK_SIZE = 16 << 10, GUARD_SIZE = 64 << 10, LOOK_MILLISECONDS = 100 };

static struct mpl_keeper *keepers; /* those of this process, and of one that it is a fork of */
static uint64_t last_number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- Its memory --- */

/* The guard, the keeper's stack, the tool's until it is another program, and what both share. */
static const size_t memory_size = GUARD_SIZE + 2 * STACK_SIZE + sizeof(struct mpl_keeper);

static struct mpl_keeper *make(void) {
  char *memory = mmap(NULL, memory_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  (void)mprotect(memory, GUARD_SIZE, PROT_NONE);
  char *keeper_end = memory + GUARD_SIZE + STACK_SIZE, *tool_end = keeper_end + STACK_SIZE;
  struct mpl_keeper *keeper = (struct mpl_keeper *)tool_end;
  keeper->stack = keeper_end;
  keeper->tool_stack = tool_end;
  return keeper;
}

static void release(struct mpl_keeper *keeper) {
  munmap((char *)keeper - 2 * STACK_SIZE - GUARD_SIZE, memory_size);
}

/* --- The start --- */

static bool has_valgrind;

static int is_valgrind(struct dl_phdr_info *info, size_t size, void *data) {
  return info->dlpi_name && strstr(info->dlpi_name, "/vgpreload_");
}

/* Once, and early: ThreadSanitizer does not see the loader's lock, and takes a later look at the
 * names for a race with threads that unload programs. */
static __attribute__((constructor)) void look_for_valgrind(void) {
  has_valgrind = dl_iterate_phdr(is_valgrind, NULL);
}

static bool has_ended(const struct mpl_keeper *keeper) {
  pid_t pid;
  do pid = waitpid(keeper->pid, NULL, __WCLONE | WNOHANG);
  while (pid < 0 && errno == EINTR);
  return pid; /* or somebody has waited for it */
}

/* False if it has been killed before.  A short tool is over, and its keeper too, by the time that a thread which
 * waits long for its turn looks: the state says what was. */
static bool wait_for_start(struct mpl_keeper *keeper) {
  const struct timespec look = {.tv_nsec = LOOK_MILLISECONDS * 1000000};
  while (__atomic_load_n(&keeper->state, __ATOMIC_ACQUIRE) == MPL_KEEPER_STARTING) {
    long result =
        syscall(SYS_futex, &keeper->state, FUTEX_WAIT_PRIVATE, MPL_KEEPER_STARTING, &look, NULL, 0);
    if (result && errno == ETIMEDOUT && has_ended(keeper)) break;
  }
  return __atomic_load_n(&keeper->state, __ATOMIC_ACQUIRE) != MPL_KEEPER_STARTING;
}

static int split(struct mpl_keeper *keeper) {
  sigset_t all, before;
  sigfillset(&all); /* a handler would run in the keeper, on the application's memory */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  long pid = mpl_keeper_split(keeper);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pid < 0) return (int)-pid;
  keeper->pid = (pid_t)pid;
  if (!wait_for_start(keeper)) return ECHILD;
  if (keeper->state == MPL_KEEPER_KEEPS) return 0;
  while (waitpid(keeper->pid, NULL, __WCLONE) < 0 && errno == EINTR) {
  }
  return keeper->error ? keeper->error : EIO;
}

/* Above all places that they go to; false with errno. */
static bool move_files(struct mpl_keeper *keeper, const struct mpl_process *process) {
  bool good = true;
  int application = (int)syscall(SYS_pidfd_open, getpid(), 0);
  keeper->num_files = process->num_files;
  keeper->application = -1;
  if (application >= 0) {
    keeper->application = fcntl(application, F_DUPFD_CLOEXEC, process->num_files);
    close(application);
  }
  good = keeper->application >= 0;
  for (int i = 0; i < process->num_files; i++) {
    keeper->files[i] = good ? fcntl(process->files[i], F_DUPFD_CLOEXEC, process->num_files) : -1;
    good = keeper->files[i] >= 0;
  }
  return good;
}

static void close_files(const struct mpl_keeper *keeper) {
  if (keeper->application >= 0) close(keeper->application);
  for (int i = 0; i < keeper->num_files; i++)
    if (keeper->files[i] >= 0) close(keeper->files[i]);
}

static int start(struct mpl_keeper *keeper, const struct mpl_process *process,
                 const struct mpl_args *argv) {
  char **environment = mpl_process_environment(process->variables);
  int error = 0;
  keeper->owner = getpid();
  keeper->arguments = argv->list;
  keeper->environment = environment;
  if (!move_files(keeper, process)) error = errno;
  if (!error && !environment) error = ENOMEM;
  if (!error) error = split(keeper);
  close_files(keeper);
  free(environment);
  return error;
}

int mpl_keeper_start(const struct mpl_process *process, const struct mpl_args *argv,
                     uint64_t *number) {
  if (has_valgrind) return ENOSYS; /* which would end the application */
  struct mpl_keeper *keeper = make();
  if (!keeper) return ENOMEM;
  int error = start(keeper, process, argv);
  if (error) {
    release(keeper);
    return error;
  }
  mpl_lock(&lock);
  *number = keeper->number = ++last_number;
  keeper->next = keepers;
  keepers = keeper;
  mpl_unlock(&lock);
  return 0;
}

/* --- The end --- */

/* The tool has its number until its keeper waits for it, and that has said so before. */
static void end_tool(const struct mpl_keeper *keeper) {
  int process = (int)syscall(SYS_pidfd_open, keeper->tool, 0);
  if (process < 0) return;
  if (!__atomic_load_n(&keeper->tool_ended, __ATOMIC_SEQ_CST))
    (void)syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
  close(process);
}

/* With the lock. */
static void reap(void) {
  for (struct mpl_keeper **link = &keepers, *keeper; (keeper = *link);) {
    if (keeper->owner != getpid() || has_ended(keeper)) {
      *link = keeper->next;
      release(keeper);
    } else
      link = &keeper->next;
  }
}

void mpl_keeper_end(uint64_t number) {
  mpl_lock(&lock);
  reap();
  for (const struct mpl_keeper *keeper = keepers; keeper; keeper = keeper->next)
    if (keeper->number == number) end_tool(keeper);
  mpl_unlock(&lock);
}

/* Until it has ended, or the time is up. */
static void wait_for_end(const struct mpl_keeper *keeper, uint64_t end) {
  uint64_t now = mpl_clock();
  struct pollfd polled = {.fd = (int)syscall(SYS_pidfd_open, keeper->pid, 0), .events = POLLIN};
  if (polled.fd < 0) return;
  if (now < end) (void)poll(&polled, 1, (int)((end - now) / 1000000) + 1);
  close(polled.fd);
}

void mpl_keepers_reap(unsigned milliseconds) {
  uint64_t end = mpl_clock() + (uint64_t)milliseconds * 1000000;
  mpl_lock(&lock);
  reap();
  for (struct mpl_keeper *keeper = keepers; keeper && milliseconds; keeper = keeper->next)
    wait_for_end(keeper, end);
  if (milliseconds) reap();
  mpl_unlock(&lock);
}
