/* The report as one HTML file: the source, and beside each line what became of it. */
#include <string.h>

#include "cli/report.h"

static const char *const level_names[] = {"note", "fast", "masked", "slow"};

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<title>What became of the kernels</title>\n"
    "<style>\n"
    ":root { color-scheme: light dark; --page: #fff; --text: #1d2329; --faint: #69737d;\n"
    "  --rule: #dde2e7; --fast: #e2f5e5; --fast-text: #14612a; --masked: #fdf1cf;\n"
    "  --masked-text: #6f5200; --slow: #fde3df; --slow-text: #96200f; --note: #eef1f4;\n"
    "  --note-text: #49525b; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --page: #14181c; --text: #dfe4e9; --faint: #8a949e; --rule: #2c333a;\n"
    "    --fast: #153220; --fast-text: #8edba3; --masked: #3a2f0d; --masked-text: #ecc95f;\n"
    "    --slow: #43190f; --slow-text: #ffa796; --note: #22282e; --note-text: #a9b3bd; } }\n"
    "body { margin: 2rem auto; padding: 0 1rem; max-width: 90rem; background: var(--page);\n"
    "  color: var(--text); font: 15px/1.45 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }\n"
    "table { border-collapse: collapse; } a { color: inherit; }\n"
    ".kernels td, .kernels th, .words td { padding: .2rem 1rem .2rem 0; text-align: left;\n"
    "  vertical-align: top; }\n"
    ".kernels .count { text-align: right; font-variant-numeric: tabular-nums; }\n"
    ".source { width: 100%; margin-top: 1rem; border-top: 1px solid var(--rule); }\n"
    ".source td { padding: 0 .6rem; vertical-align: top; }\n"
    ".number { color: var(--faint); text-align: right; width: 1%; user-select: none;\n"
    "  font: 13px/1.6 ui-monospace, monospace; }\n"
    ".code { white-space: pre-wrap; tab-size: 4; font: 13px/1.6 ui-monospace, monospace; }\n"
    ".facts { width: 40%; font-size: 13px; }\n"
    "tr.fast .code { background: var(--fast); } tr.masked .code { background: var(--masked); }\n"
    "tr.slow .code { background: var(--slow); }\n"
    ".word { display: inline-block; margin: 1px .3rem 1px 0; padding: 0 .4rem;\n"
    "  border-radius: .3rem; font-weight: 600; }\n"
    ".word.fast { background: var(--fast); color: var(--fast-text); }\n"
    ".word.masked { background: var(--masked); color: var(--masked-text); }\n"
    ".word.slow { background: var(--slow); color: var(--slow-text); }\n"
    ".word.note { background: var(--note); color: var(--note-text); }\n"
    "@media (max-width: 50rem) { .source td { display: block; width: auto; text-align: left; }\n"
    "  .facts { padding-left: 2rem !important; } }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<h1>What became of the kernels</h1>\n";

static void put_some(FILE *out, const char *text, size_t length) {
  for (; length && *text; text++, length--) switch (*text) {
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '&':
      fputs("&amp;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      if ((unsigned char)*text >= ' ' || *text == '\t') fputc(*text, out);
    }
}

static void put(FILE *out, const char *text) {
  put_some(out, text, strlen(text));
}

void mpl_report_html_begin(FILE *out) {
  fputs(head, out);
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
  put(out, *r->remarks[first].kernel ? r->remarks[first].kernel : "(none)");
  fprintf(out, "</b>, line %u</td><td>", r->remarks[first].line);
  for (size_t k = first; k < end && mpl_is_about_kernel(&r->remarks[k]); k++) {
    if (!*r->remarks[k].text) continue;
    fprintf(out, "<span class=\"word %s\">", level_names[r->remarks[k].level]);
    put(out, r->remarks[k].text);
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
    put_some(out, name, length);
    fputs("</code>: ", out);
  }
  put(out, remark->text);
  if (with_kernel) {
    fputs(" (", out);
    put(out, remark->kernel);
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
  put(out, mpl_report_line(r, line));
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
    put(out, remark->file);
    fputs("</td><td class=\"facts\">", out);
    put_remark(out, r, remark, true);
    fputs("</td></tr>\n", out);
  }
}

void mpl_report_html(FILE *out, const struct mpl_report *r) {
  fputs("<h2>", out);
  put(out, r->name);
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
  fputs("</body>\n</html>\n", out);
}
