/* Reads the remarks and the source that they are about, and prints them as text. */
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

const struct mpl_fact mpl_facts[] = {
#define MPL_FACT(id, word, level, meaning) {word, meaning, MPL_LEVEL_##level},
#include "tables/facts.def"
};

/* --- reading --- */

static char *read_beside(const char *folder, const char *name, size_t *size) {
  char *path = mpl_need(malloc(strlen(folder) + strlen(name) + 2));
  sprintf(path, "%s/%s", folder, name);
  char *text = access(path, R_OK) ? NULL : mpl_read_file(path, size);
  free(path);
  return text;
}

/* The first line is what the session has put in front: #line 1 "NAME". */
static void read_lines(struct mpl_report *r) {
  static const char begin[] = "#line 1 \"";
  char *rest = r->source, *line;
  r->name = mpl_need(strdup("the source"));
  if (!strncmp(rest, begin, sizeof begin - 1) && (line = strsep(&rest, "\n"))) {
    free(r->name);
    r->name = mpl_need(strdup(line + sizeof begin - 1));
    char *end = strrchr(r->name, '"');
    if (end) *end = 0;
  }
  size_t room = 0;
  while (rest && (line = strsep(&rest, "\n"))) {
    if (!rest && !*line) break;
    if (r->num_lines == room)
      r->lines = mpl_need(realloc(r->lines, (room = 2 * room + 64) * sizeof *r->lines));
    line[strcspn(line, "\r")] = 0;
    r->lines[r->num_lines++] = line;
  }
}

static int fact_of(const char *word) {
  for (int k = 0; k < MPL_NUM_FACTS; k++)
    if (!strcmp(mpl_facts[k].word, word)) return k;
  return -1;
}

/* "TEXT [-Rpass=maniple-PASS:KERNEL:WORD]", or of LLVM's vectorisers "[-Rpass=loop-vectorize]". */
static bool read_remark(struct mpl_remark *remark, char *text) {
  char *name = strstr(text, " [-Rpass="), *end = name ? strrchr(name, ']') : NULL, *part;
  if (!end) return false;
  *name = *end = 0;
  name += strlen(" [-Rpass=");
  part = strsep(&name, ":");
  bool ours = !strncmp(part, "maniple-", 8);
  if (ours ? !name : strncmp(text, "vectorized", 10) && !strstr(text, "Vectorized")) return false;
  *remark = (struct mpl_remark){.file = "", .kernel = "", .text = text, .fact = -1};
  if (ours) remark->kernel = strsep(&name, ":");
  if (name) remark->fact = fact_of(name);
  if (remark->fact >= 0) remark->level = mpl_facts[remark->fact].level;
  return true;
}

/* clang knows the place of a remark but not the text of the source, which came through a pipe: it
 * says so in a note on the next line. "FILE:LINE:COLUMN" */
static void read_place(struct mpl_remark *remark, char *place) {
  char *column = strrchr(place, ':');
  if (column) *column = 0;
  char *line = strrchr(place, ':');
  if (!line) return;
  *line = 0;
  remark->column = (unsigned)strtoul(column + 1, NULL, 10);
  remark->file = place;
  remark->line = (unsigned)strtoul(line + 1, NULL, 10);
}

static void read_remarks(struct mpl_report *r) {
  static const char note[] = "note: could not determine the original source location for ",
                    said[] = "remark: ";
  char *rest = r->text, *line, *before = NULL;
  size_t room = 0;
  while (rest && (line = strsep(&rest, "\n"))) {
    bool is_note = !strncmp(line, note, sizeof note - 1);
    if (is_note && before && !strncmp(before, said, sizeof said - 1)) {
      if (r->count == room)
        r->remarks = mpl_need(realloc(r->remarks, (room = 2 * room + 64) * sizeof *r->remarks));
      struct mpl_remark *remark = &r->remarks[r->count];
      if (read_remark(remark, before + sizeof said - 1)) {
        read_place(remark, line + sizeof note - 1);
        r->count++;
      }
    }
    before = is_note ? NULL : line;
  }
}

/* --- order --- */

static unsigned line_of_kernel(const struct mpl_report *r, const char *kernel) {
  for (size_t k = 0; k < r->count; k++)
    if (r->remarks[k].fact == MPL_FACT_KERNEL && !strcmp(r->remarks[k].kernel, kernel))
      return r->remarks[k].line;
  return 0;
}

/* LLVM's remarks name no kernel: it is the last one that begins before their line. */
static void find_kernels(struct mpl_report *r) {
  for (size_t k = 0; k < r->count; k++) {
    struct mpl_remark *remark = &r->remarks[k];
    unsigned nearest = 0;
    if (*remark->kernel) continue;
    for (size_t j = 0; j < r->count; j++) {
      const struct mpl_remark *other = &r->remarks[j];
      if (other->fact != MPL_FACT_KERNEL || other->line > remark->line || other->line < nearest)
        continue;
      nearest = other->line;
      remark->kernel = other->kernel;
    }
  }
}

static int compare_subjects(const struct mpl_report *r, const struct mpl_remark *x,
                            const struct mpl_remark *y) {
  const char *first, *second;
  size_t a = mpl_report_subject(r, x, &first), b = mpl_report_subject(r, y, &second);
  int order = strncmp(first, second, a < b ? a : b);
  return order ? order : a < b ? -1 : a > b;
}

