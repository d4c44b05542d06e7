/* Colours and progress, on terminals. */
#include "cli/terminal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/clock.h"

static const char *const codes[] = {[MPL_RED] = "\033[1;31m",
                                    [MPL_GREEN] = "\033[32m",
                                    [MPL_MAGENTA] = "\033[1;35m",
                                    [MPL_BOLD] = "\033[1m"};

static bool is_terminal(FILE *file) {
  const char *kind = getenv("TERM");
  return isatty(fileno(file)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

static bool has_colours(FILE *file) {
  const char *none = getenv("NO_COLOR");
  return (!none || !*none) && is_terminal(file);
}

void mpl_put_coloured(FILE *file, enum mpl_colour colour, const char *text) {
  bool coloured = has_colours(file);
  fprintf(file, "%s%s%s", coloured ? codes[colour] : "", text, coloured ? "\033[0m" : "");
}

/* The first such word of a line: at its beginning, or behind "file:line:column: ". */
static const char *find_level(const char *line, size_t length, enum mpl_colour *colour,
                              size_t *size) {
  static const struct {
    const char *word;
    enum mpl_colour colour;
  } levels[] = {{"fatal error:", MPL_RED},
                {"error:", MPL_RED},
                {"warning:", MPL_MAGENTA},
                {"note:", MPL_BOLD}};
  for (const char *at = line; at < line + length; at++) {
    if (at != line && (at[-1] != ' ' || at - line < 2 || at[-2] != ':')) continue;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
      *size = strlen(levels[i].word);
      *colour = levels[i].colour;
      if (!strncmp(at, levels[i].word, *size)) return at;
    }
  }
  return NULL;
}

void mpl_put_log(FILE *file, const char *log) {
  while (*log) {
    size_t length = strcspn(log, "\n"), size = 0;
    enum mpl_colour colour = MPL_BOLD;
    char word[16];
    const char *level = find_level(log, length, &colour, &size);
    if (level) {
      fprintf(file, "%.*s", (int)(level - log), log);
      snprintf(word, sizeof word, "%.*s", (int)size, level);
      mpl_put_coloured(file, colour, word);
      length -= (size_t)(level - log) + size;
      log = level + size;
    }
    fprintf(file, "%.*s\n", (int)length, log);
    log += length + (log[length] == '\n');
  }
}

static bool shown; /* there is a line to clear */
static uint64_t last_shown;

bool mpl_shows_progress(void) {
  return is_terminal(stderr);
}

bool mpl_progress_is_due(void) {
  enum { INTERVAL = 100000000 }; /* ns */
  return mpl_shows_progress() && mpl_clock() - last_shown >= INTERVAL;
}

void mpl_progress_clear(void) {
  if (shown) fputs("\r\033[K", stderr);
  shown = false;
}

/* A line that is longer than the terminal is wide could not be cleared. */
void mpl_progress(const char *format, ...) {
  enum { WIDTH = 80 };
  char line[256];
  struct winsize window;
  va_list args;
  if (!mpl_shows_progress()) return;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  bool unknown = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) || !window.ws_col;
  size_t width = unknown ? WIDTH : window.ws_col;
  if (width <= sizeof line) line[width - 1] = 0;
  mpl_progress_clear();
  fputs(line, stderr);
  shown = true;
  last_shown = mpl_clock();
}
