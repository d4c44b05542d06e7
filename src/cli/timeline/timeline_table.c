/* The table of kernels, and its text. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/timeline/timeline.h"

static int by_time(const void *a, const void *b) {
  const struct mpl_kernel_row *x = a, *y = b;
  int order = (y->time > x->time) - (y->time < x->time);
  return order ? order : strcmp(x->name, y->name);
}

static struct mpl_kernel_row *row_of(struct mpl_kernel_row *rows, size_t *count,
                                     const char *name) {
  for (size_t i = 0; i < *count; i++)
    if (rows[i].name == name) return &rows[i];
  rows[*count] = (struct mpl_kernel_row){.name = name};
  return &rows[(*count)++];
}

struct mpl_kernel_row *mpl_timeline_kernels(const struct mpl_timeline *t, size_t *count) {
  struct mpl_kernel_row *rows = mpl_need(calloc(t->num_names + 1, sizeof *rows));
  *count = 0;
  for (size_t i = 0; i < t->num_slices; i++) {
    const struct mpl_slice *slice = &t->slices[i];
    if (slice->sort != MPL_SLICE_KERNEL && slice->sort != MPL_SLICE_GROUPS) continue;
    struct mpl_kernel_row *row = row_of(rows, count, slice->name);
    if (slice->sort == MPL_SLICE_GROUPS) {
      row->group_time += slice->time;
      row->cycles += slice->cycles;
      row->operation_cycles += slice->operation_cycles;
      continue;
    }
    row->launches++;
    row->time += slice->time;
    row->items += slice->items;
    row->bytes = slice->bytes < 0 || row->bytes < 0 ? -1 : row->bytes + slice->bytes;
    if (slice->width > row->width) row->width = slice->width;
    row->operations = slice->operations;
  }
  qsort(rows, *count, sizeof *rows, by_time);
  return rows;
}

/* --- Cells --- */

static void put_scaled(double number, char text[MPL_CELL_TEXT]) {
  static const char units[] = " KMGTPE";
  unsigned unit = 0;
  while (number >= 1000 && unit + 2 < sizeof units) number /= 1000, unit++;
  if (unit)
    snprintf(text, MPL_CELL_TEXT, "%.3g %c", number, units[unit]);
  else
    snprintf(text, MPL_CELL_TEXT, "%.3g", number);
}

static void put_launches(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  snprintf(text, MPL_CELL_TEXT, "%.0f", row->launches);
}

static void put_time(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  snprintf(text, MPL_CELL_TEXT, "%.3f", row->time / 1e3);
}

static void put_part(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  snprintf(text, MPL_CELL_TEXT, "%.1f", all > 0 ? 100 * row->time / all : 0);
}

static void put_items(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  put_scaled(row->time > 0 ? row->items / row->time * 1e6 : 0, text);
}

static void put_bytes(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  strcpy(text, "-");
  if (row->bytes >= 0) put_scaled(row->bytes, text);
}

static void put_rate(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  strcpy(text, "-");
  if (row->bytes >= 0 && row->time > 0)
    snprintf(text, MPL_CELL_TEXT, "%.2f", row->bytes / row->time / 1e3);
}

static void put_width(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  strcpy(text, "-");
  if (row->width > 0) snprintf(text, MPL_CELL_TEXT, "%.0f", row->width);
}

static void put_threads(const struct mpl_kernel_row *row, double all, char text[MPL_CELL_TEXT]) {
  strcpy(text, "-");
  if (row->group_time > 0 && row->time > 0)
    snprintf(text, MPL_CELL_TEXT, "%.2f", row->group_time / row->time);
}

static void put_operations(const struct mpl_kernel_row *row, double all,
                           char text[MPL_CELL_TEXT]) {
  strcpy(text, "-");
  if (row->operations >= 0) snprintf(text, MPL_CELL_TEXT, "%.0f", row->operations);
}

static void put_operation_part(const struct mpl_kernel_row *row, double all,
                               char text[MPL_CELL_TEXT]) {
  strcpy(text, "-");
  if (row->cycles > 0)
    snprintf(text, MPL_CELL_TEXT, "%.1f", 100 * row->operation_cycles / row->cycles);
}

const struct mpl_column mpl_columns[] = {
#define MPL_COLUMN(title, put, meaning) {title, put},
#include "tables/profile_columns.def"
};
const size_t mpl_num_columns = sizeof mpl_columns / sizeof *mpl_columns;

/* --- Text --- */

struct sum {
  double count, time, bytes;
};

void mpl_timeline_summary(const struct mpl_timeline *t, void (*put)(void *, const char *),
                          void *data) {
  struct sum sums[MPL_SLICE_SORTS] = {0};
  double waited = 0;
  char line[256];
  for (size_t i = 0; i < t->num_slices; i++) {
    const struct mpl_slice *slice = &t->slices[i];
    if (slice->sort == MPL_SLICE_BUILD && slice->depth) continue; /* a part of one */
    struct sum *sum = &sums[slice->sort];
    sum->count++;
    sum->time += slice->time;
    if (slice->bytes > 0) sum->bytes += slice->bytes;
    if (slice->sort == MPL_SLICE_COMMAND) waited += slice->started - slice->start;
  }
  const struct sum *builds = &sums[MPL_SLICE_BUILD], *moves = &sums[MPL_SLICE_TRANSFER];
  snprintf(line, sizeof line, "builds and loads: %.0f, %.3f ms", builds->count, builds->time / 1e3);
  put(data, line);
  snprintf(line, sizeof line, "transfers: %.0f, %.3f ms, %.3f MB, %.2f GB/s", moves->count,
           moves->time / 1e3, moves->bytes / 1e6,
           moves->time > 0 ? moves->bytes / moves->time / 1e3 : 0);
  put(data, line);
  snprintf(line, sizeof line, "commands: %.0f, which waited %.3f ms together, of %.3f ms in all",
           sums[MPL_SLICE_COMMAND].count, waited / 1e3, t->end / 1e3);
  put(data, line);
}

static void print_line(void *out, const char *line) {
  fprintf(out, "%s\n", line);
}

void mpl_timeline_print(FILE *out, const struct mpl_timeline *t) {
  size_t count;
  double all = 0;
  char text[MPL_CELL_TEXT];
  struct mpl_kernel_row *rows = mpl_timeline_kernels(t, &count);
  for (size_t i = 0; i < count; i++) all += rows[i].time;
  for (size_t c = 0; c < mpl_num_columns; c++) fprintf(out, "%*s  ", 9, mpl_columns[c].title);
  fprintf(out, "kernel\n");
  for (size_t i = 0; i < count; i++) {
    for (size_t c = 0; c < mpl_num_columns; c++) {
      int width = (int)strlen(mpl_columns[c].title);
      mpl_columns[c].put(&rows[i], all, text);
      fprintf(out, "%*s  ", width > 9 ? width : 9, text);
    }
    fprintf(out, "%s\n", rows[i].name);
  }
  mpl_timeline_summary(t, print_line, out);
  free(rows);
}
