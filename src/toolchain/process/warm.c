/* The application's side of tools that wait: starts them, sends requests, waits for answers. */
#include "warm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper.h"
#include "runtime/clock.h"
#include "runtime/print/log.h"
#include "runtime/threads/lock.h"
#include "warm_request.h"
#include "watch.h"

struct helper {
  char *tool;
  bool used;    /* once: its second process is worth a start */
  bool useless; /* did not take requests */
  bool proved;  /* has taken one */
  int socket;   /* -1: it is not there */
  dev_t device; /* the socket's, since the application may have closed it and opened another */
  ino_t number;
  pid_t owner, pid; /* who has started it; itself, 0: it has not answered yet */
  uint64_t keeper;  /* who keeps it */
  unsigned active;  /* requests that it has not answered */
  struct mpl_process_state state;
  unsigned served;  /* requests, since it was started */
  unsigned in_vain; /* starts in a row for one request or none: they cost more than they save */
  bool tried;       /* it has been started before */
};

enum { MAX_HELPERS = 8, START_SECONDS = 60, MOST_IN_VAIN = 32, GRACE_SECONDS = 5 };
enum { MOST_AT_END = 500 }; /* milliseconds */
static struct helper helpers[MAX_HELPERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- The list --- */

static struct helper *find(const char *tool) {
  for (int i = 0; i < MAX_HELPERS; i++) {
    struct helper *helper = &helpers[i];
    if (helper->tool && !strcmp(helper->tool, tool)) return helper;
    if (helper->tool) continue;
    *helper = (struct helper){.tool = strdup(tool), .socket = -1};
    return helper->tool ? helper : NULL;
  }
  return NULL;
}

static bool socket_is_ours(const struct helper *helper) {
  struct stat status;
  return !fstat(helper->socket, &status) && S_ISSOCK(status.st_mode) &&
         status.st_dev == helper->device && status.st_ino == helper->number;
}

/* It ends when it has answered the request. */
static void let_go(struct helper *helper) {
  if (helper->socket >= 0 && socket_is_ours(helper)) {
    /* A fork that lives on has the socket too. What was asked is read still. */
    if (helper->owner == getpid()) shutdown(helper->socket, SHUT_WR);
    close(helper->socket);
  }
  helper->socket = -1;
  helper->pid = 0;
}

/* One that hangs, and on which no other request depends. */
static void end_helper(const struct helper *helper) {
  if (helper->owner == getpid()) mpl_keeper_end(helper->keeper);
}

/* Whether what is there may be asked in this state: a fork of this process has its own. */
static bool is_fit(const struct helper *helper, const struct mpl_process_state *state) {
  return helper->socket >= 0 && helper->owner == getpid() && socket_is_ours(helper) &&
         !memcmp(&helper->state, state, sizeof *state) && mpl_process_state_shared(helper->pid);
}

/* --- The start --- */

/* 0 or errno. */
static int start_with(const struct mpl_process *process, const char *tool, int socket,
                      uint64_t *keeper) {
  struct mpl_process waiting = {.num_files = MPL_WARM_SOCKET + 1};
  struct mpl_args argv = {0}, variables = {0};
  struct stat file;
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || stat(tool, &file)) {
    int error = errno;
    if (null >= 0) close(null);
    return error;
  }
  waiting.files[0] = waiting.files[1] = waiting.files[2] = null;
  waiting.files[MPL_WARM_SOCKET] = socket;
  mpl_args_add(&argv, tool);
  mpl_args_add(&argv, "--version"); /* should it not take the library */
  mpl_args_addf(&variables, "LD_PRELOAD=%s", process->warmth.preload);
  mpl_args_add(&variables, "LD_BIND_NOW=1"); /* once, instead of in each of its forks */
  mpl_args_addf(&variables, MPL_WARM_VARIABLE "=%llu %llu %llu",
                (unsigned long long)process->warmth.seconds, (unsigned long long)file.st_dev,
                (unsigned long long)file.st_ino);
  if (process->warmth.library)
    mpl_args_addf(&variables, MPL_WARM_LIBRARY "=%s", process->warmth.library);
  waiting.variables = (const char *const *)variables.list;
  bool failed = argv.failed || variables.failed;
  int error = failed ? ENOMEM : mpl_keeper_start(&waiting, &argv, keeper);
  mpl_args_free(&argv);
  mpl_args_free(&variables);
  close(null);
  return error;
}

static bool start(struct helper *helper, const struct mpl_process *process,
                  const struct mpl_process_state *state) {
  int ends[2];
  struct stat status;
  let_go(helper);
  helper->in_vain = helper->tried && helper->served <= 1 ? helper->in_vain + 1 : 0;
  helper->served = helper->active = 0;
  helper->useless = helper->in_vain > MOST_IN_VAIN;
  if (helper->useless) return false;
  helper->tried = true;
  mpl_keepers_reap(0);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return false;
  int error = fstat(ends[0], &status) ? errno : 0;
  if (!error) error = start_with(process, helper->tool, ends[1], &helper->keeper);
  close(ends[1]);
  if (error) { /* it may be possible later, unless the kernel cannot do it at all */
    close(ends[0]);
    helper->useless = error == ENOSYS || error == EINVAL || error == EPERM;
    return false;
  }
  helper->socket = ends[0];
  helper->device = status.st_dev;
  helper->number = status.st_ino;
  helper->owner = getpid();
  helper->state = *state;
  return true;
}

