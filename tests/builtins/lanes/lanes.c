/* The built-in library's sub-group functions alone, without the compiler: every overload of the
 * table, for all sizes, full and partial sub-groups and random sets of work-items that take part,
 * against a serial reference.
 *
 * A sub-group is simulated by calling a function for each lane over and over: when all have
 * reached a collective, the calls come that go beyond it (wrappers.cl).  Operands of lanes that
 * take no part, and what lies behind the last, are garbage that must still be there afterwards. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../run/reference.h"

enum { MOST_LANES = 64, MOST_BYTES = 128, MOST_SYNCS = 4 };

/* As in wrappers.cl. */
struct arguments {
  _Alignas(128) unsigned char first[MOST_BYTES];
  uint32_t second, third;
};
struct sync {
  uint32_t phase, combined, size, lane;
  uint64_t active;
  void *operands;
  uint32_t *second;
  void *result;
};

enum parameter { NONE, INT, UINT, UINT4, TYPE };
static const struct entry {
  const char *name, *type;
  enum parameter value, first, second, third;
  void (*call)(const struct arguments *, void *);
} entries[];

#define ENTRY(f, T, value, first, second, third)                                                   \
  void wrap_##f##_##T(const struct arguments *, void *);
#include "list.h"
#undef ENTRY
#define ENTRY(f, T, value, first, second, third)                                                   \
  {#f, #T, value, first, second, third, wrap_##f##_##T},
static const struct entry entries[] = {
#include "list.h"
};

static const struct scalar {
  const char *name;
  unsigned size;
  bool is_signed, is_float;
} scalars[] = {
    {"char", 1, true, false},    {"uchar", 1, false, false}, {"short", 2, true, false},
    {"ushort", 2, false, false}, {"int", 4, true, false},    {"uint", 4, false, false},
    {"long", 8, true, false},    {"ulong", 8, false, false}, {"half", 2, true, true},
    {"float", 4, true, true},    {"double", 8, true, true},
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static uint64_t seed = 1;
static uint64_t random_bits(void) {
  uint64_t x = seed += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/* ---- one call by a whole sub-group */

static struct {
  const struct entry *entry;
  const struct scalar *scalar;
  unsigned width, bytes; /* of the operand */
  uint32_t size;
  uint64_t active;
  struct arguments arguments[MOST_LANES];
  _Alignas(128) unsigned char results[MOST_LANES][MOST_BYTES];
  struct sync syncs[MOST_SYNCS];
  _Alignas(128) unsigned char operands[MOST_SYNCS][(MOST_LANES + 1) * MOST_BYTES];
  _Alignas(64) uint32_t seconds[MOST_SYNCS][MOST_LANES + 16];
  unsigned reached, at; /* syncs that all have reached; the next one of the lane that runs */
  uint32_t lane;
} run;

struct sync *simulated_sync(void);
uint32_t simulated(uint32_t what);

struct sync *simulated_sync(void) {
  unsigned at = run.at++;
  if (at >= MOST_SYNCS) abort();
  struct sync *sync = &run.syncs[at];
  sync->phase = at < run.reached ? 1 : at == run.reached ? 0 : 2;
  sync->lane = run.lane;
  return sync;
}

uint32_t simulated(uint32_t what) {
  return what == 0   ? (uint32_t)run.active
         : what == 1 ? (uint32_t)(run.active >> 32)
         : what == 2 ? run.lane
                     : run.size;
}

static bool takes_part(uint32_t lane) {
  return lane < run.size && run.active >> lane & 1;
}

static void call_all(void) {
  static unsigned char garbage[sizeof run.operands];
  for (size_t i = 0; i < sizeof garbage; i++) garbage[i] = (unsigned char)random_bits();
  memcpy(run.operands, garbage, sizeof garbage);
  for (unsigned i = 0; i < MOST_SYNCS; i++)
    run.syncs[i] = (struct sync){.size = run.size,
                                 .active = run.active,
                                 .operands = run.operands[i],
                                 .second = run.seconds[i]};
  unsigned syncs = 0;
  for (run.reached = 0; run.reached <= syncs; run.reached++)
    for (run.lane = 0; run.lane < run.size; run.lane++) {
      if (!takes_part(run.lane)) continue;
      run.at = 0;
      run.entry->call(&run.arguments[run.lane], run.results[run.lane]);
      syncs = run.at;
    }
  for (unsigned i = 0; i < syncs; i++)
    for (uint32_t lane = 0; lane <= run.size; lane++) {
      size_t at = i * sizeof run.operands[0] + lane * run.bytes;
      if (takes_part(lane) || !memcmp((unsigned char *)run.operands + at, garbage + at, run.bytes))
        continue;
      printf("%s(%s): lane %u takes no part and was changed\n", run.entry->name, run.entry->type,
             lane);
      exit(1);
    }
}

/* ---- the serial reference */

struct number {
  uint64_t bits; /* of an integer, extended by its sign */
  double real;
};

static struct number load(const void *from) {
  struct number n = {0};
  const struct scalar *s = run.scalar;
  if (s->is_float) {
    if (s->size == 2) n.real = *(const _Float16 *)from;
    if (s->size == 4) n.real = *(const float *)from;
    if (s->size == 8) n.real = *(const double *)from;
    return n;
  }
  memcpy(&n.bits, from, s->size);
  if (s->is_signed && s->size < 8) {
    unsigned unused = 64 - 8 * s->size;
    n.bits = (uint64_t)((int64_t)(n.bits << unused) >> unused);
  }
  return n;
}

static void store(void *to, struct number n) {
  const struct scalar *s = run.scalar;
  if (!s->is_float)
    memcpy(to, &n.bits, s->size);
  else if (s->size == 2)
    *(_Float16 *)to = (_Float16)n.real;
  else if (s->size == 4)
    *(float *)to = (float)n.real;
  else
    *(double *)to = n.real;
}

static const struct reference *reference(const char *op) {
  const struct reference *reference = reference_of(op);
  if (!reference) abort();
  return reference;
}

static struct integer_type limits(void) {
  return integer_type(run.scalar->is_signed, 8 * run.scalar->size);
}

static struct number combine(const char *op, struct number a, struct number b) {
  const struct reference *r = reference(op);
  return (struct number){r->integers(limits(), a.bits, b.bits), (double)r->reals(a.real, b.real)};
}

static struct number identity(const char *op) {
  const struct reference *r = reference(op);
  return (struct number){r->identity(limits()), (double)r->identity_of_reals};
}

static struct number operand(uint32_t lane) {
  return load(run.arguments[lane].first);
}

/* Over those of first to last that take part. */
static struct number reduce(const char *op, uint32_t first, uint32_t last) {
  struct number n = identity(op);
  for (uint32_t i = first; i <= last; i++)
    if (takes_part(i)) n = combine(op, n, operand(i));
  return n;
}

static const char *after(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) ? NULL : text + length;
}

static uint32_t first_active(void) {
  return (uint32_t)__builtin_ctzll(run.active);
}

/* What `lane` gets; false if any value will do. */
static bool want_arithmetic(const char *name, uint32_t lane, void *want) {
  const char *op;
  struct number n;
  uint32_t cluster = run.arguments[0].second;
  if ((op = after(name, "clustered_reduce_"))) {
    uint32_t begin = cluster >= run.size ? 0 : lane / cluster * cluster;
    n = reduce(op, begin, cluster >= run.size ? run.size - 1 : begin + cluster - 1);
  } else if ((op = after(name, "reduce_")))
    n = reduce(op, 0, run.size - 1);
  else if ((op = after(name, "scan_inclusive_")))
    n = reduce(op, 0, lane);
  else if ((op = after(name, "scan_exclusive_")))
    n = lane ? reduce(op, 0, lane - 1) : identity(op);
  else
    abort();
  store(want, n);
  return true;
}

static uint32_t source(const char *name, uint32_t lane) {
  const struct arguments *a = &run.arguments[lane];
  uint32_t d = a->second, inside = (a->third < run.size ? a->third : run.size) - 1;
  if (!strcmp(name, "shuffle") || !strcmp(name, "broadcast")) return d;
  if (!strcmp(name, "shuffle_xor")) return lane ^ d;
  if (!strcmp(name, "shuffle_up")) return d > lane ? UINT32_MAX : lane - d;
  if (!strcmp(name, "shuffle_down")) return d >= run.size ? UINT32_MAX : lane + d;
  if (!strcmp(name, "rotate")) return (lane + d) & (run.size - 1);
  if (!strcmp(name, "clustered_rotate")) return (lane & ~inside) | ((lane + d) & inside);
  if (!strcmp(name, "broadcast_first")) return first_active();
  abort();
}

static bool want_moved(const char *name, uint32_t lane, void *want) {
  uint32_t from = source(name, lane);
  if (!takes_part(from)) return false;
  memcpy(want, run.arguments[from].first, run.bytes);
  return true;
}

static uint64_t truths(void) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < run.size; i++)
    if (takes_part(i) && operand(i).bits) bits |= (uint64_t)1 << i;
  return bits;
}

