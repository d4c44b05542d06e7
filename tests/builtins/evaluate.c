#include "builtins/evaluate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };
static unsigned long failures;

const struct format formats[3] = {
    {"half", 11, -14, 15, 2}, {"float", 24, -126, 127, 4}, {"double", 53, -1022, 1023, 8}};

void wrong(const char *format, ...) {
  if (failures++ >= SHOWN) return;
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
}

int verdict(void) {
  if (failures) printf("%lu wrong results\n", failures);
  return failures != 0;
}

cl_program build_file(const char *name, const char *options) {
  char path[512], all[1024];
  const char *folder = getenv("BUILTINS_FOLDER"); /* on another machine (scripts/gpu-run.sh) */
  if (!folder) folder = BUILTINS_FOLDER;
  snprintf(path, sizeof path, "%s/kernels/%s", folder, name);
  snprintf(all, sizeof all, "-I%s %s", folder, options);
  char *source = read_file(path);
  cl_program program = host_build(source, all);
  free(source);
  return program;
}

static cl_mem buffer(size_t size, const void *data) {
  cl_int code;
  cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
  cl_mem mem = clCreateBuffer(host_open()->context, flags, size, (void *)data, &code);
  CL(code);
  return mem;
}

void evaluate(cl_program program, const char *name, const struct call *call) {
  const struct host *host = host_open();
  cl_int code;
  cl_mem mems[6];
  cl_uint count = 0;
  cl_kernel kernel = clCreateKernel(program, name, &code);
  if (code) die("there is no kernel %s", name);
  mems[count++] = buffer(call->items * call->out_size, NULL);
  if (call->second_size) mems[count++] = buffer(call->items * call->second_size, NULL);
  for (int i = 0; i < 4 && call->in[i].data; i++)
    mems[count++] = buffer(call->items * call->in[i].size, call->in[i].data);
  for (cl_uint i = 0; i < count; i++) CL(clSetKernelArg(kernel, i, sizeof *mems, &mems[i]));
  CL(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &call->items, NULL, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(host->queue, mems[0], CL_TRUE, 0, call->items * call->out_size, call->out,
                         0, NULL, NULL));
  if (call->second_size)
    CL(clEnqueueReadBuffer(host->queue, mems[1], CL_TRUE, 0, call->items * call->second_size,
                           call->second, 0, NULL, NULL));
  for (cl_uint i = 0; i < count; i++) CL(clReleaseMemObject(mems[i]));
  CL(clReleaseKernel(kernel));
}

long double get(const struct format *format, const void *values, size_t i) {
  if (format->size == 2) return ((const half *)values)[i];
  return format->size == 4 ? ((const float *)values)[i] : ((const double *)values)[i];
}

void put(const struct format *format, void *values, size_t i, long double x) {
  if (format->size == 2)
    ((half *)values)[i] = (half)x;
  else if (format->size == 4)
    ((float *)values)[i] = (float)x;
  else
    ((double *)values)[i] = (double)x;
}

double ulps_off(const struct format *f, long double got, long double exact) {
  long double too_large = ldexpl(1, f->max_exponent + 1);
  if (isnan(exact) || isnan(got)) return isnan(exact) && isnan(got) ? 0 : INFINITY;
  if (isinf(got)) got = copysignl(too_large, got);
  if (fabsl(exact) > too_large) exact = copysignl(too_large, exact);
  if (got == exact) return 0;
  int exponent = exact == 0 ? f->min_exponent : ilogbl(exact);
  if (exponent < f->min_exponent) exponent = f->min_exponent;
  if (exponent > f->max_exponent) exponent = f->max_exponent;
  return (double)fabsl(ldexpl(got - exact, f->digits - 1 - exponent));
}

const char *const mode_names[MODES] = {"", "_rte", "_rtz", "_rtp", "_rtn"};

/* The numbers of a format are the multiples of its last place. */
long double rounded(const struct format *f, long double x, int mode) {
  if (x == 0 || !isfinite(x)) return x;
  int exponent = ilogbl(x) < f->min_exponent ? f->min_exponent : ilogbl(x);
  long double place = ldexpl(1, exponent - f->digits + 1), largest, y = x / place;
  largest = ldexpl(2 - ldexpl(1, 1 - f->digits), f->max_exponent);
  y = (mode == RTP   ? ceill(y)
       : mode == RTN ? floorl(y)
       : mode == RTZ ? truncl(y)
                     : rintl(y)) *
      place;
  if (fabsl(y) <= largest) return y;
  if (mode == RTZ || (mode == RTP && x < 0) || (mode == RTN && x > 0)) return copysignl(largest, x);
  return copysignl(INFINITY, x);
}

/* The i-th special number, without its sign. */
enum { SPECIALS = 21 };
static long double special(const struct format *f, size_t i) {
  static const long double common[] = {0, 1, 2, 3, 0.5L, 1.5L, 2.5L, 10, 64, 100.25L, 0.1L, 7};
  enum { COMMON = sizeof common / sizeof *common };
  long double step = ldexpl(1, f->min_exponent - f->digits + 1);
  if (i < COMMON) return common[i];
  switch (i - COMMON) {
  case 0:
    return INFINITY;
  case 1:
    return NAN;
  case 2:
    return step; /* the smallest number */
  case 3:
    return ldexpl(1, f->min_exponent) - step;
  case 4:
    return ldexpl(1, f->min_exponent);
  case 5:
    return ldexpl(2 - ldexpl(1, 1 - f->digits), f->max_exponent);
  case 6:
    return 1 + ldexpl(1, 1 - f->digits);
  case 7:
    return 1 - ldexpl(1, -f->digits);
  default:
    return ldexpl(1, f->digits - 2) + 0.5L; /* among the largest with a fraction */
  }
}

void fill(const struct format *f, void *values, size_t count, uint64_t seed, double low,
          double high) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = random_next(&seed), kind = random_next(&seed);
    if (kind % 8 < 2) {
      long double x = special(f, bits % SPECIALS);
      put(f, values, i, kind & 8 ? -x : x);
    } else if (kind % 8 < 4) {
      memcpy((char *)values + i * f->size, &bits, f->size);
    } else {
      put(f, values, i, low + (high - low) * ((double)(bits >> 11) * 0x1p-53));
    }
  }
}
