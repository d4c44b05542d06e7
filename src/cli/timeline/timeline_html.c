/* The page: the table, and the timeline as data with the script that draws it (timeline.js). */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/report/html.h"
#include "cli/timeline/timeline.h"

extern const char mpl_timeline_script[]; /* timeline_js.S */

enum { MOST_SLICES = 200000 }; /* with more a browser is slow */

static const char style[] =
    ".profile td, .profile th { padding: .2rem 1.2rem .2rem 0; text-align: right;\n"
    "  font-variant-numeric: tabular-nums; }\n"
    ".profile .name { text-align: left; }\n"
    "#timeline { width: 100%; display: block; touch-action: none; }\n"
    "#tip { position: absolute; max-width: 28rem; padding: .2rem .5rem; border-radius: .3rem;\n"
    "  background: var(--text); color: var(--page); font-size: 13px; pointer-events: none; }\n"
    ".faint { color: var(--faint); }\n";

static void put_table(FILE *out, const struct mpl_timeline *t) {
  static const char *const meanings[] = {
#define MPL_COLUMN(title, put, meaning) meaning,
#include "tables/profile_columns.def"
  };
  size_t count;
  double all = 0;
  char text[MPL_CELL_TEXT];
  struct mpl_kernel_row *rows = mpl_timeline_kernels(t, &count);
  for (size_t i = 0; i < count; i++) all += rows[i].time;
  fputs("<table class=\"profile\">\n<tr><th class=\"name\">kernel</th>", out);
  for (size_t c = 0; c < mpl_num_columns; c++) {
    fputs("<th title=\"", out);
    mpl_html_put(out, meanings[c]);
    fputs("\">", out);
    mpl_html_put(out, mpl_columns[c].title);
    fputs("</th>", out);
  }
  fputs("</tr>\n", out);
  for (size_t i = 0; i < count; i++) {
    fputs("<tr><td class=\"name\"><code>", out);
    mpl_html_put(out, rows[i].name);
    fputs("</code></td>", out);
    for (size_t c = 0; c < mpl_num_columns; c++) {
      mpl_columns[c].put(&rows[i], all, text);
      fprintf(out, "<td>%s</td>", text);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
  free(rows);
}

static void put_sentence(void *out, const char *line) {
  fputs("<div class=\"faint\">", out);
  mpl_html_put(out, line);
  fputs("</div>\n", out);
}

/* --- Data of the script: JSON in which no tag can end --- */

static void put_string(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ' || strchr("\"\\<>&", c))
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

static void put_tracks(FILE *out, const struct mpl_timeline *t) {
  char name[128], of[32];
  fputs("\"tracks\":[", out);
  for (size_t i = 0; i < t->num_tracks; i++) {
    const struct mpl_track *track = &t->tracks[i];
    /* Tracks are in the order of processes, and threads have their own numbers. */
    of[0] = 0;
    if (t->tracks[0].process != t->tracks[t->num_tracks - 1].process)
      snprintf(of, sizeof of, " of %u", track->process);
    if (track->queue)
      snprintf(name, sizeof name, "commands of queue %u%s", track->queue, of);
    else
      snprintf(name, sizeof name, "%s %u", track->name ? track->name : "thread", track->thread);
    fprintf(out, "%s{\"process\":%u,\"depth\":%u,\"name\":", i ? ",\n" : "", track->process,
            track->depth);
    put_string(out, name);
    fputc('}', out);
  }
  fputs("],\n", out);
}

static size_t index_of(const struct mpl_timeline *t, const char *name) {
  size_t i = 0;
  while (t->names[i] != name) i++;
  return i;
}

static void put_slice(FILE *out, const struct mpl_timeline *t, const struct mpl_slice *s) {
  char more[160] = "";
  if (s->sort == MPL_SLICE_KERNEL && s->width > 0)
    snprintf(more, sizeof more, "%.0f work-items in %.0f groups, %.0f lanes", s->items, s->groups,
             s->width);
  else if (s->sort == MPL_SLICE_KERNEL)
    snprintf(more, sizeof more, "%.0f work-items in %.0f groups", s->items, s->groups);
  else if (s->bytes >= 0)
    snprintf(more, sizeof more, "%.0f bytes", s->bytes);
  fprintf(out, "[%zu,%u,%d,%zu,%.3f,%.3f,%.3f,%.0f,", s->track, s->depth, (int)s->sort,
          index_of(t, s->name), s->start, s->time, s->started, s->command);
  put_string(out, more);
  fputc(']', out);
}

static int longer(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (y > x) - (y < x);
}

/* How long a slice has to be to be drawn. */
static double least_time(const struct mpl_timeline *t) {
  if (t->num_slices <= MOST_SLICES) return 0;
  double *times = mpl_need(malloc(t->num_slices * sizeof *times));
  for (size_t i = 0; i < t->num_slices; i++) times[i] = t->slices[i].time;
  qsort(times, t->num_slices, sizeof *times, longer);
  double least = times[MOST_SLICES];
  free(times);
  return least;
}

static size_t put_slices(FILE *out, const struct mpl_timeline *t) {
  double least = least_time(t);
  size_t drawn = 0;
  fputs("\"slices\":[", out);
  for (size_t i = 0; i < t->num_slices; i++) {
    if (drawn == MOST_SLICES || t->slices[i].time < least) continue;
    fputs(drawn++ ? ",\n" : "\n", out);
    put_slice(out, t, &t->slices[i]);
  }
  fputs("],\n", out);
  return drawn;
}

static size_t put_data(FILE *out, const struct mpl_timeline *t) {
  fprintf(out, "<script>\nconst DATA = {\"end\":%.3f,\n\"sorts\":[\"build:\",\"kernel\","
               "\"work-groups of\",\"transfer:\",\"run:\",\"command:\"],\n",
          t->end);
  put_tracks(out, t);
  fputs("\"names\":[", out);
  for (size_t i = 0; i < t->num_names; i++) {
    if (i) fputc(',', out);
    put_string(out, t->names[i]);
  }
  fputs("],\n", out);
  size_t drawn = put_slices(out, t);
  fputs("\"arrows\":[", out);
  for (size_t i = 0; i < t->num_arrows; i++)
    fprintf(out, "%s[%u,%.0f,%.0f]", i ? "," : "", t->arrows[i].process, t->arrows[i].from,
            t->arrows[i].to);
  fputs("]};\n</script>\n", out);
  return drawn;
}

void mpl_timeline_html(FILE *out, const struct mpl_timeline *t) {
  char line[128];
  mpl_html_begin(out, "Where the time goes", style);
  put_table(out, t);
  mpl_timeline_summary(t, put_sentence, out);
  fputs("<h2>Timeline</h2>\n<p class=\"faint\">The wheel zooms, dragging moves. "
        "<button id=\"all\">All of it</button></p>\n"
        "<canvas id=\"timeline\"></canvas>\n<div id=\"tip\" hidden=\"\"></div>\n"
        "<noscript>The timeline is drawn by a script.</noscript>\n",
        out);
  size_t drawn = put_data(out, t);
  if (drawn < t->num_slices) {
    snprintf(line, sizeof line, "The %zu shortest of %zu slices are not drawn.",
             t->num_slices - drawn, t->num_slices);
    put_sentence(out, line);
  }
  fprintf(out, "<script>\n%s</script>\n", mpl_timeline_script);
  mpl_html_end(out);
}