static bool all_equal(void) {
  for (uint32_t i = 0; i < run.size; i++) {
    struct number a = operand(first_active()), b = operand(i);
    if (takes_part(i) && (run.scalar->is_float ? a.real != b.real : a.bits != b.bits)) return false;
  }
  return true;
}

static bool want_ballot(const char *name, uint32_t lane, uint32_t want[4]) {
  uint64_t given, own = (uint64_t)1 << lane, all = ~(uint64_t)0 >> (64 - run.size), bits;
  memcpy(&given, run.arguments[lane].first, sizeof given);
  given &= all;
  if (!strcmp(name, "ballot"))
    bits = truths();
  else if (!strcmp(name, "eq_mask"))
    bits = own;
  else if (!strcmp(name, "ge_mask"))
    bits = all & ~(own - 1);
  else if (!strcmp(name, "gt_mask"))
    bits = all & ~(own - 1) & ~own;
  else if (!strcmp(name, "le_mask"))
    bits = (own - 1) | own;
  else if (!strcmp(name, "lt_mask"))
    bits = own - 1;
  else if (!strcmp(name, "inverse_ballot"))
    bits = (given & own) != 0;
  else if (!strcmp(name, "ballot_bit_extract"))
    bits = given >> run.arguments[lane].second & 1;
  else if (!strcmp(name, "ballot_bit_count"))
    bits = (uint64_t)__builtin_popcountll(given);
  else if (!strcmp(name, "ballot_inclusive_scan"))
    bits = (uint64_t)__builtin_popcountll(given & ((own - 1) | own));
  else if (!strcmp(name, "ballot_exclusive_scan"))
    bits = (uint64_t)__builtin_popcountll(given & (own - 1));
  else if (!strcmp(name, "ballot_find_lsb"))
    bits = (uint64_t)__builtin_ctzll(given);
  else if (!strcmp(name, "ballot_find_msb"))
    bits = 63 - (uint64_t)__builtin_clzll(given);
  else if (!strcmp(name, "elect"))
    bits = lane == first_active();
  else if (!strcmp(name, "any"))
    bits = truths() != 0;
  else if (!strcmp(name, "all"))
    bits = truths() == run.active;
  else if (!strcmp(name, "all_equal"))
    bits = all_equal();
  else
    abort();
  memset(want, 0, 4 * sizeof *want);
  memcpy(want, &bits, sizeof bits);
  bool finds = !strncmp(name, "ballot_find", 11), extracts = !strcmp(name, "ballot_bit_extract");
  return !(finds && !given) && !(extracts && run.arguments[lane].second >= run.size);
}

