/* Requests: the reading from the socket, and the changes by which a fork becomes the requested
 * process. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "toolchain/process/confine.h"
#include "warm.h"

/* Those that came with the message; false if some have been lost. */
static bool take_descriptors(struct msghdr *message, int *list, int *count) {
  *count = 0;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    *count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(list, CMSG_DATA(c), (size_t)*count * sizeof(int));
  }
  return !(message->msg_flags & (MSG_CTRUNC | MSG_TRUNC));
}

static void close_all(const int *list, int count) {
  for (int i = 0; i < count; i++) close(list[i]);
}

/* The descriptors in the order in which they are sent. */
static bool sort_descriptors(struct mpl_warm_job *job, const int *list, int count) {
  const struct mpl_warm_request *request = &job->request;
  int at = 0;
  if (request->num_files < 0 || request->num_files > MPL_PROCESS_FILES ||
      (request->reading &&
       (request->reads_until < 0 || request->reads_until >= request->num_files)) ||
      count != 2 + (request->has_landlock != 0) + request->num_files)
    return false;
  job->answer = list[at++];
  job->folder = list[at++];
  job->landlock = request->has_landlock ? list[at++] : -1;
  for (int i = 0; i < request->num_files; i++) job->files[i] = list[at++];
  return true;
}

/* Cuts the text into its strings. */
static bool cut_strings(struct mpl_warm_job *job, size_t size) {
  const struct mpl_warm_request *request = &job->request;
  size_t count = (size_t)request->num_arguments + request->num_variables;
  if (!request->num_arguments || count > MPL_WARM_STRINGS_MAX || !size || job->text[size - 1])
    return false;
  char **list = calloc(count + 2, sizeof *list);
  if (!list) return false;
  job->arguments = list;
  job->variables = list + request->num_arguments + 1;
  char *at = job->text, *end = job->text + size;
  for (size_t i = 0; i < count && at < end; i++) {
    list[i + (i >= request->num_arguments)] = at;
    at += strlen(at) + 1;
  }
  return at == end && (!request->num_variables || job->variables[request->num_variables - 1]);
}

enum mpl_warm_received mpl_warm_receive(int socket, struct mpl_warm_job *job) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(MPL_WARM_FILES_MAX * sizeof(int))];
  int list[MPL_WARM_FILES_MAX + 1], count;
  *job = (struct mpl_warm_job){.answer = -1, .text = malloc(MPL_WARM_REQUEST_MAX)};
  if (!job->text) return MPL_WARM_CLOSED;
  struct iovec parts[2] = {{&job->request, sizeof job->request}, {job->text, MPL_WARM_REQUEST_MAX}};
  struct msghdr message = {
      .msg_iov = parts, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t size;
  do size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  if (size <= 0) {
    mpl_warm_job_free(job);
    return MPL_WARM_CLOSED;
  }
  job->size = (size_t)size > sizeof job->request ? (size_t)size - sizeof job->request : 0;
  bool good = take_descriptors(&message, list, &count) && job->size &&
              job->request.size == sizeof job->request && sort_descriptors(job, list, count) &&
              cut_strings(job, job->size);
  if (good) return MPL_WARM_JOB;
  close_all(list, count);
  job->answer = -1;
  mpl_warm_job_free(job);
  return MPL_WARM_NOTHING;
}

void mpl_warm_job_free(struct mpl_warm_job *job) {
  if (job->answer >= 0) {
    close(job->folder);
    if (job->landlock >= 0) close(job->landlock);
    close_all(job->files, job->request.num_files);
  }
  free(job->arguments);
  explicit_bzero(job->text, job->size); /* later forks, of other requests, have this memory too */
  free(job->text);
}

static void close_from(int first) {
#ifdef SYS_close_range
  if (!syscall(SYS_close_range, first, ~0u, 0)) return;
#endif
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) _exit(127);
  int end = limit.rlim_cur < 1 << 16 ? (int)limit.rlim_cur : 1 << 16;
  for (int fd = first; fd < end; fd++) close(fd);
}

/* The application then starts the tool itself. */
static __attribute__((noreturn)) void not_started(int answer) {
  struct mpl_warm_answer text = {.is_end = true, .end = MPL_NOT_STARTED, .value = errno};
  (void)!write(answer, &text, sizeof text);
  _exit(127);
}

struct mpl_limits mpl_warm_limits(const struct mpl_warm_request *request) {
  return (struct mpl_limits){.memory = request->memory,
                             .seconds = request->seconds,
                             .reading = request->reading,
                             .reads_until = request->reads_until};
}

void mpl_warm_become(const struct mpl_warm_job *job, pid_t parent) {
  const struct mpl_warm_request *request = &job->request;
  const struct mpl_limits limits = mpl_warm_limits(request);
  int num_files = request->num_files, high[MPL_PROCESS_FILES], landlock = -1;
  cpu_set_t own;
  sigset_t kept;
  int answer = fcntl(job->answer, F_DUPFD_CLOEXEC, request->num_files);
  bool good =
      answer >= 0 && !setpgid(0, 0) && !fchdir(job->folder) && signal(SIGPIPE, SIG_DFL) != SIG_ERR;
  if (request->has_cpus &&
      (sched_getaffinity(0, sizeof own, &own) || !CPU_EQUAL(&own, &request->cpus)))
    good = good && !sched_setaffinity(0, sizeof request->cpus, &request->cpus);
  /* Above all places that the files go to, so that no dup2 hits one of them. */
  if (job->landlock >= 0) {
    landlock = fcntl(job->landlock, F_DUPFD_CLOEXEC, num_files);
    good = good && landlock >= 0;
  }
  for (int i = 0; i < num_files; i++) {
    high[i] = fcntl(job->files[i], F_DUPFD_CLOEXEC, num_files);
    good = good && high[i] >= 0;
  }
  for (int i = 0; i < num_files && good; i++) good = dup2(high[i], i) == i;
  if (!good) not_started(answer >= 0 ? answer : job->answer);
  (void)sigemptyset(&kept);
  (void)sigaddset(&kept, SIGXFSZ); /* as of a process that the application starts */
  (void)sigprocmask(SIG_SETMASK, &kept, NULL);
  mpl_confine(&limits, landlock);
  close_from(num_files);
  if (getppid() != parent) _exit(127);
}
