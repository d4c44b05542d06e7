/* What one work-item's instruction does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "numbers.h"

/* --- Operands --- */

static uint64_t special(const struct twin_thread *t, uint64_t which) {
  const struct twin_group *g = t->group;
  unsigned d = (unsigned)(which / 16);
  uint32_t below = (1u << t->lane) - 1, own = 1u << t->lane;
  switch ((enum twin_special)(which % 16)) {
  case TID:
    return t->id[d];
  case NTID:
    return g->size[d];
  case CTAID:
    return g->id[d];
  case NCTAID:
    return g->groups[d];
  case LANE:
    return t->lane;
  case LANES_LT:
    return below;
  case LANES_LE:
    return below | own;
  case LANES_GT:
    return ~(below | own);
  case LANES_GE:
    return ~below;
  case LANES_EQ:
    return own;
  case CLOCK:
    return (uint64_t)clock();
  }
  return 0;
}

/* Of what is neither in a register nor a number. */
uint64_t twin_special(const struct twin_thread *t, const struct twin_operand *o) {
  if (o->kind == SPECIAL) return special(t, o->value);
  if (o->kind == VARIABLE) return twin_address(t, o) - (uint64_t)o->offset;
  return o->value;
}

uint64_t twin_address(const struct twin_thread *t, const struct twin_operand *o) {
  uint64_t offset = (uint64_t)o->offset;
  if (o->kind != VARIABLE) return twin_value(t, o) + offset;
  if (o->in_frame) return (uintptr_t)t->frame->parameters + o->value + offset;
  if (o->in_local) return (uintptr_t)t->frame->local + o->value + offset;
  uint64_t behind = o->dynamic ? t->frame->function->shared_size : 0;
  return (uintptr_t)t->group->shared + (behind + 127) / 128 * 128 + o->value + offset;
}

#define ARG(n)      twin_value(t, &i->operands[n])
#define SIGNED(n)   signed_of(ARG(n), i->from)
#define UNSIGNED(n) unsigned_of(ARG(n), i->from)
#define FLOAT(n)    to_double(ARG(n), i->type)
#define SET(value)  twin_set(t, &i->operands[0], value)
#define DO(name)    static void do_##name(struct twin_thread *t, const struct twin_instruction *i)
#define BITS        (8 * twin_size(i->type))

