/* Each work-item walks along a row of its own, whose places are sums of several kinds: of numbers that wrap
 * and that must not, forwards and backwards, of elements of all sizes. */
#ifdef __OPENCL_VERSION__
kernel void forwards(global int *out, global const int *in, int n) {
  int row = get_global_linear_id(), sum = 0;
  for (int k = 0; k < n; k++) sum = sum * 3 + in[row * n + k];
  out[row] = sum;
}

kernel void backwards(global int *out, global const uchar *in, int n) {
  long row = get_global_linear_id();
  int sum = 0;
  for (int k = n - 1; k >= 0; k--) sum = sum * 3 + in[row * n + k];
  out[row] = sum;
}

kernel void wrapping(global int *out, global const int *in, int n, int from) {
  uint row = get_global_linear_id(), begin = row * n + from;
  int sum = 0;
  for (uint k = 0; k < n; k++) sum = sum * 3 + in[(uint)(begin + (k - from))];
  out[row] = sum;
}

kernel void narrow(global long *out, global const long *in, int n) {
  size_t row = get_global_linear_id();
  global const long *own = in + row * n;
  long sum = 0;
  for (ushort k = 0; k < 2 * n; k++) sum = sum * 3 + own[(uchar)(k + 250) % n] + own[k / 2];
  out[row] = sum;
}

kernel void in_turns(global float *out, global const float *in, int n, int m) {
  size_t row = get_global_linear_id();
  float sum = 0;
  for (int j = 0; j < m; j++)
    for (int k = 0; k < n / m; k++)
      if (in[(row * m + j) * (n / m) + k] > 0) sum += in[(row * m + j) * (n / m) + k] * (j + 1);
  out[row] = sum;
}
#else
#include "run/case.h"

static int sum_of(const int *in, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) sum = add(mul(sum, 3), in[k]);
  return sum;
}

CASE(forwards, int, int, .in_per_item = 11, .args = 1, .arg = {11}) {
  EACH(i) out[i] = sum_of(in + 11 * i, 11);
}

CASE(backwards, uchar, int, .in_per_item = 13, .args = 1, .arg = {13}) {
  EACH(i) {
    int row[13];
    for (int k = 0; k < 13; k++) row[k] = in[13 * i + 12 - (size_t)k];
    out[i] = sum_of(row, 13);
  }
}

CASE(wrapping, int, int, .in_per_item = 11, .args = 2, .arg = {11, -8}) {
  EACH(i) out[i] = sum_of(in + 11 * i, 11);
}

CASE(narrow, long, long, .in_per_item = 5, .args = 1, .arg = {5}) {
  EACH(i) {
    ulong sum = 0;
    for (size_t k = 0; k < 10; k++)
      sum = sum * 3 + (ulong)in[5 * i + (k + 250) % 256 % 5] + (ulong)in[5 * i + k / 2];
    out[i] = (long)sum;
  }
}

CASE(in_turns, float, float, .in_per_item = 12, .small = true, .args = 2, .arg = {12, 3}) {
  EACH(i) {
    float sum = 0;
    for (size_t k = 0; k < 12; k++)
      if (in[12 * i + k] > 0) sum += in[12 * i + k] * (float)(k / 4 + 1);
    out[i] = sum;
  }
}
#endif
