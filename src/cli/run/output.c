/* Printing, writing and comparing buffers after the run. */
#include "cli/run/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run/value.h"

enum { WIDTH = 80, DIFFERENCES = 8 };

bool mpl_format_parse(const char *name, enum mpl_format *format) {
  static const char *const names[] = {"rows", "plain", "hex", "index"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) {
      *format = (enum mpl_format)i;
      return true;
    }
  mpl_usage("there is no format '%s'; they are rows, plain, hex and index", name);
  return false;
}

/* One element: a number, or (a, b, c, d) for a vector.  `text` holds 16 numbers and more. */
enum { ELEMENT_TEXT = 16 * (MPL_ELEMENT_TEXT + 2) };

static void element_text(const struct mpl_run_arg *arg, size_t i, bool hex,
                         char text[ELEMENT_TEXT]) {
  const unsigned char *at = (unsigned char *)arg->data + i * mpl_type_size(arg->type);
  char *out = text;
  if (arg->type.width > 1) *out++ = '(';
  for (unsigned k = 0; k < arg->type.width; k++) {
    if (k) out += sprintf(out, ", ");
    mpl_element_print(arg->type.element, at + k * mpl_element_size(arg->type.element), hex, out);
    out += strlen(out);
  }
  if (arg->type.width > 1) *out++ = ')';
  *out = 0;
}

/* Columns of equal width, as many as fit. */
static void print_rows(const struct mpl_run_arg *arg, size_t count, bool hex) {
  char text[ELEMENT_TEXT];
  size_t widest = 1;
  for (size_t i = 0; i < count; i++) {
    element_text(arg, i, hex, text);
    if (strlen(text) > widest) widest = strlen(text);
  }
  size_t columns = (WIDTH - 1) / (widest + 1);
  if (!columns) columns = 1;
  for (size_t i = 0; i < count; i++) {
    element_text(arg, i, hex, text);
    bool last = i + 1 == count || (i + 1) % columns == 0;
    printf(" %*s%s", (int)widest, text, last ? "\n" : "");
  }
}

void mpl_output_print(const struct mpl_run_arg *arg, enum mpl_format format, size_t head) {
  char type[24], text[ELEMENT_TEXT];
  size_t count = head && head < arg->count ? head : arg->count;
  mpl_type_name(arg->type, type);
  if (format == MPL_FORMAT_ROWS || format == MPL_FORMAT_HEX) {
    printf("%s: %s[%zu]\n", arg->param->name, type, arg->count);
    print_rows(arg, count, format == MPL_FORMAT_HEX);
    if (count < arg->count) printf(" ... %zu more\n", arg->count - count);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    element_text(arg, i, false, text);
    if (format == MPL_FORMAT_INDEX)
      printf("%s[%zu] = %s\n", arg->param->name, i, text);
    else
      printf("%s\n", text);
  }
}

/* Six significant digits for real numbers, and hexadecimal as C++ streams write it. */
static void dump_number(const struct mpl_run_arg *arg, const void *at) {
  size_t size = mpl_element_size(arg->type.element);
  int width = arg->hex ? (int)size * 2 : 0;
  char text[MPL_ELEMENT_TEXT];
  if (mpl_element_is_real(arg->type.element)) {
    snprintf(text, sizeof text, "%g", mpl_element_real(arg->type.element, at));
  } else if (arg->hex) {
    /* An 8-bit number is written as an int there, with its sign bits. */
    int64_t value = mpl_element_integer(arg->type.element, at);
    uint64_t bits = size == 8 ? (uint64_t)value : (uint64_t)value & 0xffffffff;
    if (size == 2) bits &= 0xffff;
    snprintf(text, sizeof text, "%" PRIx64, bits);
  } else {
    mpl_element_print(arg->type.element, at, false, text);
  }
  int missing = width - (int)strlen(text);
  if (arg->hex) printf("0x");
  while (missing-- > 0) putchar('0');
  printf("%s\n", text);
}

void mpl_output_dump(const struct mpl_run_arg *arg) {
  printf("\nArgument '%s': %zu bytes\n", arg->param->name, arg->size);
  size_t size = mpl_element_size(arg->type.element);
  for (size_t i = 0; i < arg->size / size; i++) {
    printf("  %s[%zu] = ", arg->param->name, i);
    dump_number(arg, (unsigned char *)arg->data + i * size);
  }
  putchar('\n');
}

bool mpl_output_write(const struct mpl_run_arg *arg, const char *path) {
  if (strcmp(path, "-") && !mpl_is_text_path(path))
    return mpl_write_file(path, arg->data, arg->size);
  FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
  if (!file) return mpl_write_file(path, "", 0); /* says why */
  bool csv = strlen(path) > 4 && !strcmp(path + strlen(path) - 4, ".csv");
  size_t stride = mpl_type_size(arg->type), step = mpl_element_size(arg->type.element);
  for (size_t i = 0; i < arg->count; i++)
    for (unsigned k = 0; k < arg->type.width; k++) {
      char text[MPL_ELEMENT_TEXT];
      const unsigned char *at = (unsigned char *)arg->data + i * stride + k * step;
      mpl_element_print(arg->type.element, at, false, text);
      fprintf(file, "%s%s", text, k + 1 == arg->type.width ? "\n" : csv ? "," : " ");
    }
  return mpl_end_output(file, path);
}

static bool same(enum mpl_element element, const void *got, const void *want, double tolerance) {
  if (!mpl_element_is_real(element)) return !memcmp(got, want, mpl_element_size(element));
  double a = mpl_element_real(element, got), b = mpl_element_real(element, want);
  if (a == b || (isnan(a) && isnan(b))) return true;
  if (!isfinite(a) || !isfinite(b)) return false;
  return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static size_t compare(const struct mpl_run_arg *got, const struct mpl_run_arg *want,
                      double tolerance) {
  size_t differences = 0, stride = mpl_type_size(got->type);
  size_t step = mpl_element_size(got->type.element);
  for (size_t i = 0; i < got->count; i++) {
    bool equal = true;
    for (unsigned k = 0; k < got->type.width; k++) {
      size_t at = i * stride + k * step;
      if (!same(got->type.element, (char *)got->data + at, (char *)want->data + at, tolerance))
        equal = false;
    }
    if (equal || differences++ >= DIFFERENCES) continue;
    char is[ELEMENT_TEXT], should[ELEMENT_TEXT];
    element_text(got, i, false, is);
    element_text(want, i, false, should);
    fflush(stdout);
    fprintf(stderr, "  %s[%zu] is %s, expected %s\n", got->param->name, i, is, should);
  }
  return differences;
}

bool mpl_output_verify(const struct mpl_run_arg *arg, const char *text, double tolerance) {
  struct mpl_value value;
  if (!mpl_value_parse(text, &value) || !mpl_value_load(&value)) return false;
  struct mpl_run_arg want = *arg;
  want.data = mpl_need(calloc(arg->size ? arg->size : 1, 1));
  size_t given = mpl_value_count(&value, arg->type), differences = 0;
  bool good = false;
  if (given && given != arg->count)
    mpl_fail("%s has %zu elements, expected %zu", arg->param->name, arg->count, given);
  else if (mpl_value_fill(&value, arg->type, arg->count, want.data, arg->param->name)) {
    differences = compare(arg, &want, tolerance);
    good = !differences;
    if (!good)
      mpl_fail("%zu of %zu elements of %s are not as expected", differences, arg->count,
               arg->param->name);
  }
  free(want.data);
  mpl_value_free(&value);
  return good;
}