static bool is_arithmetic(const char *name) {
  return strstr(name, "reduce_") || strstr(name, "scan_inclusive_") ||
         strstr(name, "scan_exclusive_");
}

static bool is_moving(const char *name) {
  return strstr(name, "broadcast") || strstr(name, "shuffle") || strstr(name, "rotate");
}

/* The name without what does not change the meaning. */
static const char *meaning(const char *name) {
  const char *rest = after(name, "get_");
  name = after(rest ? rest : name, "sub_group_");
  return (rest = after(name, "non_uniform_")) ? rest : name;
}

static unsigned value_bytes(void) {
  if (run.entry->value == TYPE) return run.scalar->size * run.width; /* not what pads a vec3 */
  return run.entry->value == UINT4 ? 16 : 4;
}

/* Votes are zero or not; results of 0 may have either sign. */
static bool same(const char *name, const void *got, const void *want) {
  if (!memcmp(got, want, value_bytes())) return true;
  if (is_arithmetic(name) && strstr(name, "logical")) return !load(got).bits == !load(want).bits;
  if (is_arithmetic(name)) return run.scalar->is_float && load(got).real == load(want).real;
  return run.entry->value == INT && !*(const int *)got == !*(const int *)want;
}

static void check(void) {
  const char *name = meaning(run.entry->name);
  call_all();
  for (uint32_t lane = 0; lane < run.size; lane++) {
    _Alignas(128) unsigned char want[MOST_BYTES];
    if (!takes_part(lane)) continue;
    bool checked = is_arithmetic(name) ? want_arithmetic(name, lane, want)
                   : is_moving(name)   ? want_moved(name, lane, want)
                                       : want_ballot(name, lane, (uint32_t *)want);
    if (!checked || same(name, run.results[lane], want)) continue;
    printf("%s(%s), size %u, active %llx, second %u, third %u: lane %u\n  got ", run.entry->name,
           run.entry->type, run.size, (unsigned long long)run.active, run.arguments[lane].second,
           run.arguments[lane].third, lane);
    for (unsigned i = 0; i < value_bytes(); i++) printf("%02x", run.results[lane][i]);
    printf("\n  not ");
    for (unsigned i = 0; i < value_bytes(); i++) printf("%02x", want[i]);
    printf("\n");
    exit(1);
  }
}