/* Halves side by side. */
static uint64_t each_half(uint64_t a, uint64_t b, uint64_t c,
                          uint64_t (*f)(uint64_t, uint64_t, uint64_t)) {
  return f(a & 0xffff, b & 0xffff, c & 0xffff) |
         f(a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16;
}

/* The sign is a bit, NaN's too. */
static uint64_t signs(enum twin_type type) {
  return type == F16X2 ? 0x80008000u : 1ull << (8 * twin_size(type) - 1);
}
/* One rounding, in the direction that the name says. */
static uint64_t narrowed(double x, const struct twin_instruction *i) {
  uint64_t bits = from_double(x, i->type);
  double y = to_double(bits, i->type);
  bool toward_zero = TWIN_HAS(i, rz), up = TWIN_HAS(i, rp), down = TWIN_HAS(i, rm);
  bool too_far = (toward_zero && fabs(y) > fabs(x)) || (up && y < x) || (down && y > x);
  if (!too_far || isnan(x)) return bits;
  if (y == 0) return up ? 1 : signs(i->type) | 1;
  return (toward_zero || (up && y < 0) || (down && y > 0)) ? bits - 1 : bits + 1;
}
/* Sums and products of two floats are exact in double or rounded once by it: those of float are
 * right in double first (2 * 24 + 2 <= 53). */
#define ARITHMETIC(name, op)                                                                       \
  static uint64_t half_##name(uint64_t a, uint64_t b, uint64_t c) {                                \
    return from_double(to_double(a, F16) op to_double(b, F16), F16);                               \
  }                                                                                                \
  DO(name) {                                                                                       \
    if (is_float(i->type))                                                                         \
      SET(narrowed(FLOAT(1) op FLOAT(2), i));                                             \
    else if (i->type == F16X2)                                                                     \
      SET(each_half(ARG(1), ARG(2), 0, half_##name));                                              \
    else                                                                                           \
      SET(unsigned_of(ARG(1) op ARG(2), i->type));                                                 \
  }
ARITHMETIC(add, +)
ARITHMETIC(sub, -)
static uint64_t half_mul(uint64_t a, uint64_t b, uint64_t c) {
  return from_double(to_double(a, F16) * to_double(b, F16), F16);
}

static uint64_t product(const struct twin_thread *t, const struct twin_instruction *i) {
  __int128 whole = is_signed(i->type) ? (__int128)SIGNED(1) * SIGNED(2)
                                      : (__int128)((unsigned __int128)UNSIGNED(1) * UNSIGNED(2));
  if (TWIN_HAS(i, wide)) return (uint64_t)whole;
  return unsigned_of((uint64_t)(TWIN_HAS(i, hi) ? whole >> BITS : whole), i->type);
}
DO(mul) {
  if (is_float(i->type))
    SET(from_double(FLOAT(1) * FLOAT(2), i->type));
  else if (i->type == F16X2)
    SET(each_half(ARG(1), ARG(2), 0, half_mul));
  else
    SET(product(t, i));
}
DO(mad) {
  uint64_t sum = product(t, i) + ARG(3);
  SET(TWIN_HAS(i, wide) ? sum : unsigned_of(sum, i->type));
}
static uint64_t fused(double a, double b, double c, enum twin_type type) {
  if (type == F64) return from_double(fma(a, b, c), F64);
  if (type == F32) return from_double((double)fmaf((float)a, (float)b, (float)c), F32);
  return from_double(a * b + c, F16); /* exact but for sums far apart */
}
static uint64_t half_fma(uint64_t a, uint64_t b, uint64_t c) {
  return fused(to_double(a, F16), to_double(b, F16), to_double(c, F16), F16);
}
DO(fma) {
  if (i->type == F16X2)
    SET(each_half(ARG(1), ARG(2), ARG(3), half_fma));
  else
    SET(fused(FLOAT(1), FLOAT(2), FLOAT(3), i->type));
}
/* A product with a rounded inverse, within PTX's 2 ulp of div.full; the scaled inverse is normal. */
static double quotient_in_full(double a, double b) {
  double scale = fabs(b) > 0x1p126 ? 0x1p-2 : fabs(b) < 0x1p-126 ? 0x1p24 : 1;
  return a * scale * (float)(1 / (b * scale));
}
DO(div) {
  if (TWIN_HAS(i, full))
    SET(from_double(quotient_in_full(FLOAT(1), FLOAT(2)), i->type));
  else if (is_float(i->type))
    SET(from_double(FLOAT(1) / FLOAT(2), i->type));
  else if (!UNSIGNED(2))
    SET(unsigned_of(~0ull, i->type));
  else if (is_signed(i->type))
    SET(unsigned_of(SIGNED(2) == -1 ? -(uint64_t)SIGNED(1) : (uint64_t)(SIGNED(1) / SIGNED(2)),
                    i->type));
  else
    SET(UNSIGNED(1) / UNSIGNED(2));
}
DO(rem) {
  if (!UNSIGNED(2))
    SET(UNSIGNED(1));
  else if (is_signed(i->type))
    SET(unsigned_of(SIGNED(2) == -1 ? 0 : (uint64_t)(SIGNED(1) % SIGNED(2)), i->type));
  else
    SET(UNSIGNED(1) % UNSIGNED(2));
}
#define OF_ONE(name, expression)                                                                   \
  DO(name) {                                                                                       \
    double x = FLOAT(1);                                                                           \
    SET(from_double(expression, i->type));                                                         \
  }
OF_ONE(sqrt, sqrt(x))
OF_ONE(rsqrt, 1 / sqrt(x))
OF_ONE(rcp, 1 / x)
OF_ONE(sin, sin(x))
OF_ONE(cos, cos(x))
OF_ONE(ex2, exp2(x))
OF_ONE(lg2, log2(x))
OF_ONE(tanh, tanh(x))

DO(neg) {
  bool floats = is_float(i->type) || i->type == F16X2;
  SET(floats ? ARG(1) ^ signs(i->type) : unsigned_of(-ARG(1), i->type));
}
DO(abs) {
  bool floats = is_float(i->type) || i->type == F16X2;
  int64_t x = floats ? 0 : SIGNED(1);
  SET(floats ? ARG(1) & ~signs(i->type) : unsigned_of(x < 0 ? -(uint64_t)x : (uint64_t)x, i->type));
}
#define EXTREME(name, of_floats, op)                                                               \
  static uint64_t half_##name(uint64_t a, uint64_t b, uint64_t c) {                                \
    return from_double(of_floats(to_double(a, F16), to_double(b, F16)), F16);                      \
  }                                                                                                \
  DO(name) {                                                                                       \
    if (is_float(i->type))                                                                         \
      SET(from_double(of_floats(FLOAT(1), FLOAT(2)), i->type));                                    \
    else if (i->type == F16X2)                                                                     \
      SET(each_half(ARG(1), ARG(2), 0, half_##name));                                              \
    else if (is_signed(i->type))                                                                   \
      SET(SIGNED(1) op SIGNED(2) ? ARG(1) : ARG(2));                                               \
    else                                                                                           \
      SET(UNSIGNED(1) op UNSIGNED(2) ? ARG(1) : ARG(2));                                           \
  }
EXTREME(min, fmin, <)
EXTREME(max, fmax, >)
DO(copysign) {
  uint64_t sign = signs(i->type);
  SET((ARG(2) & ~sign) | (ARG(1) & sign));
}

/* --- Bits --- */

#define BITWISE(name, op)                                                                          \
  DO(name) {                                                                                       \
    SET(ARG(1) op ARG(2));                                                                         \
  }
BITWISE(and, &)
BITWISE(or, |)
BITWISE(xor, ^)
DO(not ) {
  SET(i->type == PRED ? !ARG(1) : unsigned_of(~ARG(1), i->type));
}
DO(shl) {
  uint32_t by = (uint32_t)ARG(2);
  SET(by >= BITS ? 0 : unsigned_of(ARG(1) << by, i->type));
}
DO(shr) {
  uint32_t by = (uint32_t)ARG(2), most = BITS - 1;
  if (is_signed(i->type))
    SET(unsigned_of((uint64_t)(SIGNED(1) >> (by > most ? most : by)), i->type));
  else
    SET(by > most ? 0 : UNSIGNED(1) >> by);
}
DO(shf) {
  uint32_t by = (uint32_t)ARG(3);
  by = TWIN_HAS(i, wrap) ? by & 31 : by > 32 ? 32 : by;
  uint64_t both = (uint32_t)ARG(1) | ARG(2) << 32;
  SET((uint32_t)(TWIN_HAS(i, l) ? (both << by) >> 32 : both >> by));
}
DO(bfe) {
  uint32_t at = ARG(2) & 255, length = ARG(3) & 255, bits = BITS;
  uint64_t value = at >= bits ? 0 : UNSIGNED(1) >> at;
  if (length < bits) value = length ? value & ((1ull << length) - 1) : 0;
  if (is_signed(i->type) && length) {
    uint32_t last = at + length - 1 < bits - 1 ? at + length - 1 : bits - 1;
    bool sign = UNSIGNED(1) >> last & 1;
    uint32_t have = last >= at ? last - at + 1 : 0;
    if (sign && have < 64) value |= ~0ull << have;
  }
  SET(unsigned_of(value, i->type));
}
DO(bfi) {
  uint32_t at = ARG(3) & 255, length = ARG(4) & 255, bits = BITS;
  uint64_t mask = length >= 64 ? ~0ull : (1ull << length) - 1;
  mask = at >= bits ? 0 : mask << at;
  SET(unsigned_of((ARG(2) & ~mask) | ((at >= bits ? 0 : ARG(1) << at) & mask), i->type));
}
DO(brev) {
  uint64_t value = ARG(1), back = 0;
  for (unsigned k = 0; k < BITS; k++) back |= (value >> k & 1) << (BITS - 1 - k);
  SET(back);
}
DO(popc) {
  SET((uint64_t)__builtin_popcountll(UNSIGNED(1)));
}
DO(clz) {
  SET(UNSIGNED(1) ? (uint64_t)__builtin_clzll(UNSIGNED(1)) - (64 - BITS) : BITS);
}
DO(bfind) {
  uint64_t x = is_signed(i->type) && SIGNED(1) < 0 ? unsigned_of(~ARG(1), i->type) : UNSIGNED(1);
  uint64_t at = x ? 63 - (uint64_t)__builtin_clzll(x) : 0xffffffff;
  SET(x && TWIN_HAS(i, shiftamt) ? BITS - 1 - at : at);
}
DO(prmt) {
  uint64_t both = (uint32_t)ARG(1) | ARG(2) << 32, how = ARG(3), made = 0;
  for (unsigned k = 0; k < 4; k++) {
    uint64_t which = how >> (4 * k) & 15, byte = both >> (8 * (which & 7)) & 255;
    if (which & 8) byte = byte & 128 ? 255 : 0;
    made |= byte << (8 * k);
  }
  SET(made);
}
DO(lop3) {
  uint64_t a = ARG(1), b = ARG(2), c = ARG(3), table = ARG(4), made = 0;
  for (unsigned k = 0; k < 32; k++)
    made |= (table >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
  SET(made);
}
DO(dp4a) {
  int64_t sum = (int32_t)ARG(3);
  for (unsigned k = 0; k < 4; k++) {
    int64_t a = (int64_t)(ARG(1) >> (8 * k) & 255), b = (int64_t)(ARG(2) >> (8 * k) & 255);
    sum += (i->type == S32 ? (int8_t)a : a) * (i->from == S32 ? (int8_t)b : b);
  }
  SET((uint32_t)sum);
}

/* --- Comparisons, moves, conversions --- */

static bool compare(const struct twin_thread *t, const struct twin_instruction *i) {
  bool less, equal, unordered = false;
  if (is_float(i->type)) {
    double a = FLOAT(1), b = FLOAT(2);
    less = a < b, equal = a == b, unordered = isnan(a) || isnan(b);
  } else if (is_signed(i->type)) {
    less = SIGNED(1) < SIGNED(2), equal = SIGNED(1) == SIGNED(2);
  } else {
    less = UNSIGNED(1) < UNSIGNED(2), equal = UNSIGNED(1) == UNSIGNED(2);
  }
  return i->holds >> (unordered ? 3 : less ? 0 : equal ? 1 : 2) & 1;
}
/* Bits: of what is less, equal, more, or not ordered. */
static unsigned holds(const struct twin_instruction *i) {
  unsigned bits = 0;
#define IF(word, ordered) if (TWIN_HAS(i, word)) bits |= ordered;
#define EITHER(word, ordered) IF(word, ordered) IF(word##u, ordered | 8)
  EITHER(lt, 1) EITHER(le, 3) EITHER(gt, 4) EITHER(ge, 6) EITHER(eq, 2) EITHER(ne, 5)
  IF(lo, 1) IF(ls, 3) IF(hi, 4) IF(hs, 6) IF(num, 7) IF(nan, 8)
#undef IF
  return bits;
}
DO(setp) {
  SET(compare(t, i));
}
DO(selp) {
  SET(ARG(3) ? ARG(1) : ARG(2));
}
DO(mov) { /* "true" of a predicate may be written as -1 */
  SET(ARG(1));
}
DO(mov_parts) { /* {a, b}, x */
  unsigned bits = BITS / i->vector;
  uint64_t value = ARG(i->vector);
  for (unsigned k = 0; k < i->vector; k++)
    twin_set(t, &i->operands[k], bits == 64 ? value : value >> (k * bits) & ((1ull << bits) - 1));
}
DO(mov_whole) { /* x, {a, b} */
  unsigned bits = BITS / i->vector;
  uint64_t value = 0;
  for (unsigned k = 0; k < i->vector; k++)
    value |= (ARG(1 + k) & (bits == 64 ? ~0ull : (1ull << bits) - 1)) << (k * bits);
  SET(value);
}

static double rounded(double x, const struct twin_instruction *i) {
  return TWIN_HAS(i, rni)   ? rint(x)
         : TWIN_HAS(i, rzi) ? trunc(x)
         : TWIN_HAS(i, rmi) ? floor(x)
         : TWIN_HAS(i, rpi) ? ceil(x)
                            : x;
}
static uint64_t to_integer(double x, enum twin_type type) {
  unsigned bits = 8 * twin_size(type);
  if (isnan(x)) return bits == 64 ? 1ull << 63 : 0;
  double most = ldexp(1, (int)bits - is_signed(type)), least = is_signed(type) ? -most : 0;
  if (x >= most) return is_signed(type) ? (1ull << (bits - 1)) - 1 : unsigned_of(~0ull, type);
  if (x <= least) return is_signed(type) ? unsigned_of(1ull << (bits - 1), type) : 0;
  return unsigned_of(x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x, type);
}
static uint64_t from_integer(const struct twin_thread *t, const struct twin_instruction *i) {
  uint64_t bits;
  if (i->type == F32 && !TWIN_HAS(i, rz) && !TWIN_HAS(i, rp) && !TWIN_HAS(i, rm)) {
    float f = is_signed(i->from) ? (float)SIGNED(1) : (float)UNSIGNED(1);
    bits = 0;
    memcpy(&bits, &f, sizeof f);
    return bits;
  }
  long double exact = is_signed(i->from) ? (long double)SIGNED(1) : (long double)UNSIGNED(1);
  if ((double)exact == exact) return narrowed((double)exact, i);
  double x = (double)exact; /* 64 bits: one step from what is right, or it */
  if (i->type == F64) {
    long double y = x;
    if (TWIN_HAS(i, rz) && (y < 0 ? y < exact : y > exact)) x = nextafter(x, 0);
    if (TWIN_HAS(i, rp) && y < exact) x = nextafter(x, INFINITY);
    if (TWIN_HAS(i, rm) && y > exact) x = nextafter(x, -INFINITY);
    return from_double(x, F64);
  }
  if ((long double)x > exact) x = nextafter(x, -INFINITY); /* sticky: odd numbers round right */
  memcpy(&bits, &x, sizeof bits);
  bits |= 1;
  memcpy(&x, &bits, sizeof bits);
  return narrowed(x, i);
}
DO(cvt) {
  if (i->type == F16X2) {
    struct twin_instruction half = *i;
    half.type = F16;
    uint64_t upper = narrowed(to_double(ARG(1), i->from), &half), lower = narrowed(to_double(ARG(2), i->from), &half);
    SET(upper << 16 | lower);
  } else if (is_float(i->from) && is_float(i->type)) {
    double x = rounded(to_double(ARG(1), i->from), i);
    if (TWIN_HAS(i, sat)) x = x > 1 ? 1 : x > 0 ? x : 0;
    SET(narrowed(x, i));
  } else if (is_float(i->from)) {
    SET(extended(to_integer(rounded(to_double(ARG(1), i->from), i), i->type), i->type));
  } else if (is_float(i->type)) {
    SET(from_integer(t, i));
  } else if (TWIN_HAS(i, sat)) {
    long double x = is_signed(i->from) ? (long double)SIGNED(1) : (long double)UNSIGNED(1);
    long double most = ldexpl(1, (int)BITS - is_signed(i->type)) - 1,
                least = is_signed(i->type) ? -most - 1 : 0;
    x = x > most ? most : x < least ? least : x;
    SET(extended(x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x, i->type));
  } else {
    SET(extended(extended(ARG(1), i->from), i->type));
  }
}
DO(cvta) {
  SET(ARG(1));
} /* all spaces are at their own places */
DO(isspacep) {
  uint64_t at = ARG(1);
  bool in_shared = twin_is_shared(t, at), in_local = twin_is_local(t, at);
  SET(TWIN_HAS(i, shared) ? in_shared : TWIN_HAS(i, local) ? in_local : !in_shared && !in_local);
}

/* --- Memory --- */

static void *place(const struct twin_thread *t, const struct twin_instruction *i, unsigned operand,
                   uint64_t size) {
  uint64_t at = twin_address(t, &i->operands[operand]), begin = (uintptr_t)t->group->shared;
  if (at % size) twin_fail("%s is not aligned", i->name);
  if (TWIN_HAS(i, shared) && (at < begin || at + size > begin + t->group->shared_size))
    twin_fail("%s outside of shared memory, at %lld of %zu", i->name, (long long)(at - begin),
              t->group->shared_size);
  /* Other memory is the host's, which some GPUs reach and others do not. */
  bool is_foreign = t->group->strict && !TWIN_HAS(i, param) && !twin_is_memory(at) &&
                    !twin_is_lent(at) && !twin_is_shared(t, at) && !twin_is_local(t, at);
  void *real = at < 4096 || is_foreign ? NULL : twin_reach(at, size, t->group->device);
  if (!real)
    twin_fail("%s: %s at %llx, where the device has no memory", t->frame->function->name, i->name,
              (unsigned long long)at);
  return real;
}
DO(ld) {
  unsigned parts = i->vector ? i->vector : 1, size = twin_size(i->type);
  unsigned char *from = place(t, i, parts, parts * size);
  for (unsigned k = 0; k < parts; k++)
    twin_set(t, &i->operands[k], extended(twin_load(from + k * size, size), i->type));
}
DO(st) {
  unsigned parts = i->vector ? i->vector : 1, size = twin_size(i->type);
  unsigned char *to = place(t, i, 0, parts * size);
  for (unsigned k = 0; k < parts; k++) twin_store(to + k * size, ARG(1 + k), size);
}
static uint64_t changed(const struct twin_thread *t, const struct twin_instruction *i, uint64_t old,
                        unsigned first) {
  uint64_t x = ARG(first);
  int64_t a = signed_of(old, i->type), b = signed_of(x, i->type);
  bool less = is_signed(i->type) ? a < b : unsigned_of(old, i->type) < unsigned_of(x, i->type);
  if (TWIN_HAS(i, add) && is_float(i->type))
    return from_double(to_double(old, i->type) + to_double(x, i->type), i->type);
  if (TWIN_HAS(i, add)) return old + x;
  if (TWIN_HAS(i, min)) return less ? old : x;
  if (TWIN_HAS(i, max)) return less ? x : old;
  if (TWIN_HAS(i, and)) return old & x;
  if (TWIN_HAS(i, or)) return old | x;
  if (TWIN_HAS(i, xor)) return old ^ x;
  if (TWIN_HAS(i, exch)) return x;
  if (!is_float(i->type)) x = unsigned_of(x, i->type); /* its register may be wider, or a number */
  if (TWIN_HAS(i, inc)) return old >= x ? 0 : old + 1;
  if (TWIN_HAS(i, dec)) return !old || old > x ? x : old - 1;
  if (TWIN_HAS(i, cas)) return old == x ? ARG(first + 1) : old;
  twin_fail("%s is not known", i->name);
}
static uint64_t change(struct twin_thread *t, const struct twin_instruction *i, unsigned at) {
  unsigned size = twin_size(i->type);
  void *to = place(t, i, at, size);
  for (;;) {
    uint64_t old = twin_load(to, size);
    if (twin_replace(to, old, changed(t, i, old, at + 1), size)) return old;
  }
}
DO(atom) {
  SET(change(t, i, 1));
}
DO(red) {
  change(t, i, 0);
}
DO(nothing) {}

/* --- Flow --- */

DO(bra) {
  t->frame->at = i->operands[0].value;
}
DO(ret) {
  twin_leave(t);
}
DO(trap) {
  twin_fail("trap");
}
DO(call) { /* (result), function, (parameters) */
  unsigned at = i->operands[0].kind == FUNCTION ? 0 : 1;
  const struct twin_function *f = i->operands[at].function;
  if (!f || !f->code) twin_fail("%s: of what has no code", i->name);
  struct twin_frame *frame = twin_enter(f, t->frame);
  for (unsigned k = 0; k < f->num_parameters; k++)
    memcpy(frame->parameters + f->parameters[k].offset,
           (void *)(uintptr_t)twin_address(t, &i->operands[at + 1 + k]), f->parameters[k].size);
  t->frame = frame;
}

static const struct {
  const char *name;
  twin_do *run;
} table[] = {
#define ROW(name) {#name, do_##name},
    ROW(add) ROW(sub) ROW(mul) ROW(mad) ROW(fma) ROW(div) ROW(rem) ROW(sqrt) ROW(rsqrt) ROW(rcp)
        ROW(sin) ROW(cos) ROW(ex2) ROW(lg2) ROW(tanh) ROW(neg) ROW(abs) ROW(min) ROW(max)
            ROW(copysign) ROW(and) ROW(or) ROW(xor) ROW(not ) ROW(shl) ROW(shr) ROW(shf) ROW(bfe)
                ROW(bfi) ROW(brev) ROW(popc) ROW(clz) ROW(bfind) ROW(prmt) ROW(lop3) ROW(dp4a)
                    ROW(setp) ROW(selp) ROW(mov) ROW(cvt) ROW(cvta) ROW(isspacep) ROW(ld) ROW(st)
                        ROW(atom) ROW(red) ROW(bra) ROW(ret) ROW(trap) ROW(call){"exit", do_ret},
    {"fence", do_nothing},
    {"membar", do_nothing},
    {"bar", twin_at_barrier},
    {"barrier", twin_at_barrier},
    {"shfl", twin_among_lanes},
    {"vote", twin_among_lanes},
    {"redux", twin_among_lanes},
    {"match", twin_among_lanes},
    {"mma", twin_among_lanes},
    {"activemask", do_nothing},
    {"nanosleep", do_nothing},
    {"mov_parts", do_mov_parts},
    {"mov_whole", do_mov_whole},
};

void twin_prepare(struct twin_instruction *i) {
  if (i->run == do_setp) i->holds = (unsigned char)holds(i);
}

twin_do *twin_find(const char *name) {
  size_t length = strcspn(name, ".");
  if (!strncmp(name, "bar.warp", 8)) return twin_among_lanes;
  if (strstr(name, ".cc.") || !strncmp(name, "addc.", 5) || !strncmp(name, "subc.", 5))
    return twin_with_carry;
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (strlen(table[k].name) == length && !strncmp(table[k].name, name, length))
      return table[k].run;
  return NULL;
}
