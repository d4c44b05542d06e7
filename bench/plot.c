/* The plot: for each collective in groups of 256, cost as a multiple of hand-written vector code.
 */
#include "results.h"

#include <math.h>
#include <string.h>

enum { LEFT = 210, WIDTH = 560, TOP = 64, BAR_HEIGHT = 9, GAP = 6 };
static const double least = 0.25, most = 100;
static const char *const colours[MAX_DRIVERS] = {"#1b6ca8", "#d1872b", "#5a8f3c", "#8c4f9f",
                                                 "#777777", "#b03a48", "#3aa6a0", "#444444"};

static double position(double ratio) {
  double clamped = fmin(fmax(ratio, least), most);
  return LEFT + WIDTH * log(clamped / least) / log(most / least);
}

static bool plotted(const struct result *result) {
  size_t length = strlen(result->what);
  return result->bar <= BAR_barrier && length > 4 && strcmp(result->what + length - 4, " 256") == 0;
}

static int count_rows(const struct results *results) {
  int rows = 0;
  for (int i = 0; i < results->num_results; i++)
    rows += results->result[i].driver == 0 && plotted(&results->result[i]);
  return rows;
}

static void draw_axis(FILE *file, int bottom) {
  static const double ticks[] = {0.25, 0.5, 1, 2, 5, 10, 20, 50, 100};
  for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
    double x = position(ticks[i]);
    fprintf(file,
            "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#ddd'/>"
            "<text x='%.1f' y='%d' text-anchor='middle'>%gx</text>\n",
            x, TOP - 4, x, bottom, x, bottom + 14, ticks[i]);
  }
}

static void draw_bar(FILE *file, const struct result *result, int y, int driver) {
  double ratio;
  if (!result || !result_figure(result, &ratio)) return;
  double end = position(ratio);
  fprintf(file,
          "<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>"
          "<text x='%.1f' y='%d' font-size='9'>%.2f</text>\n",
          LEFT, y, fmax(end - LEFT, 1), BAR_HEIGHT, colours[driver], end + 3, y + BAR_HEIGHT - 1,
          ratio);
}

static void draw_limit(FILE *file, const struct result *result, int y, int height) {
  double x = position(bars[result->bar].limit);
  fprintf(file, "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#c00' stroke-width='1.5'/>\n", x,
          y - GAP / 2, x, y + height - GAP / 2);
}

void plot_svg(const struct results *results, FILE *file) {
  int row_height = results->num_drivers * BAR_HEIGHT + GAP, y = TOP;
  int bottom = TOP + count_rows(results) * row_height;
  fprintf(file,
          "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
          "font-family='sans-serif' font-size='11'>\n"
          "<rect width='100%%' height='100%%' fill='white'/>\n"
          "<text x='10' y='20' font-size='14'>CPU time per collective, work-groups of 256, as a "
          "multiple of hand-written vector code</text>\n",
          LEFT + WIDTH + 60, bottom + 28);
  int x = 10;
  for (int driver = 0; driver < results->num_drivers; driver++) {
    fprintf(file,
            "<rect x='%d' y='34' width='10' height='10' fill='%s'/><text x='%d' y='43'>%s"
            "</text>\n",
            x, colours[driver], x + 14, results->drivers[driver]);
    x += 40 + 7 * (int)strlen(results->drivers[driver]);
  }
  fprintf(file, "<text x='%d' y='43' fill='#c00'>| bar</text>\n", x);
  draw_axis(file, bottom);
  for (int i = 0; i < results->num_results; i++) {
    const struct result *result = &results->result[i];
    if (result->driver != 0 || !plotted(result)) continue;
    fprintf(file, "<text x='%d' y='%d' text-anchor='end'>%.*s</text>\n", LEFT - 6, y + BAR_HEIGHT,
            (int)strlen(result->what) - 4, result->what);
    for (int driver = 0; driver < results->num_drivers; driver++)
      draw_bar(file, results_find(results, driver, result), y + driver * BAR_HEIGHT, driver);
    draw_limit(file, result, y, row_height);
    y += row_height;
  }
  fputs("</svg>\n", file);
}
