/* Messages: collected by (check, place), printed once each, counted. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/memory/shadow.h"
#include "progress.h"
#include "runtime/options.h"
#include "runtime/print/write_all.h"
#include "summary.h"

static const struct {
  const char *name, *help;
} checks[] = {
#define MPL_CHECK(id, name, finds, help) {name, help},
#include "tables/checks.def"
#undef MPL_CHECK
};

struct note {
  struct note *next;
  struct mpl_place place;
  char *text;
};

struct mpl_report {
  struct mpl_report *next;
  enum mpl_check check;
  struct mpl_place place;
  char *message, *where;
  const char *help;
  struct note *notes, **last_note;
  uint64_t count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_report *reports, **last = &reports;
static uint64_t total;

/* --- Where it goes: MANIPLE_CHECK_REPORT is text or json, and a path may follow a colon --- */

static bool as_json;
static int output = STDERR_FILENO;

static void read_option(void) {
  const char *text = mpl_option_text(MPL_OPTION_CHECK_REPORT), *colon = strchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  as_json = length == 4 && !memcmp(text, "json", 4);
  if (length && !as_json && (length != 4 || memcmp(text, "text", 4)))
    fprintf(stderr, "maniple: MANIPLE_CHECK_REPORT does not know \"%.*s\" (%s)\n", (int)length,
            text, mpl_options()[MPL_OPTION_CHECK_REPORT].values);
  if (!colon) return;
  int file = open(colon + 1, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file >= 0)
    output = file;
  else
    fprintf(stderr, "maniple: cannot write MANIPLE_CHECK_REPORT=%s: %s\n", text, strerror(errno));
}

static bool is_json(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_option);
  return as_json;
}

/* There is nobody to tell that it cannot be written. */
static void put(const char *text, size_t size) {
  mpl_check_progress_clear();
  (void)mpl_write_all(output, text, size);
}

/* --- Text --- */

static void print_place(FILE *out, const struct mpl_place *place) {
  if (!place->line) return;
  fprintf(out, "%s:%u:", place->file ? place->file : "?", place->line);
  if (place->column) fprintf(out, "%u:", place->column);
  fputc(' ', out);
}

/* A line of a file without its end, or null; to be freed. */
static char *read_line(const char *name, uint32_t number) {
  FILE *file = fopen(name, "re");
  if (!file) return NULL;
  char *line = NULL;
  size_t room = 0;
  ssize_t length = -1;
  for (uint32_t i = 0; i < number; i++)
    if ((length = getline(&line, &room, file)) < 0) break;
  fclose(file);
  if (length < 0) {
    free(line);
    return NULL;
  }
  if (length > 0 && line[length - 1] == '\n') line[length - 1] = 0;
  return line;
}

/* The line of the source, if it is known, and a caret. */
static void print_source(FILE *out, const struct mpl_place *place) {
  char *line = NULL;
  if (place->text)
    line = strdup(place->text);
  else if (place->line && place->file)
    line = read_line(place->file, place->line);
  if (!line) return;
  fprintf(out, "%5u | %s\n", place->line, line);
  if (place->column && place->column <= strlen(line)) {
    fputs("      | ", out);
    for (uint32_t i = 0; i + 1 < place->column; i++) fputc(line[i] == '\t' ? '\t' : ' ', out);
    fputs("^\n", out);
  }
  free(line);
}

