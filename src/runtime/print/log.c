/* MANIPLE_DEBUG: which classes are wanted, and where the lines go. */
#include "runtime/print/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/options.h"

static const char *const class_names[] = {
    [MPL_LOG_ERROR] = "error",
    [MPL_LOG_BUILD] = "build",
    [MPL_LOG_CACHE] = "cache",
    [MPL_LOG_LAUNCH] = "launch",
};
enum { NUM_CLASSES = sizeof class_names / sizeof *class_names };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned wanted; /* bit per class; constant once read */
static int file = STDERR_FILENO;

static unsigned class_bits(const char *name, size_t length) {
  if (length == 3 && !memcmp(name, "all", 3)) return ~0u;
  for (unsigned i = 0; i < NUM_CLASSES; i++)
    if (strlen(class_names[i]) == length && !memcmp(name, class_names[i], length)) return 1u << i;
  if (length)
    fprintf(stderr, "maniple: MANIPLE_DEBUG does not know \"%.*s\" (%s)\n", (int)length, name,
            mpl_options()[MPL_OPTION_DEBUG].values);
  return 0;
}

static void start(void) {
  const char *path = mpl_option_text(MPL_OPTION_LOG);
  for (const char *list = mpl_option_text(MPL_OPTION_DEBUG); *list;) {
    size_t length = strcspn(list, ",; ");
    wanted |= class_bits(list, length);
    list += length + (list[length] != 0);
  }
  if (!*path) return;
  int opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (opened >= 0)
    file = opened;
  else
    fprintf(stderr, "maniple: cannot write MANIPLE_LOG=%s: %m\n", path);
}

bool mpl_log_wanted(enum mpl_log_class class) {
  pthread_once(&once, start);
  return wanted >> class & 1;
}

/* One write per line: lines of several threads and processes do not mix. */
static void put_line(const char *prefix, const char *format, va_list list) {
  char line[4096];
  int length = snprintf(line, sizeof line, "maniple: %s%s", prefix, *prefix ? ": " : "");
  int more = vsnprintf(line + length, sizeof line - (size_t)length, format, list);
  if (more < 0) return;
  length += more;
  if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
  if (line[length - 1] != '\n') line[length++] = '\n';
  for (int done = 0; done < length;) {
    ssize_t n = write(file, line + done, (size_t)(length - done));
    if (n <= 0) return;
    done += (int)n;
  }
}

void mpl_log(enum mpl_log_class class, const char *format, ...) {
  if (!mpl_log_wanted(class)) return;
  va_list list;
  va_start(list, format);
  put_line(class_names[class], format, list);
  va_end(list);
}

void mpl_log_always(const char *format, ...) {
  pthread_once(&once, start);
  va_list list;
  va_start(list, format);
  put_line("", format, list);
  va_end(list);
}
