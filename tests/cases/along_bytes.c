/* Rows of bytes that a work-item reads and writes in turns: what it writes lies elsewhere, or is what it
 * reads next, or some steps later. */
#ifdef __OPENCL_VERSION__
kernel void elsewhere(global short *out, global const uchar *in, int n) {
  int row = get_global_linear_id(), level = 0, step = 1;
  for (int k = 0; k < n; k++) {
    int code = in[row * n + k];
    level = clamp(level + (code & 8 ? -step : step) * (code & 7), -32768, 32767);
    step = clamp(step + code % 5 - 1, 1, 127);
    out[row * n + k] = level;
  }
}

kernel void some(global char *out, global const char *in, int n) {
  int row = get_global_linear_id(), sum = 0, count = n - (int)(get_local_linear_id() & 7);
  for (int k = 0; k < count; k++) {
    sum += in[row * n + k] * (k + 1);
    out[row * n + k] = sum;
  }
  for (int k = count; k < n; k++) out[row * n + k] = in[row * n + k];
}

kernel void further_on(global uchar *out, global const uchar *in, int n, int distance) {
  global uchar *own = out + get_global_linear_id() * 2 * n;
  for (int k = 0; k < 2 * n; k++) own[k] = in[get_global_linear_id() * 2 * n + k];
  uchar last = 0;
  for (int k = 0; k < n; k++) {
    last = own[k] * 3 + last;
    own[k + distance] = last;
  }
}
kernel void next(global uchar *out, global const uchar *in, int n, int distance) {
  further_on(out, in, n, distance);
}
kernel void later(global uchar *out, global const uchar *in, int n, int distance) {
  further_on(out, in, n, distance);
}
kernel void itself(global uchar *out, global const uchar *in, int n, int distance) {
  further_on(out, in, n, distance);
}

/* The last bytes are no word. */
kernel void kept(global char *out, global const char *in, int n) {
  size_t row = get_global_linear_id(), id = get_local_linear_id();
  global const char *first = in + 27 * (row - id);
  char own[27];
  for (int k = 0; k < 27; k++) own[k] = first[k];
  for (int k = 0; k < 27; k++) out[27 * row + k] = own[(k * n + id) % 27];
}
#else
#include "run/case.h"

static int between(int x, int least, int most) { return x < least ? least : x > most ? most : x; }

CASE(elsewhere, uchar, short, .in_per_item = 27, .out_per_item = 27, .args = 1, .arg = {27}) {
  EACH(i) {
    int level = 0, step = 1;
    for (size_t k = 27 * i; k < 27 * i + 27; k++) {
      level = between(level + (in[k] & 8 ? -step : step) * (in[k] & 7), SHRT_MIN, SHRT_MAX);
      step = between(step + in[k] % 5 - 1, 1, 127);
      out[k] = (short)level;
    }
  }
}

CASE(some, char, char, .in_per_item = 21, .out_per_item = 21, .args = 1, .arg = {21}) {
  EACH(i) {
    int sum = 0, count = 21 - (int)(i & 7);
    for (int k = 0; k < 21; k++) {
      size_t at = 21 * i + (size_t)k;
      sum += in[at] * (k + 1);
      out[at] = k < count ? (char)sum : in[at];
    }
  }
}

#define FURTHER_ON(name, n, distance) \
  CASE(name, uchar, uchar, .in_per_item = 2 * n, .out_per_item = 2 * n, .args = 2, .arg = {n, distance}) { \
    EACH(i) { \
      uchar *own = out + 2 * n * i, last = 0; \
      memcpy(own, in + 2 * n * i, 2 * n); \
      for (size_t k = 0; k < n; k++) own[k + distance] = last = (uchar)(own[k] * 3 + last); \
    } \
  }
FURTHER_ON(further_on, 22, 22)
FURTHER_ON(next, 22, 1)
FURTHER_ON(later, 22, 5)
FURTHER_ON(itself, 22, 0)

CASE(kept, char, char, .in_per_item = 27, .out_per_item = 27, .args = 1, .arg = {4}, .max_dims = 1) {
  EACH(i) for (size_t k = 0; k < 27; k++) out[27 * i + k] = in[(k * 4 + i) % 27];
}
#endif