static int compare(const void *a, const void *b, void *data) {
  const struct mpl_remark *x = a, *y = b;
  unsigned first = line_of_kernel(data, x->kernel), second = line_of_kernel(data, y->kernel);
  int order = first < second ? -1 : first > second;
  if (!order) order = strcmp(x->kernel, y->kernel);
  if (!order) order = mpl_is_about_kernel(y) - mpl_is_about_kernel(x);
  if (!order) order = strcmp(x->file, y->file);
  if (!order) order = x->line < y->line ? -1 : x->line > y->line;
  if (!order && !mpl_is_about_kernel(x)) order = (int)y->level - (int)x->level;
  if (!order) order = x->fact - y->fact;
  if (!order) order = compare_subjects(data, x, y);
  return order ? order : strcmp(x->text, y->text);
}

static void put_in_order(struct mpl_report *r) {
  struct mpl_report lines = *r; /* the kernels' lines are looked up while the remarks move */
  lines.remarks = mpl_need(malloc((r->count + 1) * sizeof *lines.remarks));
  if (r->count) {
    memcpy(lines.remarks, r->remarks, r->count * sizeof *lines.remarks);
    qsort_r(r->remarks, r->count, sizeof *r->remarks, compare, &lines);
  }
  size_t kept = 0;
  for (size_t k = 0; k < r->count; k++)
    if (!kept || compare(&r->remarks[kept - 1], &r->remarks[k], &lines))
      r->remarks[kept++] = r->remarks[k];
  r->count = kept;
  free(lines.remarks);
}

bool mpl_report_read(struct mpl_report *r, const char *folder) {
  size_t size;
  *r = (struct mpl_report){.source = read_beside(folder, "source.cl", &size)};
  r->text = r->source ? read_beside(folder, "remarks.txt", &size) : NULL;
  if (!r->text) {
    free(r->source);
    return false;
  }
  read_lines(r);
  read_remarks(r);
  find_kernels(r);
  put_in_order(r);
  return true;
}

void mpl_report_free(struct mpl_report *r) {
  free(r->name);
  free(r->lines);
  free(r->remarks);
  free(r->source);
  free(r->text);
}

size_t mpl_report_kernel_end(const struct mpl_report *r, size_t first) {
  size_t end = first;
  while (end < r->count && !strcmp(r->remarks[end].kernel, r->remarks[first].kernel)) end++;
  return end;
}

bool mpl_is_about_kernel(const struct mpl_remark *remark) {
  return remark->fact == MPL_FACT_KERNEL || remark->fact == MPL_FACT_WIDENED ||
         remark->fact == MPL_FACT_NOT_WIDENED;
}

size_t mpl_report_subject(const struct mpl_report *r, const struct mpl_remark *remark,
                          const char **name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const char *line = strcmp(remark->file, r->name) ? "" : mpl_report_line(r, remark->line);
  enum mpl_fact_id fact = (enum mpl_fact_id)remark->fact;
  *name = "";
  if (remark->fact < 0 || fact < MPL_FACT_WIDE || fact > MPL_FACT_SERIAL) return 0;
  if (!remark->column || remark->column > strlen(line)) return 0;
  *name = line + remark->column - 1;
  return **name >= '0' && **name <= '9' ? 0 : strspn(*name, letters);
}

const char *mpl_report_line(const struct mpl_report *r, unsigned line) {
  return line && line <= r->num_lines ? r->lines[line - 1] : "";
}

/* --- text --- */

static void print_kernel(FILE *out, const struct mpl_report *r, size_t first, size_t end) {
  const struct mpl_remark *last = NULL;
  bool named = false;
  fprintf(out, "\n%s", *r->remarks[first].kernel ? r->remarks[first].kernel : r->name);
  for (size_t k = first; k < end; k++) {
    const struct mpl_remark *remark = &r->remarks[k];
    if (mpl_is_about_kernel(remark)) {
      if (*remark->text) fprintf(out, "%s %s", named ? ";" : ":", remark->text);
      named |= *remark->text;
      continue;
    }
    bool inside = !strcmp(remark->file, r->name);
    if (!last || last->line != remark->line || strcmp(last->file, remark->file)) {
      const char *line = inside ? mpl_report_line(r, remark->line) : remark->file;
      fprintf(out, "\n%5u | %s\n", remark->line, line + strspn(line, " \t"));
    }
    const char *name;
    int length = (int)mpl_report_subject(r, remark, &name);
    fprintf(out, "        %-10s %.*s%s%s\n",
            remark->fact < 0 ? "note" : mpl_facts[remark->fact].word, length, name,
            length ? ": " : "", remark->text);
    last = remark;
  }
  if (!last) fprintf(out, "\n");
}

void mpl_report_print(FILE *out, const struct mpl_report *r) {
  bool used[MPL_NUM_FACTS] = {false};
  fprintf(out, "\n--- %s ---\n", r->name);
  for (size_t k = 0, end; k < r->count; k = end) {
    end = mpl_report_kernel_end(r, k);
    print_kernel(out, r, k, end);
  }
  for (size_t k = 0; k < r->count; k++)
    if (r->remarks[k].fact >= 0 && !mpl_is_about_kernel(&r->remarks[k]))
      used[r->remarks[k].fact] = true;
  fprintf(out, "\n");
  for (int k = 0; k < MPL_NUM_FACTS; k++)
    if (used[k]) fprintf(out, "%-10s %s\n", mpl_facts[k].word, mpl_facts[k].meaning);
}