static bool same_line(const struct mpl_place *a, const struct mpl_place *b) {
  return a->line == b->line &&
         (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

static void print_text(const struct mpl_report *report) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return;
  print_place(out, &report->place);
  fprintf(out, "error: %s [%s]\n", report->message, checks[report->check].name);
  if (report->where) fprintf(out, "  %s\n", report->where);
  print_source(out, &report->place);
  for (const struct note *note = report->notes; note; note = note->next) {
    print_place(out, &note->place);
    fprintf(out, "note: %s\n", note->text);
    if (!same_line(&note->place, &report->place)) print_source(out, &note->place);
  }
  fprintf(out, "help: %s\n", report->help);
  if (!fclose(out)) put(text, size);
  free(text);
}

/* --- JSON: one object on a line --- */

/* Bytes of the UTF-8 character there (RFC 3629), or 0 if it is none. */
static unsigned character_size(const unsigned char *at) {
  static const struct {
    unsigned char first, last, low, high; /* first byte; range of the second */
    unsigned size;
  } forms[] = {
      {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
  };
  unsigned form = 0, count = sizeof forms / sizeof *forms;
  while (form < count && (*at < forms[form].first || *at > forms[form].last)) form++;
  if (form == count) return 0;
  if (forms[form].size > 1 && (at[1] < forms[form].low || at[1] > forms[form].high)) return 0;
  for (unsigned i = 2; i < forms[form].size; i++)
    if ((at[i] & 0xc0) != 0x80) return 0;
  return forms[form].size;
}

/* JSON is UTF-8; names of files may be anything. */
static void print_string(FILE *out, const char *name, const char *text) {
  fprintf(out, "\"%s\":\"", name);
  for (unsigned size; *text; text += size ? size : 1) {
    unsigned char c = (unsigned char)*text;
    size = character_size((const unsigned char *)text);
    if (!size)
      fputs("\\ufffd", out);
    else if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fwrite(text, size, 1, out);
  }
  fputc('"', out);
}

static void print_json_place(FILE *out, const struct mpl_place *place) {
  if (!place->line) return;
  print_string(out, "file", place->file ? place->file : "");
  fprintf(out, ",\"line\":%u,", place->line);
  if (place->column) fprintf(out, "\"column\":%u,", place->column);
}

static void print_json(const struct mpl_report *report) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return;
  fputc('{', out);
  print_string(out, "check", checks[report->check].name);
  fputc(',', out);
  print_json_place(out, &report->place);
  print_string(out, "message", report->message);
  if (report->where) {
    fputc(',', out);
    print_string(out, "where", report->where);
  }
  fprintf(out, ",\"count\":%llu,\"notes\":[", (unsigned long long)report->count);
  for (const struct note *note = report->notes; note; note = note->next) {
    fputc('{', out);
    print_json_place(out, &note->place);
    print_string(out, "message", note->text);
    fputs(note->next ? "}," : "}", out);
  }
  fputs("],", out);
  print_string(out, "help", report->help);
  fputs("}\n", out);
  if (!fclose(out)) put(text, size);
  free(text);
}

/* --- Collecting --- */

static char *format_text(const char *format, va_list list) {
  char *text = NULL;
  return vasprintf(&text, format, list) < 0 ? NULL : text;
}

static bool same_place(const struct mpl_place *a, const struct mpl_place *b) {
  return same_line(a, b) && a->column == b->column;
}

/* Places may be gone with their program. */
static struct mpl_place copy_place(const struct mpl_place *place) {
  struct mpl_place copy = {.line = place->line, .column = place->column};
  if (place->file) copy.file = strdup(place->file);
  if (place->text) copy.text = strdup(place->text);
  return copy;
}

/* But for numbers: of work-items, and of bytes. */
static bool is_same_text(const char *a, const char *b) {
  static const char numbers[] = "0123456789(), -.";
  for (;; a++, b++) {
    a += strspn(a, numbers);
    b += strspn(b, numbers);
    if (*a != *b) return false;
    if (!*a) return true;
  }
}

/* Where nothing of a place is known, what is said has to tell them apart. */
static bool is_same(const struct mpl_report *report, enum mpl_check check,
                    const struct mpl_place *place, const char *message) {
  return report->check == check && same_place(&report->place, place) &&
         (place->line || place->file || is_same_text(report->message, message));
}

/* Counts it; whether it was there before. */
static bool count_again(enum mpl_check check, const struct mpl_place *place, const char *message) {
  total++;
  mpl_report_counted();
  for (struct mpl_report *old = reports; old; old = old->next) {
    if (!is_same(old, check, place, message)) continue;
    old->count++;
    return true;
  }
  return false;
}

struct mpl_report *mpl_report_begin(enum mpl_check check, const struct mpl_place *place,
                                    const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *message = format_text(format, list);
  va_end(list);
  pthread_mutex_lock(&lock);
  struct mpl_report *report = NULL;
  if (message && !count_again(check, place, message)) report = calloc(1, sizeof *report);
  if (!report) {
    pthread_mutex_unlock(&lock);
    free(message);
    return NULL;
  }
  report->message = message;
  report->check = check;
  report->help = checks[check].help;
  report->place = copy_place(place);
  report->count = 1;
  report->last_note = &report->notes;
  *last = report;
  last = &report->next;
  return report;
}

void mpl_report_where(struct mpl_report *report, const char *format, ...) {
  va_list list;
  va_start(list, format);
  report->where = format_text(format, list);
  va_end(list);
}

void mpl_report_note(struct mpl_report *report, const struct mpl_place *place, const char *format,
                     ...) {
  struct note *note = calloc(1, sizeof *note);
  if (!note) return;
  va_list list;
  va_start(list, format);
  note->text = format_text(format, list);
  va_end(list);
  if (!note->text) {
    free(note);
    return;
  }
  if (place) note->place = copy_place(place);
  *report->last_note = note;
  report->last_note = &note->next;
}

void mpl_report_help(struct mpl_report *report, const char *help) {
  report->help = help;
}

void mpl_report_end(struct mpl_report *report) {
  if (!is_json()) print_text(report);
  pthread_mutex_unlock(&lock);
}

/* --- Remarks --- */

static struct remark {
  struct remark *next;
  struct mpl_place place;
} * remarks;

static bool is_new_remark(const struct mpl_place *place) {
  for (const struct remark *old = remarks; old; old = old->next)
    if (same_place(&old->place, place)) return false;
  struct remark *remark = malloc(sizeof *remark);
  if (!remark) return false;
  *remark = (struct remark){remarks, copy_place(place)};
  remarks = remark;
  return true;
}

static void print_remark(const struct mpl_place *place, const char *kernel, const char *message) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return;
  print_place(out, place);
  fprintf(out, "note: %s\n  kernel %s\n", message, kernel);
  print_source(out, place);
  if (!fclose(out)) put(text, size);
  free(text);
}