/* --- Requests --- */

/* The strings of both lists, each with its 0; null if there is no room. */
static char *join(struct mpl_warm_request *request, char *const *arguments, char *const *variables,
                  size_t *size) {
  char *text = malloc(MPL_WARM_REQUEST_MAX);
  size_t room = MPL_WARM_REQUEST_MAX - sizeof *request;
  char *const *lists[] = {arguments, variables};
  uint32_t *counts[] = {&request->num_arguments, &request->num_variables};
  *size = 0;
  for (int which = 0; which < 2 && text; which++)
    for (char *const *string = lists[which]; *string; string++) {
      size_t length = strlen(*string) + 1;
      if (length > room - *size || ++*counts[which] > MPL_WARM_STRINGS_MAX / 2) {
        free(text);
        return NULL;
      }
      memcpy(text + *size, *string, length);
      *size += length;
    }
  return text;
}

static bool send_message(int socket, struct mpl_warm_request *request, char *text, size_t size,
                         const int *files, int num_files) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(MPL_WARM_FILES_MAX * sizeof(int))] = {0};
  struct iovec parts[2] = {{request, sizeof *request}, {text, size}};
  struct msghdr message = {.msg_iov = parts,
                           .msg_iovlen = 2,
                           .msg_control = control,
                           .msg_controllen = CMSG_SPACE((size_t)num_files * sizeof(int))};
  struct cmsghdr *c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN((size_t)num_files * sizeof(int));
  memcpy(CMSG_DATA(c), files, (size_t)num_files * sizeof(int));
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)(sizeof *request + size);
}

struct asked {
  const struct mpl_process *process;
  struct mpl_warm_request request;
  char *text; /* that follows it */
  size_t size;
};

/* The pipe on which the answer comes, or -1. */
static int send_request(struct helper *helper, const struct asked *asked, int folder) {
  const struct mpl_process *process = asked->process;
  struct mpl_warm_request request = asked->request;
  int pipe[2], files[MPL_WARM_FILES_MAX], count = 0;
  int landlock = mpl_confine_files(&process->limits, process->files, process->num_files);
  if (landlock < -1 || pipe2(pipe, O_CLOEXEC)) {
    if (landlock >= 0) close(landlock);
    return -1;
  }
  request.has_landlock = landlock >= 0;
  files[count++] = pipe[1];
  files[count++] = folder;
  if (landlock >= 0) files[count++] = landlock;
  for (int i = 0; i < process->num_files; i++) files[count++] = process->files[i];
  bool sent = send_message(helper->socket, &request, asked->text, asked->size, files, count);
  close(pipe[1]);
  if (landlock >= 0) close(landlock);
  helper->active += sent;
  if (sent) return pipe[0];
  close(pipe[0]);
  return -1;
}

/* --- Answers --- */

/* False at the pipe's end, or if it takes too long. */
static bool read_answer(int pipe, uint64_t end, struct mpl_warm_answer *answer, bool *late) {
  for (;;) {
    uint64_t now = mpl_clock(), left = end > now ? (end - now) / 1000000 + 1 : 0;
    struct pollfd polled = {.fd = pipe, .events = POLLIN};
    int count = poll(&polled, 1, !end ? -1 : left < 1 << 30 ? (int)left : 1 << 30);
    *late = !count && !left;
    if (count < 0 && errno != EINTR) return false;
    if (*late) return false;
    if (count <= 0) continue;
    ssize_t size = read(pipe, answer, sizeof *answer);
    if (size < 0 && errno == EINTR) continue;
    return size == sizeof *answer;
  }
}

/* Whether the request was taken, and by whom: it is not sent again then. */
static bool was_taken(int pipe, unsigned timeout_seconds, pid_t *pid, bool *late) {
  struct mpl_warm_answer answer;
  unsigned seconds =
      timeout_seconds && timeout_seconds < START_SECONDS ? timeout_seconds : START_SECONDS;
  uint64_t end = mpl_clock() + seconds * UINT64_C(1000000000);
  if (!read_answer(pipe, end, &answer, late) || answer.is_end) return false;
  *pid = answer.value;
  return true;
}

/* The end of the started process; false if there is none. */
static bool read_end(int pipe, unsigned timeout_seconds, int *value, enum mpl_process_end *end,
                     bool *late) {
  struct mpl_warm_answer answer;
  uint64_t seconds = timeout_seconds ? timeout_seconds + GRACE_SECONDS : 0;
  uint64_t until = seconds ? mpl_clock() + seconds * 1000000000 : 0;
  if (read_answer(pipe, until, &answer, late)) {
    *end = (enum mpl_process_end)answer.end;
    *value = answer.value;
    return *end != MPL_NOT_STARTED;
  }
  *end = *late ? MPL_TIMED_OUT : MPL_KILLED; /* who waited for it is dead, and so is it */
  *value = *late ? MPL_OVER_CLOCK : SIGKILL;
  return true;
}

