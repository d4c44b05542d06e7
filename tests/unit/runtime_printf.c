/* Kernel printf against what section 6.13.13 of OpenCL C asks for. */
#include <math.h>
#include <stdint.h>
#include <unistd.h>

#include "runtime/print/print.h"
#include "unit.h"

static FILE *saved;

/* What mpl_print writes to stdout, and its answer. */
static char *print(const char *format, const void *args, uint64_t size, int *answer) {
  static char text[1 << 16];
  rewind(saved);
  CHECK(!ftruncate(fileno(saved), 0));
  *answer = mpl_print(format, args, size);
  mpl_print_flush();
  rewind(saved);
  text[fread(text, 1, sizeof text - 1, saved)] = 0;
  return text;
}

static void expect(const char *wanted, const char *format, const void *args, uint64_t size) {
  int answer;
  const char *text = print(format, args, size, &answer);
  if (strcmp(text, wanted) || answer) {
    fprintf(stderr, "\"%s\": \"%s\" instead of \"%s\", answer %d\n", format, text, wanted, answer);
    abort();
  }
}

/* Nothing is converted, and nothing lost. */
static void refused(const char *format, const void *args, uint64_t size) {
  int answer;
  const char *text = print(format, args, size, &answer);
  if (!answer || strcmp(text, format))
    fprintf(stderr, "\"%s\": \"%s\", answer %d\n", format, text, answer);
  CHECK(answer == -1 && !strcmp(text, format));
}

#define LIST(type, ...) ((type[]){__VA_ARGS__}), sizeof((type[]){__VA_ARGS__})
#define INT(value)      LIST(uint64_t, (uint32_t)(value))
#define LONG(value)     LIST(uint64_t, (uint64_t)(value))
#define REAL(value)     LIST(double, value)

static void integers(void) {
  expect("-5", "%d", INT(-5));
  expect("[   42]", "[%5d]", INT(42));
  expect("[42   ]", "[%-5d]", INT(42));
  expect("[+0042]", "[%+05d]", INT(42));
  expect("[  007]", "[%5.3i]", INT(7));
  expect("4294967295", "%u", INT(-1));
  expect("0xff 0XFF 0377", "%#x %#X %#o", LIST(uint64_t, 255, 255, 255));
  expect("-1", "%hhd", INT(255));
  expect("255", "%hhu", INT(-1));
  expect("-32768", "%hd", INT(32768));
  expect("-9223372036854775808", "%ld", LONG(INT64_MIN));
  expect("18446744073709551615", "%lu", LONG(-1));
  expect("18446744073709551615 -1", "%zu %zd", LIST(uint64_t, -1ull, -1ull));
  expect("[   -7] 0x10", "[%5td] %#tx", LIST(uint64_t, -7ull, 16));
  expect("-9223372036854775808", "%jd", LONG(INT64_MIN));
  expect("a%b", "a%%b", NULL, 0);
  expect("x", "%c", INT('x'));
}

static void reals(void) {
  expect("3.140000", "%f", REAL(3.14));
  expect("3.1", "%.1f", REAL(3.14));
  expect("1.0e+10", "%.1e", REAL(1e10));
  expect("1E-05", "%G", REAL(1e-5));
  expect("0x1.8p+1", "%a", REAL(3.0));
  expect("inf -inf nan", "%f %f %f", LIST(double, INFINITY, -INFINITY, NAN));
  expect("INF", "%F", REAL(INFINITY));
}

static void vectors(void) {
  float four[] = {1, 2.5f, -3, INFINITY};
  int32_t three[4] = {1, -2, 3};
  uint16_t halves[] = {0x3c00, 0xc000, 0x7c00, 0x0001};
  signed char chars[] = {1, -1, 127, -128, 0, 5, 6, 7};
  double doubles[] = {0.5, -0.25};
  expect("1.00,2.50,-3.00,inf", "%.2v4hlf", four, sizeof four);
  expect("1.00,2.50,-3.00,inf", "%.2v4f", four, sizeof four);
  expect("1,-2,3", "%v3hld", three, sizeof three);
  expect("1,-2,inf,5.96046e-08", "%v4hg", halves, sizeof halves);
  expect("1,-1,127,-128,0,5,6,7", "%v8hhd", chars, sizeof chars);
  expect("0.5,-0.25", "%v2lg", doubles, sizeof doubles);
  expect("0x01,0xff", "%#04v2hhx", chars, 8);
  /* a short vector, then a scalar at the next multiple of 8 */
  struct {
    signed char two[8];
    uint64_t one;
  } mixed = {{3, 4}, 9};
  expect("3,4 9", "%v2hhd %d", &mixed, sizeof mixed);
}

static void strings(void) {
  const char *text = "text";
  uint64_t list[] = {(uint64_t)(uintptr_t)text, (uint64_t)(uintptr_t)text, 0};
  expect("text [  te] (null)", "%s [%4.2s] %s", list, sizeof list);
  char *wide = malloc(5001);
  CHECK(wide);
  memset(wide, 'w', 5000);
  wide[5000] = 0;
  expect(wide, wide, NULL, 0);
  list[0] = (uint64_t)(uintptr_t)wide;
  expect(wide, "%s", list, sizeof *list);
  free(wide);
}

static void mistakes(void) {
  refused("%d\n", NULL, 0);
  refused("%n\n", LONG(0));
  refused("a %v5d b\n", LIST(uint64_t, 1, 2, 3));
  refused("%v4s", LIST(uint64_t, 1, 2, 3, 4));
  refused("%*d %s", LIST(uint64_t, 1, 2));
  refused("50%, %s\n", LONG(1));
  refused("%", NULL, 0);
  refused("%5.", NULL, 0);
  refused("%v4hlf", LONG(1));
  int answer;
  CHECK(!strcmp(print("%d %d\n", LIST(uint64_t, 1), &answer), "1 %d\n") && answer == -1);
}

int main(void) {
  saved = tmpfile();
  CHECK(saved && dup2(fileno(saved), STDOUT_FILENO) >= 0);
  integers();
  reals();
  vectors();
  strings();
  mistakes();
  return 0;
}
