/* The threads' buffers of events, and the file.
 *
 * Only its thread adds to a buffer, which is a list of chunks: at first they are kept, so that the
 * program does not wait for the disk; when there are many, they are written as soon as one is full.
 * Events are written and freed under `file_lock`: by the thread, also when it ends, and at the end
 * of the process.  A buffer whose thread has ended is taken over by the next new one. */
#include "runtime/trace/trace_buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/options.h"
#include "runtime/print/write_all.h"
#include "runtime/threads/lock.h"
#include "runtime/threads/threads.h"
#include "runtime/trace/trace.h"

enum {
  ROOM = 512,        /* events of a chunk */
  MOST_KEPT = 1024,  /* chunks: 50 MB */
  TEXT = 128 << 10,  /* of a write */
  LAST_WAIT = 2,     /* s that the end of the process waits for a thread that is writing */
  KNOWN_NAMES = 64,  /* of a thread; a power of two */
};

struct known_name {
  const char *name, *copy;
};

struct chunk {
  _Atomic(struct chunk *) next;
  unsigned written; /* under file_lock */
  atomic_uint count;
  struct mpl_trace_event events[ROOM];
};

struct buffer {
  struct buffer *next;
  atomic_bool used;
  pid_t thread;
  struct known_name names[KNOWN_NAMES];
  struct chunk *last;                     /* its thread's */
  _Atomic(struct chunk *) first;
};

struct name {
  struct name *next;
  char text[];
};

atomic_bool mpl_trace_on;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(struct buffer *) buffers; /* only ever pushed to */
static _Thread_local struct buffer *own;
static pthread_key_t key; /* for its destructor */

static pthread_mutex_t name_lock = PTHREAD_MUTEX_INITIALIZER;
static struct name *names;

static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static pid_t process;
static bool is_child, closed;
static atomic_uint num_kept; /* chunks */

/* --- The file --- */

/* The path with the process's number for %p; or, if `apart`, in front of its ending. */
static char *path_of(const char *path, bool apart) {
  char *result = NULL;
  const char *place = strstr(path, "%p"), *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  int length;
  if (place)
    length = asprintf(&result, "%.*s%d%s", (int)(place - path), path, (int)getpid(), place + 2);
  else if (!apart)
    return strdup(path);
  else if (dot && dot > (slash ? slash : path))
    length = asprintf(&result, "%.*s.%d%s", (int)(dot - path), path, (int)getpid(), dot);
  else
    length = asprintf(&result, "%s.%d", path, (int)getpid());
  return length < 0 ? NULL : result;
}

/* A pipe without a reader must not keep the program, so nothing is waited for. */
static int open_path(const char *path) {
  struct stat is;
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644);
  if (fd < 0 || fstat(fd, &is)) return fd;
  if (S_ISREG(is.st_mode) || S_ISCHR(is.st_mode)) return fd;
  close(fd);
  errno = ENOTSUP;
  return -1;
}

/* All processes write to one device, such as /dev/null. */
static bool is_device(const char *path) {
  struct stat is;
  return !stat(path, &is) && S_ISCHR(is.st_mode);
}

/* A file that another process still writes is its own: this one's gets another name. */
static int open_trace(const char *option) {
  bool shared = is_device(option);
  char *path = path_of(option, is_child && !shared);
  int fd = path ? open_path(path) : -1;
  if (fd >= 0 && !shared && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
    close(fd);
    free(path);
    path = path_of(option, true);
    fd = path ? open_path(path) : -1;
  }
  if (fd >= 0)
    (void)!ftruncate(fd, 0); /* not of a terminal */
  else
    fprintf(stderr, "maniple: cannot write MANIPLE_TRACE=%s: %s; nothing is traced\n", option,
            errno == ENOTSUP ? "it is no file" : strerror(errno));
  free(path);
  return fd;
}

static void give_up(void) {
  fprintf(stderr, "maniple: MANIPLE_TRACE: %m; the rest is not traced\n");
  atomic_store(&mpl_trace_on, false);
  close(file);
  file = -1;
}

static bool begin_file(void) {
  char text[MPL_TRACE_TEXT];
  process = getpid();
  file = open_trace(mpl_option_text(MPL_OPTION_TRACE));
  if (file < 0) return false;
  char *end = mpl_trace_text_process((uint64_t)process, program_invocation_short_name, text);
  if (mpl_write_all(file, text, (size_t)(end - text))) return true;
  give_up();
  return false;
}

/* Under file_lock: the part of the chunk that is not in the file yet. */
static void write_chunk(struct chunk *chunk, pid_t thread, char *text) {
  unsigned count = atomic_load_explicit(&chunk->count, memory_order_acquire);
  char *at = text;
  for (unsigned i = chunk->written; i < count && file >= 0; i++) {
    at = mpl_trace_text(&chunk->events[i], (uint64_t)process, (uint64_t)thread, at);
    if (text + TEXT - at >= MPL_TRACE_TEXT && i + 1 < count) continue;
    if (!mpl_write_all(file, text, (size_t)(at - text))) give_up();
    at = text;
  }
  chunk->written = count;
}

/* Nothing but the name of its thread. */
static bool is_bare(const struct buffer *buffer) {
  const struct chunk *first = buffer->first;
  return !first->next && atomic_load(&first->count) <= 1;
}

static void write_events(struct buffer *buffer) {
  if (file < 0 && (is_bare(buffer) || !is_child || !begin_file())) return;
  char *text = malloc(TEXT);
  for (struct chunk *c = atomic_load(&buffer->first); text && c; c = atomic_load(&c->next))
    write_chunk(c, buffer->thread, text);
  free(text);
}

