/* The report as one HTML file: the source, and beside each line what became of it. */
#include <string.h>

#include "cli/report/html.h"
#include "cli/report/report.h"

static const char *const level_names[] = {"note", "fast", "masked", "slow"};

static const char style[] =
    ".source { width: 100%; margin-top: 1rem; border-top: 1px solid var(--rule); }\n"
    ".source td { padding: 0 .6rem; vertical-align: top; }\n"
    ".number { color: var(--faint); text-align: right; width: 1%; user-select: none;\n"
    "  font: 13px/1.6 ui-monospace, monospace; }\n"
    ".code { white-space: pre-wrap; tab-size: 4; font: 13px/1.6 ui-monospace, monospace; }\n"
    ".facts { width: 40%; font-size: 13px; }\n"
    "tr.fast .code { background: var(--fast); } tr.masked .code { background: var(--masked); }\n"
    "tr.slow .code { background: var(--slow); }\n"
    "@media (max-width: 50rem) { .source td { display: block; width: auto; text-align: left; }\n"
    "  .facts { padding-left: 2rem !important; } }\n";

void mpl_report_html_begin(FILE *out) {
  mpl_html_begin(out, "What became of the kernels", style);
  fputs("<table class=\"words\">\n", out);
  for (int k = 0; k < MPL_NUM_FACTS; k++)
    if (mpl_facts[k].level != MPL_LEVEL_NOTE)
      fprintf(out, "<tr><td><span class=\"word %s\">%s</span></td><td>%s</td></tr>\n",
              level_names[mpl_facts[k].level], mpl_facts[k].word, mpl_facts[k].meaning);
  fputs("</table>\n", out);
}

static unsigned lines_of_level(const struct mpl_report *r, size_t first, size_t end,
                               enum mpl_level level) {
  unsigned count = 0;
  for (size_t k = first, next; k < end; k = next) {
    enum mpl_level worst = MPL_LEVEL_NOTE;
    for (next = k; next < end && r->remarks[next].line == r->remarks[k].line; next++)
      if (!mpl_is_about_kernel(&r->remarks[next]) && r->remarks[next].level > worst)
        worst = r->remarks[next].level;
    count += worst == level;
  }
  return count;
}

static void put_kernel(FILE *out, const struct mpl_report *r, size_t first, size_t end) {
  fputs("<tr><td><b>", out);
  mpl_html_put(out, *r->remarks[first].kernel ? r->remarks[first].kernel : "(none)");
  fprintf(out, "</b>, line %u</td><td>", r->remarks[first].line);
  for (size_t k = first; k < end && mpl_is_about_kernel(&r->remarks[k]); k++) {
    if (!*r->remarks[k].text) continue;
    fprintf(out, "<span class=\"word %s\">", level_names[r->remarks[k].level]);
    mpl_html_put(out, r->remarks[k].text);
    fputs("</span> ", out);
  }
  fputs("</td>", out);
  for (int level = MPL_LEVEL_FAST; level <= MPL_LEVEL_SLOW; level++)
    fprintf(out, "<td class=\"count\">%u</td>", lines_of_level(r, first, end, level));
  fputs("</tr>\n", out);
}

static void put_remark(FILE *out, const struct mpl_report *r, const struct mpl_remark *remark,
                       bool with_kernel) {
  const char *name;
  size_t length = mpl_report_subject(r, remark, &name);
  fprintf(out, "<div><span class=\"word %s\">%s</span>", level_names[remark->level],
          remark->fact < 0 ? "note" : mpl_facts[remark->fact].word);
  if (length) {
    fputs("<code>", out);
    mpl_html_put_some(out, name, length);
    fputs("</code>: ", out);
  }
  mpl_html_put(out, remark->text);
  if (with_kernel) {
    fputs(" (", out);
    mpl_html_put(out, remark->kernel);
    fputs(")", out);
  }
  fputs("</div>", out);
}

static bool is_of_line(const struct mpl_report *r, const struct mpl_remark *remark, unsigned line) {
  return remark->line == line && !strcmp(remark->file, r->name) && !mpl_is_about_kernel(remark);
}

static void put_line(FILE *out, const struct mpl_report *r, unsigned line) {
  enum mpl_level worst = MPL_LEVEL_NOTE;
  const char *kernel = NULL;
  bool several = false;
  for (size_t k = 0; k < r->count; k++) {
    const struct mpl_remark *remark = &r->remarks[k];
    if (!is_of_line(r, remark, line)) continue;
    if (remark->level > worst) worst = remark->level;
    several |= kernel && strcmp(kernel, remark->kernel);
    kernel = remark->kernel;
  }
  fprintf(out, "<tr class=\"%s\"><td class=\"number\">%u</td><td class=\"code\">",
          level_names[worst], line);
  mpl_html_put(out, mpl_report_line(r, line));
  fputs("</td><td class=\"facts\">", out);
  for (size_t k = 0; k < r->count; k++)
    if (is_of_line(r, &r->remarks[k], line)) put_remark(out, r, &r->remarks[k], several);
  fputs("</td></tr>\n", out);
}

/* What is said of other files, which the source includes. */
static void put_others(FILE *out, const struct mpl_report *r) {
  for (size_t k = 0; k < r->count; k++) {
    const struct mpl_remark *remark = &r->remarks[k];
    if (!strcmp(remark->file, r->name) || mpl_is_about_kernel(remark)) continue;
    fprintf(out, "<tr class=\"%s\"><td class=\"number\">%u</td><td class=\"code\">",
            level_names[remark->level], remark->line);
    mpl_html_put(out, remark->file);
    fputs("</td><td class=\"facts\">", out);
    put_remark(out, r, remark, true);
    fputs("</td></tr>\n", out);
  }
}

void mpl_report_html(FILE *out, const struct mpl_report *r) {
  fputs("<h2>", out);
  mpl_html_put(out, r->name);
  fputs("</h2>\n<table class=\"kernels\">\n<tr><th>kernel</th><th>work-item loops</th>"
        "<th>fast lines</th><th>masked</th><th>slow</th></tr>\n",
        out);
  for (size_t k = 0, end; k < r->count; k = end) {
    end = mpl_report_kernel_end(r, k);
    put_kernel(out, r, k, end);
  }
  fputs("</table>\n<table class=\"source\">\n", out);
  for (unsigned line = 1; line <= r->num_lines; line++) put_line(out, r, line);
  put_others(out, r);
  fputs("</table>\n", out);
}

void mpl_report_html_end(FILE *out) {
  mpl_html_end(out);
}