/* ---- data */

/* Sums and products are exact in every type: few numbers, small ones. */
static void fill_exact(const char *name, unsigned char *to) {
  uint64_t random = random_bits();
  double real = (double)(int)(random % 7) - 3;
  if (strstr(name, "mul"))
    real = random % 16 ? 1 - 2 * (double)(random >> 8 & 1) : 2;
  else if (!strstr(name, "add"))
    real = random % 9 == 0   ? INFINITY
           : random % 9 == 1 ? -INFINITY
                             : (double)(random % 4096) - 2048;
  store(to, (struct number){random_bits(), real});
}

static void fill(unsigned pattern) {
  const char *name = meaning(run.entry->name);
  uint32_t second = (uint32_t)random_bits() % (2 * run.size), cluster = 1u << random_bits() % 8;
  if (strstr(name, "clustered_reduce")) second = cluster;
  if (strstr(name, "broadcast")) second %= run.size;
  for (uint32_t lane = 0; lane < run.size; lane++) {
    struct arguments *a = &run.arguments[lane];
    for (unsigned i = 0; i < MOST_BYTES; i++) a->first[i] = (unsigned char)random_bits();
    if (run.scalar->is_float && (is_arithmetic(name) || strstr(name, "equal")))
      fill_exact(name, a->first);
    if (run.entry->first == INT || strstr(name, "logical"))
      if (pattern % 3 == 0 || random_bits() % 8 == pattern % 3) memset(a->first, 0, 4);
    if (strstr(name, "equal") && pattern % 2) memcpy(a->first, run.arguments[0].first, MOST_BYTES);
    a->second =
        strstr(name, "shuffle") && pattern % 2 ? (uint32_t)random_bits() % (2 * run.size) : second;
    if (strstr(name, "rotate") && pattern % 2) a->second = -second;
    a->third = cluster;
  }
}

static uint64_t mask(unsigned pattern) {
  uint64_t all = ~(uint64_t)0 >> (64 - run.size), bits = all;
  switch (pattern % 8) {
  case 1:
    bits = 0x5555555555555555;
    break;
  case 2:
    bits = (uint64_t)1 << random_bits() % run.size;
    break;
  case 3:
    bits = all >> random_bits() % run.size;
    break; /* a last sub-group */
  case 4:
    bits = all << random_bits() % run.size;
    break;
  case 5:
  case 6:
    bits = random_bits();
    break;
  case 7:
    bits = random_bits() & random_bits() & random_bits();
    break;
  }
  return bits & all ? bits & all : all;
}

static void set_type(const struct entry *entry) {
  size_t letters = strcspn(entry->type, "0123456789");
  run.entry = entry;
  run.width = entry->type[letters] ? (unsigned)atoi(entry->type + letters) : 1;
  for (size_t i = 0; i < COUNT(scalars); i++)
    if (strlen(scalars[i].name) == letters && !strncmp(scalars[i].name, entry->type, letters))
      run.scalar = &scalars[i];
  run.bytes = run.scalar->size * (run.width == 3 ? 4 : run.width);
}

int main(int argc, char **argv) {
  enum { PATTERNS = 32, SKIPPED = 77 };
#ifdef NEEDED_FEATURE
  if (!__builtin_cpu_supports(NEEDED_FEATURE)) return SKIPPED;
#endif
  for (size_t e = 0; e < COUNT(entries); e++) {
    if (argc > 1 && strcmp(entries[e].name, argv[1])) continue;
    set_type(&entries[e]);
    for (run.size = 8; run.size <= MOST_LANES; run.size *= 2)
      for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        run.active = mask(pattern);
        fill(pattern / 8);
        check();
      }
  }
  printf("ok: %zu overloads\n", COUNT(entries));
  return 0;
}
