#include "results.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct summary {
  int rows, met, figures;
  double median, worst;
  const char *unit, *failure; /* failure: status of a row that has no figure */
};

static struct summary summarise(const struct results *results, int driver, enum bar_id bar) {
  static double figures[MAX_RESULTS];
  struct summary summary = {.unit = "x"};
  for (int i = 0; i < results->num_results; i++) {
    const struct result *result = &results->result[i];
    if (result->driver != driver || result->bar != bar) continue;
    summary.rows++;
    summary.met += result_meets(result);
    if (result_figure(result, &figures[summary.figures]))
      summary.figures++;
    else
      summary.failure = result->status;
    if (bars[bar].judge == VALUE_AT_MOST) summary.unit = result->unit;
  }
  if (summary.figures) {
    qsort(figures, (size_t)summary.figures, sizeof *figures, compare);
    summary.median = figures[summary.figures / 2];
    summary.worst = figures[bars[bar].judge == RATIO_AT_LEAST ? 0 : summary.figures - 1];
  }
  return summary;
}

void report_summary(const struct results *results, int driver, FILE *file) {
  fprintf(file, "| %-56s | %-46s | %10s | %10s | %-15s |\n", results->drivers[driver], "bar",
          "median", "worst", "met");
  fprintf(file, "|:%.56s-|:%.46s-|-%.10s:|-%.10s:|:%.15s-|\n",
          "--------------------------------------------------------",
          "------------------------------------------------", "----------", "----------",
          "---------------");
  for (int bar = 0; bar < NUM_BARS; bar++) {
    struct summary s = summarise(results, driver, (enum bar_id)bar);
    char median[32] = "-", worst[32] = "-", met[96];
    if (s.rows == 0) continue;
    if (s.figures) {
      const char *space = s.unit[0] == 'x' ? "" : " ";
      snprintf(median, sizeof median, "%.2f%s%s", s.median, space, s.unit);
      snprintf(worst, sizeof worst, "%.2f%s%s", s.worst, space, s.unit);
    }
    if (s.failure)
      snprintf(met, sizeof met, "**no**: %s", strcmp(s.failure, "ok") ? s.failure : "no figure");
    else if (s.met == s.rows)
      snprintf(met, sizeof met, "yes");
    else
      snprintf(met, sizeof met, "**no**: %d of %d", s.met, s.rows);
    fprintf(file, "| %-56s | %-46s | %10s | %10s | %-15s |\n", bars[bar].what, bars[bar].words,
            median, worst, met);
  }
}

static bool first_of_its_kind(const struct results *results, int index) {
  for (int driver = 0; driver < results->num_drivers; driver++) {
    const struct result *first = results_find(results, driver, &results->result[index]);
    if (first) return first == &results->result[index];
  }
  return true;
}

static void report_cell(const struct result *result, FILE *file) {
  if (!result)
    fputs(" | | |", file);
  else if (strcmp(result->status, "ok") != 0)
    fprintf(file, " %s | | no |", result->status);
  else if (result->yardstick > 0)
    fprintf(file, " %.4g | %.2f | %s |", result->value, result->value / result->yardstick,
            result_meets(result) ? "yes" : "**no**");
  else
    fprintf(file, " %.4g | | %s |", result->value, result_meets(result) ? "yes" : "**no**");
}

void report_rows(const struct results *results, FILE *file) {
  fputs("| bar | what | unit | yardstick |", file);
  for (int driver = 0; driver < results->num_drivers; driver++)
    fprintf(file, " %s | ratio | met |", results->drivers[driver]);
  fputs("\n|---|---|---|--:|", file);
  for (int driver = 0; driver < results->num_drivers; driver++) fputs("--:|--:|---|", file);
  fputc('\n', file);
  for (int i = 0; i < results->num_results; i++) {
    const struct result *result = &results->result[i];
    if (!first_of_its_kind(results, i)) continue;
    fprintf(file, "| %s | %s | %s |", bars[result->bar].id, result->what, result->unit);
    if (result->yardstick > 0)
      fprintf(file, " %.4g |", result->yardstick);
    else
      fputs(" |", file);
    for (int driver = 0; driver < results->num_drivers; driver++)
      report_cell(results_find(results, driver, result), file);
    fputc('\n', file);
  }
}

void report_tsv(const struct results *results, FILE *file) {
  fputs("driver\tbar\twhat\tvalue\tunit\tyardstick\tstatus\tmet\n", file);
  for (int i = 0; i < results->num_results; i++) {
    const struct result *r = &results->result[i];
    fprintf(file, "%s\t%s\t%s\t%.6g\t%s\t%.6g\t%s\t%s\n", results->drivers[r->driver],
            bars[r->bar].id, r->what, r->value, r->unit, r->yardstick, r->status,
            result_meets(r) ? "yes" : "no");
  }
}
