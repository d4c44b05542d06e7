/* What the types, functions and conversions of OpenCL C give, for the interpreter. */
#include <string.h>

#include "fuzz/tree.h"

typedef __int128 big;

const struct field fields[FIELDS] = {
#define X(name, type, lanes, length, byte) {#name, T_##type, lanes, length, byte},
    FUZZ_FIELDS(X)
#undef X
};

unsigned bits_of(enum fuzz_type type) {
  static const uint8_t sizes[] = {
#define X(T, C) sizeof(C),
      FUZZ_TYPES(X)
#undef X
  };
  return 8u * sizes[type];
}

static bool is_signed(enum fuzz_type type) {
  return type == T_char || type == T_short || type == T_int || type == T_long;
}

uint64_t convert(enum fuzz_type type, uint64_t bits) {
  unsigned above = 64 - bits_of(type);
  if (type == T_float) return bits & 0xffff;
  if (type == T_double) return (uint32_t)bits;
  return is_signed(type) ? (uint64_t)((int64_t)(bits << above) >> above) : bits << above >> above;
}

bool less_in(enum fuzz_type type, uint64_t a, uint64_t b) {
  return is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

static big number(enum fuzz_type type, uint64_t bits) {
  bits = convert(type, bits);
  return is_signed(type) ? (big)(int64_t)bits : (big)bits;
}

static uint64_t saturated(enum fuzz_type type, big x) {
  unsigned bits = bits_of(type) - is_signed(type);
  big most = ((big)1 << bits) - 1, least = is_signed(type) ? -most - 1 : 0;
  return (uint64_t)(x > most ? most : x < least ? least : x);
}

static uint64_t magnitude(enum fuzz_type type, big x) {
  uint64_t bits = (uint64_t)(x < 0 ? -x : x);
  return bits_of(type) < 64 ? bits & (((uint64_t)1 << bits_of(type)) - 1) : bits;
}

static uint64_t counted(enum calc op, uint64_t ones, unsigned bits) {
  if (op == C_popcount) return (uint64_t)__builtin_popcountll(ones);
  if (!ones) return bits;
  if (op == C_clz) return (uint64_t)__builtin_clzll(ones) - (64 - bits);
  return (uint64_t)__builtin_ctzll(ones);
}

static big high(enum fuzz_type type, big x, big y) {
  unsigned bits = bits_of(type);
  if (is_signed(type)) return (x * y) >> bits;
  return (big)(((unsigned __int128)x * (unsigned __int128)y) >> bits);
}

static big multiplied(enum fuzz_type type, big x, big y, big z) {
  big most = ((big)1 << 126);
  if (is_signed(type)) return x * y + z;
  unsigned __int128 sum = (unsigned __int128)x * (unsigned __int128)y + (unsigned __int128)z;
  return sum > (unsigned __int128)most ? most : (big)sum;
}

static uint64_t calc(enum calc op, enum fuzz_type type, uint64_t a, uint64_t b, uint64_t c) {
  unsigned bits = bits_of(type), by = (unsigned)b & (bits - 1);
  big x = number(type, a), y = number(type, b), z = number(type, c);
  uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0, ones = a & all;
  switch (op) {
  case C_clz: case C_ctz: case C_popcount: return counted(op, ones, bits);
  case C_abs: return magnitude(type, x);
  case C_rotate: return convert(type, by ? ones << by | ones >> (bits - by) : ones);
  case C_mul_hi: return convert(type, (uint64_t)high(type, x, y));
  case C_abs_diff: return magnitude(type, x - y);
  case C_hadd: return (uint64_t)((x + y) >> 1);
  case C_rhadd: return (uint64_t)((x + y + 1) >> 1);
  case C_add_sat: return saturated(type, x + y);
  case C_sub_sat: return saturated(type, x - y);
  case C_min: return (uint64_t)(y < x ? y : x);
  case C_max: return (uint64_t)(x < y ? y : x);
  case C_upsample: return (uint64_t)x << bits | (b & all);
  case C_shr: return (uint64_t)(x >> (b & (bits < 64 ? 31 : 63))); /* promoted to int */
  case C_bitselect: return convert(type, (a & ~c) | (b & c));
  case C_mad_hi: return convert(type, (uint64_t)(high(type, x, y) + z));
  case C_mad_sat: return saturated(type, multiplied(type, x, y, z));
  default: return (uint64_t)x; /* a cast */
  }
}

/* As in prelude.cl: by 0 is by 1, what a remainder leaves then too. */
static uint64_t divided(enum fuzz_type type, bool remainder, uint64_t a, uint64_t b) {
  big x = number(type, a), y = number(type, b);
  if (y == 0) return (uint64_t)x;
  return convert(type, (uint64_t)(remainder ? x % y : x / y));
}

/* `quarters` / 4 as an integer. */
static big rounded(enum rounding how, int64_t quarters) {
  int64_t below = quarters >> 2, part = quarters & 3;
  switch (how) {
  case ROUND_rtn: return below;
  case ROUND_rtp: return below + (part > 0);
  case ROUND_rte: return below + (part > 2 || (part == 2 && below & 1));
  default: return below + (part && quarters < 0); /* toward zero */
  }
}

static uint64_t exact(const struct expr *e, uint64_t a, uint64_t b, uint64_t c) {
  int64_t x[3] = {(int64_t)(a & 4095) - 2048, (int64_t)(b & 4095) - 2048, (int64_t)(c & 4095) - 2048};
  switch ((enum exact)e->op) {
  case X_add: return (uint64_t)(x[0] + x[1]);
  case X_sub: return (uint64_t)(x[0] - x[1]);
  case X_mul: return (uint64_t)(x[0] * x[1]);
  case X_mad: return (uint64_t)(x[0] * x[1] + x[2]);
  case X_less: return (uint64_t)(x[0] < x[1] ? x[2] : x[0]);
  case X_square: return (uint64_t)(x[0] * x[0]);
  case X_divide: return (uint64_t)(x[1] ? x[0] * x[1] / x[1] : x[0]);
  default: return (uint64_t)x[0];
  }
}

uint64_t calculate_typed(const struct expr *e, uint64_t a, uint64_t b, uint64_t c) {
  enum fuzz_type type = (enum fuzz_type)e->type;
  switch (e->kind) {
  case E_CALC: return calc((enum calc)e->op, type, a, b, c);
  case E_DIVIDE: return divided(type, e->op, a, b);
  case E_CONVERT: return saturated(type, number((enum fuzz_type)e->more, a));
  case E_ROUND: return saturated(type, rounded((enum rounding)e->op, (int64_t)(a & 0xffff) - 0x8000));
  default: return exact(e, a, b, c);
  }
}

uint64_t calculate_vector(enum fuzz_type type, int op, uint64_t a, uint64_t b) {
  switch (op) {
  case V_ADD: return convert(type, a + b);
  case V_SUB: return convert(type, a - b);
  case V_MUL: return convert(type, a * b);
  case V_AND: return convert(type, a & b);
  case V_XOR: return convert(type, a ^ b);
  case V_CHOOSE: return less_in(type, a, b) ? b : a;
  case C_min: return less_in(type, b, a) ? b : a;
  case C_max: return less_in(type, a, b) ? b : a;
  default: return convert(type, calc((enum calc)op, type, a, b, 0));
  }
}

/* ---- records */

static int slots_of_field(const struct field *f) { return f->length ? f->length : f->lanes; }

int field_slot(int field, int element) {
  for (int i = 0; i < field; i++) element += slots_of_field(&fields[i]);
  return element;
}

static enum fuzz_type type_of_slot(int slot) {
  int f = 0;
  while (slot >= slots_of_field(&fields[f])) slot -= slots_of_field(&fields[f++]);
  return fields[f].type;
}

uint64_t record_start(size_t item, int slot) {
  uint64_t x = (item * RECORD_SLOTS + (unsigned)slot + 1) * 0x9e3779b97f4a7c15u;
  return convert(type_of_slot(slot), x >> 13);
}

void pack_record(const uint64_t *slots, void *bytes) {
  memset(bytes, 0, RECORD_BYTES);
  for (int f = 0; f < FIELDS; f++)
    for (int i = 0; i < slots_of_field(&fields[f]); i++, slots++) {
      size_t size = bits_of(fields[f].type) / 8;
      float as_float = (float)*slots;
      double as_double = (double)*slots;
      const void *value = fields[f].type == T_float    ? (const void *)&as_float
                          : fields[f].type == T_double ? (const void *)&as_double
                                                       : slots;
      memcpy((char *)bytes + fields[f].byte + (size_t)i * size, value, size);
    }
}