/* --- All of it --- */

/* Sends the request; the pipe, or -1.  With the lock. */
static int ask(struct helper *helper, const struct asked *asked, ino_t *number) {
  struct mpl_process_state state;
  char **environment = mpl_process_environment(NULL);
  bool known = environment && mpl_process_state_read(environment, &state);
  free(environment);
  if (!known) return -1;
  bool starts = helper->socket >= 0 && !helper->pid && helper->owner == getpid();
  if (starts) return -1; /* another thread's first request is on its way */
  int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC); /* without it nothing can be asked */
  if (folder < 0) return -1;
  int pipe = is_fit(helper, &state) ? send_request(helper, asked, folder) : -1;
  /* Else it may have gone, for it has waited long enough. */
  if (pipe < 0 && start(helper, asked->process, &state)) {
    pipe = send_request(helper, asked, folder);
    helper->useless = pipe < 0;
  }
  close(folder);
  if (pipe < 0) let_go(helper);
  *number = helper->number;
  return pipe;
}

/* Has taken too long: the application ends it unless it is at work for another of its threads. */
static void give_up(struct helper *helper, ino_t number) {
  if (helper->number != number) return;
  if (helper->active <= 1) end_helper(helper);
  let_go(helper);
}

/* Its result; with the lock. */
static void learn(struct helper *helper, ino_t number, bool taken, bool late, pid_t pid) {
  bool same = helper->socket >= 0 && helper->number == number;
  if (late) give_up(helper, number);
  if (taken && same) {
    helper->pid = pid;
    helper->served++;
  }
  bool shared = !taken || helper->proved || mpl_process_state_shared(pid);
  helper->proved |= taken;
  if (taken && shared) return;
  if (same) let_go(helper);
  if (!taken && helper->proved) return; /* it may have gone in this moment */
  helper->useless = true;
  mpl_log(MPL_LOG_BUILD, "%s does not wait for programs: each starts its own", helper->tool);
}

static int begin(const struct asked *asked, const char *tool, struct helper **helper,
                 ino_t *number) {
  int pipe = -1;
  mpl_lock(&lock);
  *helper = find(tool);
  if (*helper && (*helper)->used && !(*helper)->useless) pipe = ask(*helper, asked, number);
  if (*helper) (*helper)->used = true;
  mpl_unlock(&lock);
  return pipe;
}

bool mpl_warm_run(const struct mpl_process *process, const struct mpl_args *argv,
                  unsigned timeout_seconds, int *value, enum mpl_process_end *end) {
  const struct mpl_warmth *warmth = &process->warmth;
  struct helper *helper;
  ino_t number = 0;
  pid_t pid = 0;
  bool hangs = false;
  if (!warmth->seconds || !warmth->preload || !*warmth->preload) return false;
  struct asked asked = {
      .process = process,
      .request = {.size = sizeof asked.request,
                  .num_files = process->num_files,
                  .timeout_seconds = timeout_seconds,
                  .memory = process->limits.memory,
                  .seconds = process->limits.seconds,
                  .reading = process->limits.reading,
                  .reads_until = process->limits.reads_until},
  };
  asked.request.has_cpus = !sched_getaffinity(0, sizeof asked.request.cpus, &asked.request.cpus);
  char **environment = mpl_process_environment(process->variables);
  if (environment) asked.text = join(&asked.request, argv->list, environment, &asked.size);
  int pipe = asked.text ? begin(&asked, argv->list[0], &helper, &number) : -1;
  free(environment);
  free(asked.text);
  if (pipe < 0) return false;
  bool taken = was_taken(pipe, timeout_seconds, &pid, &hangs);
  mpl_lock(&lock);
  learn(helper, number, taken, hangs, pid);
  mpl_unlock(&lock);
  bool ended = taken && read_end(pipe, timeout_seconds, value, end, &hangs);
  mpl_lock(&lock);
  if (taken && hangs) give_up(helper, number);
  if (helper->number == number && helper->active) helper->active--;
  mpl_unlock(&lock);
  close(pipe);
  return ended;
}

/* What waits ends when its socket does, and is waited for: whoever has started the application sees
 * all of its processor time, and process 1 none of its processes. */
__attribute__((destructor)) static void end_all(void) {
  bool busy = false;
  mpl_lock(&lock);
  for (int i = 0; i < MAX_HELPERS; i++) {
    busy |= helpers[i].active && helpers[i].owner == getpid();
    if (helpers[i].tool) let_go(&helpers[i]);
  }
  mpl_unlock(&lock);
  mpl_keepers_reap(busy ? 0 : MOST_AT_END);
}
