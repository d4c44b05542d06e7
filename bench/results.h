/* All that one run of bench found, and what is made of it. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stdio.h>

enum judge { RATIO_AT_MOST, RATIO_AT_LEAST, VALUE_AT_MOST };

enum bar_id {
#define BAR(id, what, judge, limit, words) BAR_##id,
#include "bars.def"
#undef BAR
  NUM_BARS
};

struct bar {
  const char *id, *what, *words;
  enum judge judge;
  double limit;
};

extern const struct bar bars[NUM_BARS];

enum { MAX_DRIVERS = 8, MAX_RESULTS = 4096 };

struct result {
  int driver;
  enum bar_id bar;
  char what[64], unit[16], status[64];
  double value, yardstick; /* yardstick 0: none */
};

struct results {
  int num_drivers, num_results;
  char drivers[MAX_DRIVERS][128];
  struct result result[MAX_RESULTS];
};

/* Takes one row as measure.h prints it; false if it is none. */
bool results_add(struct results *, int driver, const char *row);
void results_add_row(struct results *, int driver, enum bar_id, const char *what, double value,
                     const char *unit, const char *status);

/* The figure that is held against the bar: a ratio or the value; false if there is none. */
bool result_figure(const struct result *, double *figure);
bool result_meets(const struct result *);

/* The row of another driver for the same thing; null if it has none. */
const struct result *results_find(const struct results *, int driver, const struct result *like);

void report_summary(const struct results *, int driver, FILE *); /* a Markdown table */
void report_rows(const struct results *, FILE *); /* all rows, drivers beside each other */
void report_tsv(const struct results *, FILE *);
void plot_svg(const struct results *, FILE *);

#endif
