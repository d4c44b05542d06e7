#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct bar bars[NUM_BARS] = {
#define BAR(id, what, judge, limit, words) {#id, what, words, judge, limit},
#include "bars.def"
#undef BAR
};

static struct result *new_result(struct results *results) {
  if (results->num_results == MAX_RESULTS) {
    fputs("bench: too many results\n", stderr);
    exit(1);
  }
  return &results->result[results->num_results++];
}

void results_add_row(struct results *results, int driver, enum bar_id bar, const char *what,
                     double value, const char *unit, const char *status) {
  struct result *result = new_result(results);
  *result = (struct result){.driver = driver, .bar = bar, .value = value};
  snprintf(result->what, sizeof result->what, "%s", what);
  snprintf(result->unit, sizeof result->unit, "%s", unit);
  snprintf(result->status, sizeof result->status, "%s", status);
}

bool results_add(struct results *results, int driver, const char *row) {
  char id[32];
  struct result result = {.driver = driver};
  if (sscanf(row, "%31[^\t]\t%63[^\t]\t%lf\t%15[^\t]\t%lf\t%63[^\n]", id, result.what,
             &result.value, result.unit, &result.yardstick, result.status) != 6)
    return false;
  for (int bar = 0; bar < NUM_BARS; bar++)
    if (strcmp(bars[bar].id, id) == 0) {
      result.bar = (enum bar_id)bar;
      *new_result(results) = result;
      return true;
    }
  return false;
}

bool result_figure(const struct result *result, double *figure) {
  if (strcmp(result->status, "ok") != 0) return false;
  if (bars[result->bar].judge == VALUE_AT_MOST)
    *figure = result->value;
  else if (result->yardstick > 0)
    *figure = result->value / result->yardstick;
  else
    return false;
  return true;
}

bool result_meets(const struct result *result) {
  double figure;
  const struct bar *bar = &bars[result->bar];
  if (!result_figure(result, &figure)) return false;
  return bar->judge == RATIO_AT_LEAST ? figure >= bar->limit : figure <= bar->limit;
}

const struct result *results_find(const struct results *results, int driver,
                                  const struct result *like) {
  for (int i = 0; i < results->num_results; i++) {
    const struct result *result = &results->result[i];
    if (result->driver == driver && result->bar == like->bar &&
        strcmp(result->what, like->what) == 0)
      return result;
  }
  return NULL;
}
