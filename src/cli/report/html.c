/* The frame of a page. */
#include "cli/report/html.h"

#include <string.h>

static const char style[] =
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
    ".word { display: inline-block; margin: 1px .3rem 1px 0; padding: 0 .4rem;\n"
    "  border-radius: .3rem; font-weight: 600; }\n"
    ".word.fast { background: var(--fast); color: var(--fast-text); }\n"
    ".word.masked { background: var(--masked); color: var(--masked-text); }\n"
    ".word.slow { background: var(--slow); color: var(--slow-text); }\n"
    ".word.note { background: var(--note); color: var(--note-text); }\n";

void mpl_html_begin(FILE *out, const char *title, const char *more) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
        out);
  mpl_html_put(out, title);
  fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", style, more);
  mpl_html_put(out, title);
  fputs("</h1>\n", out);
}

void mpl_html_end(FILE *out) {
  fputs("</body>\n</html>\n", out);
}

void mpl_html_put_some(FILE *out, const char *text, size_t length) {
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

void mpl_html_put(FILE *out, const char *text) {
  mpl_html_put_some(out, text, strlen(text));
}