void mpl_report_remark(const struct mpl_place *place, const char *kernel, const char *format, ...) {
  if (is_json()) return;
  pthread_mutex_lock(&lock);
  if (is_new_remark(place)) {
    va_list list;
    va_start(list, format);
    char *message = format_text(format, list);
    va_end(list);
    if (message) print_remark(place, kernel, message);
    free(message);
  }
  pthread_mutex_unlock(&lock);
}

/* In the child: the parent reports the mistakes before the fork. */
void mpl_report_after_fork(void) {
  pthread_mutex_init(&lock, NULL);
  reports = NULL;
  remarks = NULL;
  last = &reports;
  total = 0;
  mpl_summary_after_fork();
}

uint64_t mpl_report_total(void) {
  pthread_mutex_lock(&lock);
  uint64_t n = total;
  pthread_mutex_unlock(&lock);
  return n;
}

/* "2 mistakes": a count and its noun. */
static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static int say_checked(char *line, size_t room, const struct mpl_counts *counts) {
  bool is_part = atomic_load(&mpl_shadow_was_full);
  bool silent = counts->no_turns && !counts->mistakes;
  return snprintf(line, room, "%llu launch%s of %llu work-item%s checked%s%s",
                  (unsigned long long)counts->launches, counts->launches == 1 ? "" : "es",
                  (unsigned long long)counts->items, plural(counts->items),
                  is_part ? ", races in a part of the memory only" : "",
                  silent ? ", but not in which iterations of loops they met "
                           "(`maniple c++` and `maniple cc` count them)"
                         : "");
}

void mpl_report_finish(const struct mpl_counts *counts) {
  pthread_mutex_lock(&lock);
  uint64_t different = 0;
  for (const struct mpl_report *report = reports; report; report = report->next, different++)
    if (is_json()) print_json(report);
  char line[320], checked[240];
  int length = 0;
  say_checked(checked, sizeof checked, counts);
  if (!is_json() && total)
    length = snprintf(line, sizeof line, "maniple: %llu mistake%s found, %llu time%s in all; %s\n",
                      (unsigned long long)different, plural(different), (unsigned long long)total,
                      plural(total), checked);
  else if (!is_json() && mpl_option_number(MPL_OPTION_CHECK))
    length = snprintf(line, sizeof line, "maniple: %s: no mistakes found\n", checked);
  if (length > 0) put(line, (size_t)length);
  pthread_mutex_unlock(&lock);
}
