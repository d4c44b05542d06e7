/* Dot products of bytes against sums of 64 bits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/evaluate.h"

enum { COUNT = 4099 };
static cl_program program;
static uint8_t a[4 * COUNT], b[4 * COUNT];
static uint32_t c[COUNT], out[COUNT];

static void fill_bytes(void) {
  static const uint8_t extremes[] = {0, 1, 127, 128, 255};
  static const uint32_t sums[] = {0, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fff0000};
  uint64_t seed = 1;
  for (int i = 0; i < 4 * COUNT; i++) {
    uint64_t random = random_next(&seed);
    a[i] = random & 1 ? (uint8_t)(random >> 8) : extremes[(random >> 16) % 5];
    b[i] = random & 2 ? (uint8_t)(random >> 32) : extremes[(random >> 40) % 5];
    if (i < COUNT) c[i] = random & 4 ? (uint32_t)(random >> 20) : sums[(random >> 50) % 5];
  }
  memset(a, 255, 8); /* the largest of each sign */
  memset(b, 255, 4);
  memset(b + 4, 128, 4);
}

static int64_t byte(uint8_t x, char sign) {
  return sign == 's' ? (int8_t)x : x;
}

static uint32_t reference(int i, char A, char B, bool saturate) {
  bool is_signed = A == 's' || B == 's';
  int64_t sum = 0;
  for (int k = 0; k < 4; k++) sum += byte(a[4 * i + k], A) * byte(b[4 * i + k], B);
  if (!saturate) return (uint32_t)sum;
  sum += is_signed ? (int32_t)c[i] : (int64_t)c[i];
  int64_t lowest = is_signed ? INT32_MIN : 0, highest = is_signed ? INT32_MAX : UINT32_MAX;
  return (uint32_t)(sum < lowest ? lowest : sum > highest ? highest : sum);
}

static void run(const char *form, char A, char B) {
  char kernel[32];
  bool saturate = strstr(form, "sat");
  struct call call = {.items = COUNT, .out_size = 4, .out = out};
  snprintf(kernel, sizeof kernel, "%s_%c%c", form, A, B);
  const void *const in[] = {a, b, c};
  for (int k = 0; k < 2 + saturate; k++) {
    call.in[k].data = in[k];
    call.in[k].size = 4;
  }
  evaluate(program, kernel, &call);
  for (int i = 0; i < COUNT; i++)
    if (out[i] != reference(i, A, B, saturate))
      wrong("%s: item %d is %#x, not %#x", kernel, i, out[i], reference(i, A, B, saturate));
}

int main(void) {
  static const char *const forms[] = {"packed", "vector", "packed_sat", "vector_sat"};
  static const char *const standards[] = {"", "-cl-std=CL3.0", "-cl-std=CLC++2021",
                                          "-cl-std=CL3.0 -cl-opt-disable"};
  fill_bytes();
  for (size_t s = 0; s < sizeof standards / sizeof *standards; s++) {
    program = build_file("dot.cl", standards[s]);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      run(forms[f], 'u', 'u');
      run(forms[f], 's', 's');
      run(forms[f], 'u', 's');
      run(forms[f], 's', 'u');
    }
    CL(clReleaseProgram(program));
  }
  return verdict();
}
