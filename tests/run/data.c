#include "run/data.h"

#include <float.h>
#include <stdio.h>

size_t type_size(enum type type) {
  switch (type) {
#define X(T)                                                                                       \
  case TYPE_##T:                                                                                   \
    return sizeof(T);
    CASE_TYPES(X)
#undef X
  }
  return 0;
}

static double extreme_float(uint64_t random) {
  static const double values[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX,
                                  FLT_MIN, -FLT_MIN, 1e-45, -1e-45, 0.5, 16777216.0, -3.0, 65504.0};
  return values[random % (sizeof values / sizeof *values)];
}

static uint64_t extreme_integer(uint64_t random, unsigned bits) {
  uint64_t top = (uint64_t)1 << (bits - 1);
  uint64_t values[] = {0, 1, ~(uint64_t)0, top, top - 1, top + 1, top >> 1, ~top >> 1, 2, 7};
  return values[random % (sizeof values / sizeof *values)];
}

static double pick_float(enum pattern pattern, uint64_t random) {
  switch (pattern) {
  case PATTERN_SMALL: return (double)(int)(random % 19) - 9;
  case PATTERN_EXTREME: return extreme_float(random);
  default: return ((double)(random >> 11) / (double)((uint64_t)1 << 53) - 0.5) * 2000.0;
  }
}

static uint64_t pick_integer(enum pattern pattern, uint64_t random, unsigned bits) {
  switch (pattern) {
  case PATTERN_SMALL: return (uint64_t)((int64_t)(random % 19) - 9);
  case PATTERN_EXTREME: return extreme_integer(random, bits);
  default: return random >> (64 - bits);
  }
}

void fill(enum type type, void *data, size_t count, enum pattern pattern, uint64_t seed) {
  for (size_t i = 0; i < count; i++) {
    uint64_t random = random_next(&seed) >> 1 ^ random_next(&seed) << 40;
    switch (type) {
    case TYPE_half: ((half *)data)[i] = (half)pick_float(pattern, random); break;
    case TYPE_float: ((float *)data)[i] = (float)pick_float(pattern, random); break;
    case TYPE_double: ((double *)data)[i] = pick_float(pattern, random); break;
    default: {
      uint64_t value = pick_integer(pattern, random, (unsigned)type_size(type) * 8);
      memcpy((char *)data + i * type_size(type), &value, type_size(type)); /* little endian */
    }
    }
  }
}

static double as_double(enum type type, const void *value) {
  switch (type) {
  case TYPE_half: return (double)*(const half *)value;
  case TYPE_float: return (double)*(const float *)value;
  default: return *(const double *)value;
  }
}

bool same_value(enum type type, const void *a, const void *b) {
  if (!memcmp(a, b, type_size(type))) return true;
  if (type < TYPE_half) return false;
  double x = as_double(type, a), y = as_double(type, b);
  return x == y || (isnan(x) && isnan(y));
}

void print_value(enum type type, const void *value) {
  if (type >= TYPE_half) {
    printf("%.17g (%a)", as_double(type, value), as_double(type, value));
    return;
  }
  uint64_t bits = 0;
  memcpy(&bits, value, type_size(type));
  printf("%llu (0x%llx)", (unsigned long long)bits, (unsigned long long)bits);
}
