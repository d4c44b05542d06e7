/* What the bits of a register are as numbers of a type, and the bits of such a number. */
#ifndef TWIN_NUMBERS_H
#define TWIN_NUMBERS_H

#include <string.h>

#include "twin.h"

static inline int64_t signed_of(uint64_t value, enum twin_type type) {
  switch (twin_size(type)) {
  case 1:
    return (int8_t)value;
  case 2:
    return (int16_t)value;
  case 4:
    return (int32_t)value;
  default:
    return (int64_t)value;
  }
}
static inline uint64_t unsigned_of(uint64_t value, enum twin_type type) {
  unsigned bits = 8 * twin_size(type);
  return bits == 64 ? value : value & ((1ull << bits) - 1);
}
static inline bool is_signed(enum twin_type type) {
  return type >= S8 && type <= S64;
}
/* What a register wider than the type holds of a value: its sign goes on, if it has one. */
static inline uint64_t extended(uint64_t value, enum twin_type type) {
  return is_signed(type) ? (uint64_t)signed_of(value, type) : unsigned_of(value, type);
}
static inline bool is_float(enum twin_type type) {
  return type == F16 || type == F32 || type == F64;
}

static inline double to_double(uint64_t bits, enum twin_type type) {
  float f;
  double d;
  _Float16 h;
  switch (type) {
  case F16:
    memcpy(&h, &bits, sizeof h);
    return (double)h;
  case F32:
    memcpy(&f, &bits, sizeof f);
    return (double)f;
  default:
    memcpy(&d, &bits, sizeof d);
    return d;
  }
}
static inline uint64_t from_double(double d, enum twin_type type) {
  uint64_t bits = 0;
  float f = (float)d;
  _Float16 h = (_Float16)d;
  switch (type) {
  case F16:
    memcpy(&bits, &h, sizeof h);
    break;
  case F32:
    memcpy(&bits, &f, sizeof f);
    break;
  default:
    memcpy(&bits, &d, sizeof d);
    break;
  }
  return bits;
}

#endif
