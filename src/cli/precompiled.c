#include "cli/precompiled.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "runtime/print/write_all.h"
#include "toolchain/internals.h"

static const char sycl[] = "sycl/sycl.hpp";

enum match { WHOLE, START, VALUE };
enum use { HEADER, OUTPUT, ELSE, INPUT };

/* What a word of the user's is for; *value: so is the word behind it. */
static enum use use_of(const char *word, bool *value) {
  static const struct {
    const char *text;
    enum match match;
    enum use use;
  } rows[] = {
#define MPL_PRECOMPILED_WORD(text, match, use) {text, match, use},
#include "tables/precompiled.def"
  };
  *value = false;
  if (word[0] != '-') return word[0] == '@' ? ELSE : INPUT;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length = strlen(rows[i].text);
    if (strncmp(word, rows[i].text, length) || (word[length] && rows[i].match == WHOLE)) continue;
    *value = rows[i].match == VALUE && !word[length];
    return rows[i].use;
  }
  return ELSE;
}

static bool has_ending(const char *file, const char *const *endings, size_t count) {
  const char *point = strrchr(file, '.');
  for (size_t i = 0; i < count && point; i++)
    if (!strcmp(point, endings[i])) return true;
  return false;
}

/* An object or a library, or a source that begins with the header; *sources counts these. */
static bool is_fit_input(const char *file, size_t *sources) {
  static const char *const objects[] = {".o", ".a", ".so"};
  static const char *const cxx[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".CPP"};
  char text[65536];
  if (has_ending(file, objects, sizeof objects / sizeof *objects)) return true;
  if (!has_ending(file, cxx, sizeof cxx / sizeof *cxx)) return false;
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  if (length < 0) return false;
  text[length] = 0;
  ++*sources;
  return mpl_begins_with_sycl(text);
}

/* The words on which the header depends; false if the program is to be compiled without. */
static bool find_command(const struct mpl_cxx_line *line, char **command) {
  size_t count = 0, sources = 0;
  for (size_t i = 0; i < line->user; i++)
    if (strncmp(line->words[i], "-fpass-plugin=", 14)) command[count++] = line->words[i];
  for (size_t i = line->user; i < line->behind; i++) {
    bool value;
    enum use use = use_of(line->words[i], &value);
    if (use == ELSE || (use == INPUT && !is_fit_input(line->words[i], &sources))) return false;
    if (use == HEADER) command[count++] = line->words[i];
    if (value && ++i < line->behind && use == HEADER) command[count++] = line->words[i];
  }
  command[count] = NULL;
  return sources;
}

/* The columns of the terminal that gets clang's messages, 0 if it is none: clang, which sees a file
 * there, is told. */
static unsigned columns(void) {
  struct winsize size;
  const char *kind = getenv("TERM");
  if (!isatty(STDERR_FILENO) || !kind || !strcmp(kind, "dumb")) return 0;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

/* Runs clang; true if it ends well. */
static bool run(char **words, int messages) {
  int status;
  pid_t self = getpid();
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* who ends us means it */
    if (getppid() == self && dup2(messages, STDERR_FILENO) >= 0) execv(words[0], words);
    _exit(127);
  }
  if (child < 0) return false;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* What clang has said, unless it names the file of which the header was made: that is not the
 * user's. */
static bool say(int messages) {
  off_t length = lseek(messages, 0, SEEK_END);
  char *text = length < 0 ? NULL : calloc(1, (size_t)length + 1);
  bool good = text && pread(messages, text, (size_t)length, 0) == length &&
              !strstr(text, "<stdin>") && mpl_write_all(STDERR_FILENO, text, (size_t)length);
  free(text);
  return good;
}

bool mpl_cxx_precompiled(const struct mpl_cxx_line *line) {
  char file[PATH_MAX], width[32], *more[] = {"-include-pch", file, "-fcolor-diagnostics", width};
  char **words = mpl_need(calloc(line->count + 5, sizeof *words));
  int messages = -1;
  bool good = mpl_internals.options()[MPL_OPTION_PRECOMPILED].number && find_command(line, words) &&
              mpl_internals.precompiled(words, mpl_internals.tools()->attributes, sycl, file);
  if (good) messages = memfd_create("messages", MFD_CLOEXEC);
  if (messages >= 0) {
    size_t most = columns() ? 4 : 2;
    snprintf(width, sizeof width, "-fmessage-length=%u", columns());
    memcpy(words, line->words, line->user * sizeof *words);
    memcpy(words + line->user, more, most * sizeof *words);
    memcpy(words + line->user + most, line->words + line->user,
           (line->count - line->user + 1) * sizeof *words);
    good = run(words, messages) && say(messages);
    close(messages);
  }
  free(words);
  return good && messages >= 0;
}