/* Leaves one chunk, empty. */
static void drop_events(struct buffer *buffer) {
  struct chunk *next, *chunk = atomic_load(&buffer->first);
  for (; (next = atomic_load(&chunk->next)); chunk = next) {
    free(chunk);
    atomic_fetch_sub(&num_kept, 1);
  }
  chunk->written = 0;
  atomic_store(&chunk->count, 0);
  atomic_store(&buffer->first, chunk);
  buffer->last = chunk;
}

static void empty(struct buffer *buffer) {
  pthread_mutex_lock(&file_lock);
  if (!closed) write_events(buffer);
  drop_events(buffer);
  pthread_mutex_unlock(&file_lock);
}

/* --- Buffers --- */

static void thread_ends(void *data) {
  struct buffer *buffer = data;
  own = NULL;
  empty(buffer);
  atomic_store(&buffer->used, false);
}

static struct buffer *find_unused(void) {
  for (struct buffer *b = atomic_load(&buffers); b; b = b->next)
    if (!atomic_exchange(&b->used, true)) return b;
  struct buffer *b = calloc(1, sizeof *b);
  if (b) b->last = calloc(1, sizeof *b->last);
  if (!b || !b->last) {
    free(b);
    return NULL;
  }
  atomic_init(&b->first, b->last);
  atomic_init(&b->used, true);
  b->next = atomic_load(&buffers);
  while (!atomic_compare_exchange_weak(&buffers, &b->next, b)) continue;
  return b;
}

static __attribute__((noinline)) struct buffer *new_buffer(void) {
  struct buffer *buffer = find_unused();
  if (!buffer) return NULL;
  buffer->thread = gettid();
  pthread_setspecific(key, buffer);
  own = buffer;
  char given[16] = "thread"; /* the application's name for it */
  (void)pthread_getname_np(pthread_self(), given, sizeof given);
  const char *name = mpl_pool_current()           ? "maniple worker"
                     : buffer->thread == getpid() ? "main"
                                                  : mpl_trace_name(given);
  mpl_trace_record(&(struct mpl_trace_event){.kind = MPL_TRACE_THREAD, .name = name});
  return buffer;
}

static __attribute__((noinline)) void make_room(struct buffer *buffer) {
  struct chunk *chunk = NULL;
  if (atomic_fetch_add(&num_kept, 1) < MOST_KEPT) chunk = calloc(1, sizeof *chunk);
  if (chunk) {
    atomic_store(&buffer->last->next, chunk);
    buffer->last = chunk;
  } else {
    atomic_fetch_sub(&num_kept, 1);
    empty(buffer);
  }
}

void mpl_trace_record(const struct mpl_trace_event *event) {
  struct buffer *buffer = own ? own : new_buffer();
  if (!buffer) return;
  if (atomic_load_explicit(&buffer->last->count, memory_order_relaxed) == ROOM) make_room(buffer);
  struct chunk *chunk = buffer->last;
  unsigned count = atomic_load_explicit(&chunk->count, memory_order_relaxed);
  chunk->events[count] = *event;
  atomic_store_explicit(&chunk->count, count + 1, memory_order_release);
}

static const char *copy_of(const char *name) {
  mpl_lock(&name_lock);
  struct name *copy = names;
  while (copy && strcmp(copy->text, name) != 0) copy = copy->next;
  if (!copy && (copy = malloc(sizeof *copy + strlen(name) + 1))) {
    strcpy(copy->text, name);
    copy->next = names;
    names = copy;
  }
  mpl_unlock(&name_lock);
  return copy ? copy->text : "?";
}

/* The thread remembers the last ones by their addresses, which may be another's by now. */
const char *mpl_trace_name(const char *name) {
  struct buffer *buffer = own ? own : new_buffer();
  if (!buffer) return copy_of(name);
  struct known_name *known = &buffer->names[(uintptr_t)name / 8 % KNOWN_NAMES];
  if (known->name != name || strcmp(known->copy, name) != 0)
    *known = (struct known_name){name, copy_of(name)};
  return known->copy;
}

/* --- The process's life --- */

/* The file of the parent is the parent's, and so is what its threads have recorded.  Locks may have
 * been held by threads that are not here. */
static void in_child(void) {
  pthread_mutex_init(&name_lock, NULL);
  pthread_mutex_init(&file_lock, NULL);
  if (file >= 0) close(file); /* the parent still has it */
  file = -1;
  is_child = true;
  atomic_store(&buffers, own); /* others may be half changed */
  atomic_store(&num_kept, 0);
  if (!own) return;
  drop_events(own);
  own->next = NULL;
  atomic_store(&num_kept, 1);
  own->thread = getpid();
  mpl_trace_record(&(struct mpl_trace_event){.kind = MPL_TRACE_THREAD, .name = "main"});
}

/* After all that the application does at its end.  Threads that still run record what nobody
 * reads. */
__attribute__((destructor)) static void end_file(void) {
  struct timespec until;
  if (!mpl_tracing()) return;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += LAST_WAIT;
  if (pthread_mutex_timedlock(&file_lock, &until)) return;
  for (struct buffer *b = atomic_load(&buffers); b; b = b->next)
    write_events(b);
  if (file >= 0 && !mpl_write_all(file, "\n]\n", 3)) give_up();
  if (file >= 0) close(file);
  file = -1;
  closed = true;
  pthread_mutex_unlock(&file_lock);
}

static void start(void) {
  if (!*mpl_option_text(MPL_OPTION_TRACE)) return;
  if (pthread_key_create(&key, thread_ends) || !begin_file()) return;
  pthread_atfork(NULL, NULL, in_child);
  atomic_store(&mpl_trace_on, true);
}

bool mpl_trace_start(void) {
  pthread_once(&once, start);
  return mpl_tracing();
}
