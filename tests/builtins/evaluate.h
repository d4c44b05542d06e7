/* Runs kernels of the tests of built-in functions, and says how far results are off. */
#ifndef TESTS_BUILTINS_EVALUATE_H
#define TESTS_BUILTINS_EVALUATE_H

#include "run/host.h"

typedef _Float16 half;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

/* Builds a file of tests/builtins/kernels, with these options besides -I. */
cl_program build_file(const char *name, const char *options);

/* Calls kernel(out, inputs...) with one work-item for each element; results in `out`, the second
 * ones, if second_size is not 0, in `second` (kernel(out, second, inputs...)). */
struct call {
  size_t items, out_size, second_size; /* bytes: of a work-item's results */
  void *out, *second;
  struct {
    const void *data;
    size_t size;
  } in[4]; /* bytes of a work-item; the rest is null */
};
void evaluate(cl_program program, const char *kernel, const struct call *call);

/* The floating-point types. */
struct format {
  const char *name;
  int digits, min_exponent, max_exponent; /* of normal numbers, as frexp counts minus 1 */
  unsigned size;
};
extern const struct format formats[3];
enum { HALF, FLOAT, DOUBLE };
long double get(const struct format *format, const void *values, size_t i);
void put(const struct format *format, void *values, size_t i, long double x);

/* Distance in units in the last place of the exact result (OpenCL C 3.0, 7.4); infinity stands for
 * the first number that is too large. */
double ulps_off(const struct format *format, long double got, long double exact);

/* Rounding modes of conversions; the default is to nearest even. */
enum { DEFAULT, RTE, RTZ, RTP, RTN, MODES };
extern const char *const mode_names[MODES];
long double rounded(const struct format *format, long double x, int mode);

/* Numbers of every kind: special ones first, then random bit patterns and moderate values. */
void fill(const struct format *format, void *values, size_t count, uint64_t seed, double low,
          double high);

/* Counts a failure and prints the first few of each kind. */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
int verdict(void); /* the program's exit code */

#endif
