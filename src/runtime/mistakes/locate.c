/* From return addresses to places in the source: by addr2line, which is asked once for each place.
 * That is slow, but there are few mistakes. */
#include "runtime/mistakes/locate.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/threads/fork.h"

enum { MOST_CALLERS = sizeof((struct mpl_trace *)0)->at / sizeof(void *) };

extern char **environ;

/* A question: addresses in one object, the innermost first. */
struct question {
  const char *object;
  const char *base;
  int count;
  const void *at[MOST_CALLERS];
};

/* --- Answers are kept --- */

struct answer {
  struct answer *next;
  struct question question;
  struct mpl_site site;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct answer *) answers;

static bool same_question(const struct question *a, const struct question *b) {
  return a->count == b->count && !memcmp(a->at, b->at, (size_t)a->count * sizeof *a->at);
}

/* --- Asking --- */

/* The addresses as the file has them: a position-independent one begins at 0. */
static uintptr_t address_in_file(const struct question *q, const void *at) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)q->base;
  uintptr_t address = (uintptr_t)at;
  return header->e_type == ET_DYN ? address - (uintptr_t)q->base : address;
}

/* Runs addr2line; returns the stream of its output, or null. */
static FILE *ask(const struct question *q, pid_t *child) {
  char text[MOST_CALLERS][24];
  char *arguments[MOST_CALLERS + 5] = {"addr2line", "-i", "-e", (char *)q->object};
  for (int i = 0; i < q->count; i++) {
    snprintf(text[i], sizeof text[i], "%#lx", (unsigned long)address_in_file(q, q->at[i]));
    arguments[4 + i] = text[i];
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return NULL;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *out = error ? NULL : fdopen(ends[0], "r");
  if (!out) close(ends[0]);
  return out;
}

/* Whether a line "FILE:LINE" or "FILE:LINE (discriminator 2)" says where the program is. */
static bool read_place(char *text, struct mpl_site *site) {
  char *colon = strrchr(text, ':');
  unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
  if (!line) return false;
  *colon = 0;
  if (text[0] == '?' || strstr(text, "/include/sycl/") || strstr(text, "/include/maniple/") ||
      strstr(text, "/include/c++/"))
    return false;
  *site = (struct mpl_site){.file = strdup(text), .line = (uint32_t)line};
  return true;
}

static struct mpl_site find(const struct question *q) {
  struct mpl_site site = {0};
  pid_t child;
  FILE *out = q->count && q->object ? ask(q, &child) : NULL;
  if (!out) return site;
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, out) > 0)
    if (!site.line) read_place(line, &site);
  free(line);
  fclose(out);
  waitpid(child, NULL, 0);
  return site;
}

static struct mpl_site answer(const struct question *q) {
  pthread_mutex_lock(&lock);
  struct answer *known = answers;
  while (known && !same_question(&known->question, q)) known = known->next;
  if (!known && (known = malloc(sizeof *known))) {
    *known = (struct answer){answers, *q, find(q)};
    answers = known; /* whole, for a child of fork() */
  }
  struct mpl_site site = known ? known->site : (struct mpl_site){0};
  pthread_mutex_unlock(&lock);
  return site;
}

/* fork() does not wait for it: it is held as long as addr2line runs.  */
void mpl_locate_after_fork(void) {
  pthread_mutex_init(&lock, NULL);
}

/* --- Questions --- */

/* False if it is in another object than those before. */
static bool add(struct question *q, const void *code) {
  Dl_info info;
  if (!dladdr(code, &info) || !info.dli_fname) return false;
  if (q->count && strcmp(q->object, info.dli_fname) != 0) return false;
  q->object = info.dli_fname;
  q->base = info.dli_fbase;
  q->at[q->count++] = code;
  return true;
}

struct mpl_site mpl_locate(const void *code) {
  struct question q = {0};
  add(&q, code);
  return answer(&q);
}

struct mpl_site mpl_locate_anew(const void *code) {
  struct question q = {0};
  add(&q, code);
  return find(&q);
}

struct mpl_site mpl_locate_chain(const void *const *code, unsigned count) {
  struct question q = {0};
  for (unsigned i = 0; i < count && code[i]; i++)
    if (!add(&q, code[i])) break;
  return answer(&q);
}

bool mpl_is_c_library(const char *object) {
  return strstr(object, "/libc.so") || strstr(object, "/ld-musl");
}

static bool is_own(const void *code) {
  Dl_info own, info;
  return dladdr((void *)mpl_locate, &own) && dladdr(code, &info) && info.dli_fbase == own.dli_fbase;
}

/* Nobody looks for a mistake there, if it has line numbers: the C library, and what loads drivers. */
static bool is_beneath(const void *code) {
  Dl_info info;
  return dladdr(code, &info) && info.dli_fname &&
         (mpl_is_c_library(info.dli_fname) || strstr(info.dli_fname, "/libOpenCL"));
}

/* The first may be a sanitizer's `backtrace`, in the program. */
void mpl_trace_take(struct mpl_trace *callers) {
  void *found[MOST_CALLERS];
  int count = backtrace(found, MOST_CALLERS), i = 0;
  while (i < count && !is_own(found[i])) i++;
  while (i < count && is_own(found[i])) i++;
  callers->count = 0; /* what one returns to is behind the call */
  for (; i < count; i++) callers->at[callers->count++] = (const char *)found[i] - 1;
}

/* One object after another. */
struct mpl_site mpl_locate_trace(const struct mpl_trace *callers) {
  struct mpl_site site = {0};
  for (int i = 0; i < callers->count && !site.line;) {
    struct question q = {0};
    while (i < callers->count && !is_own(callers->at[i]) && !is_beneath(callers->at[i]) &&
           add(&q, callers->at[i]))
      i++;
    if (q.count)
      site = answer(&q);
    else
      i++;
  }
  return site;
}

struct mpl_site mpl_locate_caller(void) {
  struct mpl_trace callers;
  mpl_trace_take(&callers);
  return mpl_locate_trace(&callers);
}
