/* Integer functions against 128-bit arithmetic, for all types or for those that are named: integer WIDTH [TYPE...]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/evaluate.h"

enum { COUNT = 48 * 200 };
typedef __int128 wide;

static const struct type {
  const char *name, *unsigned_name;
  int bits;
  bool is_signed;
} types[] = {{"char", "uchar", 8, true},    {"uchar", "uchar", 8, false},
             {"short", "ushort", 16, true}, {"ushort", "ushort", 16, false},
             {"int", "uint", 32, true},     {"uint", "uint", 32, false},
             {"long", "ulong", 64, true},   {"ulong", "ulong", 64, false}};
static const struct type *type;
static int width, bits;
static wide lowest, highest;
static cl_program program;
static uint64_t a[COUNT], b[COUNT], c[COUNT], out[COUNT]; /* storage of the widest type */

static uint64_t bits_at(const void *values, size_t i) {
  uint64_t x = 0;
  memcpy(&x, (const char *)values + i * (unsigned)bits / 8, (unsigned)bits / 8);
  return x;
}
static uint64_t cut(wide x) {
  return bits == 64 ? (uint64_t)x : (uint64_t)x & (((uint64_t)1 << bits) - 1);
}
static wide value_at(const void *values, size_t i) {
  uint64_t x = bits_at(values, i);
  if (!type->is_signed) return x;
  return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static wide limit(wide x) {
  return x < lowest ? lowest : x > highest ? highest : x;
}
/* Two ulongs do not fit in a signed product; its upper bits come out right all the same. */
static wide product(wide x, wide y) {
  return (wide)((unsigned __int128)x * (unsigned __int128)y);
}
static wide limited_sum(wide x, wide y, wide z) {
  if (type->is_signed) return limit(x * y + z);
  unsigned __int128 sum = (unsigned __int128)x * (unsigned __int128)y + (unsigned __int128)z;
  return sum > (unsigned __int128)highest ? highest : (wide)sum;
}
static wide leading_zeros(wide x) {
  int n = 0;
  for (int bit = bits - 1; bit >= 0 && !(cut(x) >> bit & 1); bit--) n++;
  return n;
}
static wide trailing_zeros(wide x) {
  int n = 0;
  for (int bit = 0; bit < bits && !(cut(x) >> bit & 1); bit++) n++;
  return n;
}
static wide ones(wide x) {
  int n = 0;
  for (int bit = 0; bit < bits; bit++) n += cut(x) >> bit & 1;
  return n;
}
static wide rotated(wide x, wide y) {
  int n = (int)(cut(y) & (uint64_t)(bits - 1));
  return n ? (wide)(cut(x) << n | cut(x) >> (bits - n)) : x;
}

static wide reversed(wide x) {
  uint64_t y = 0;
  for (int k = 0; k < bits; k++) y |= (cut(x) >> k & 1) << (bits - 1 - k);
  return y;
}
/* Where a field is. */
static int offset_in(wide z) {
  return (int)(cut(z) % (uint64_t)bits);
}
static int count_in(wide z) {
  return (int)(cut(z) / (uint64_t)bits % (uint64_t)(bits - offset_in(z) + 1));
}
static wide inserted(wide x, wide y, wide z) {
  int offset = offset_in(z), count = count_in(z);
  uint64_t result = 0;
  for (int k = 0; k < bits; k++) {
    bool inside = k >= offset && k < offset + count;
    result |= (inside ? cut(y) >> (k - offset) & 1 : cut(x) >> k & 1) << k;
  }
  return result;
}
static wide extracted(wide x, wide z, bool is_signed) {
  int offset = offset_in(z), count = count_in(z);
  wide result = 0;
  for (int k = 0; k < count; k++) result += (wide)(cut(x) >> (offset + k) & 1) << k;
  bool negative = is_signed && count && cut(x) >> (offset + count - 1) & 1;
  return negative ? result - ((wide)1 << count) : result;
}

static void fill_integers(uint64_t *values, uint64_t seed) {
  for (size_t i = 0; i < COUNT; i++) {
    uint64_t random = random_next(&seed), x = random;
    switch (random_next(&seed) % 8) {
    case 0:
      x = (uint64_t)1 << (bits - 1);
      break;
    case 1:
      x = ((uint64_t)1 << (bits - 1)) - 1;
      break;
    case 2:
      x = ~(uint64_t)0;
      break;
    case 3:
      x = random % 4;
      break;
    case 4:
      x = (uint64_t)1 << random % (unsigned)bits;
      break;
    }
    memcpy((char *)values + i * (unsigned)bits / 8, &x, (unsigned)bits / 8);
  }
}

/* is_field: z is the same for all components. */
static void run(const char *name, int operands, wide (*reference)(wide, wide, wide),
                bool is_field) {
  uint64_t *const in[] = {a, b, c};
  for (int form = 0; form < 2; form++) {
    char kernel[64];
    unsigned scale = form ? (unsigned)width : 1, size = scale * (unsigned)bits / 8;
    struct call call = {.items = COUNT / scale, .out_size = size, .out = out};
    snprintf(kernel, sizeof kernel, "%s_%s", form ? "vector" : "scalar", name);
    for (int i = 0; i < operands; i++) {
      call.in[i].data = in[i];
      call.in[i].size = size;
    }
    evaluate(program, kernel, &call);
    for (size_t i = 0; i < COUNT; i++) {
      wide x = value_at(a, i), y = value_at(b, i), z = value_at(c, is_field ? i / scale * scale : i);
      uint64_t got = bits_at(out, i);
      if (!strcmp(name, "clamp") && y > z) continue; /* undefined */
      if (got != cut(reference(x, y, z)))
        wrong("%s of %s: f(%#lx, %#lx, %#lx) is %#lx, not %#lx", kernel, type->name, bits_at(a, i),
              bits_at(b, i), bits_at(c, i), got, cut(reference(x, y, z)));
    }
  }
}

#define REFERENCE(f, expression)                                                                   \
  static wide reference_##f(wide x, wide y, wide z) {                                              \
    return (void)x, (void)y, (void)z, (expression);                                                \
  }
#define INT_1(f, expression) REFERENCE(f, expression)
#define INT_2(f, expression) REFERENCE(f, expression)
#define INT_3(f, expression) REFERENCE(f, expression)
#define FIELD(f, args, expression) REFERENCE(f, expression)
#include "builtins/integer.def"
#undef INT_1
#undef INT_2
#undef INT_3
#undef FIELD

int main(int argc, char **argv) {
  if (argc < 2) die("usage: integer WIDTH [TYPE...]");
  width = atoi(argv[1]);
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    char options[96];
    bool named = argc == 2;
    type = &types[t];
    for (int i = 2; i < argc; i++) named |= !strcmp(argv[i], type->name);
    if (!named) continue;
    bits = type->bits;
    lowest = type->is_signed ? -((wide)1 << (bits - 1)) : 0;
    highest = ((wide)1 << (bits - type->is_signed)) - 1;
    fill_integers(a, 1);
    fill_integers(b, 2);
    fill_integers(c, 3);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s -DU=%s -DN=%d", type->name,
             type->unsigned_name, width);
    program = build_file("integer.cl", options);
#define INT_1(f, expression) run(#f, 1, reference_##f, false);
#define INT_2(f, expression) run(#f, 2, reference_##f, false);
#define INT_3(f, expression) run(#f, 3, reference_##f, false);
#define FIELD(f, args, expression) run(#f, 3, reference_##f, true);
#include "builtins/integer.def"
    CL(clReleaseProgram(program));
  }
  return verdict();
}
