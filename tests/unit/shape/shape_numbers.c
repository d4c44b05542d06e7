/* shape_numbers [functions] [seed]: random straight code, whose shapes must agree with numbers: an
 * interpreter computes all values for neighbours in x, and what a shape promises is looked at. */
#include <inttypes.h>

#include "shape_test.h"

enum { MOST_VALUES = 64, TRIALS = 48 };

static uint64_t state;
static uint64_t random_number(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) ^ state << 31;
}
static unsigned pick(unsigned below) {
  return random_number() % below;
}

/* Those at which something might wrap come up often. */
static uint64_t random_value(void) {
  static const unsigned edges[] = {0, 7, 8, 15, 16, 31, 32, 63};
  uint64_t near = (uint64_t)1 << edges[pick(8)];
  return pick(4) ? near + pick(9) - 4 : random_number() >> pick(64);
}

/* --- a random function, as text --- */

static const unsigned widths[] = {8, 16, 32, 64};

struct text {
  char *at;
  unsigned count;              /* of values %v0, ... */
  unsigned width[MOST_VALUES]; /* 0: a pointer */
};

#define ADD(t, ...) ((t)->at += sprintf((t)->at, __VA_ARGS__))

/* The name of a value of the width, mostly a late one; or a constant. */
static void add_operand(struct text *t, unsigned width) {
  for (unsigned tries = 0; tries < 12; tries++) {
    unsigned k = t->count - 1 - pick(t->count) % (1 + pick(t->count));
    if (t->width[k] != width) continue;
    ADD(t, "%%v%u", k);
    return;
  }
  if (width)
    ADD(t, "%" PRId64, (int64_t)(random_value() << (64 - width)) >> (64 - width));
  else
    ADD(t, "%%p");
}

static void add_value(struct text *t, unsigned width) {
  t->width[t->count++] = width;
}

static void add_arithmetic(struct text *t) {
  static const char *const names[] = {"add", "sub",  "mul",  "shl", "or",
                                      "and", "ashr", "lshr", "xor"};
  unsigned which = pick(4) ? pick(4) : pick(9), width = widths[2 + pick(2) - (pick(6) == 0)];
  bool shift = which == 3 || which == 6 || which == 7;
  ADD(t, "  %%v%u = %s ", t->count, names[which]);
  if (which < 4 && !pick(3)) ADD(t, "nuw ");
  if (which < 4 && !pick(3)) ADD(t, "nsw ");
  if (which == 4 && pick(2)) ADD(t, "disjoint ");
  if ((which == 6 || which == 7) && pick(2)) ADD(t, "exact ");
  ADD(t, "i%u ", width);
  add_operand(t, width);
  ADD(t, ", ");
  if (shift)
    ADD(t, "%u", pick(3) ? pick(4) : pick(width));
  else if (which == 5 && pick(2))
    ADD(t, "%d", width == 64 && pick(2) ? INT32_MAX : -1);
  else if (which == 2 && pick(2))
    ADD(t, "%d", (int)pick(9) - 4);
  else
    add_operand(t, width);
  ADD(t, "\n");
  add_value(t, width);
}

static void add_cast(struct text *t) {
  unsigned narrow = pick(3), wide = narrow + 1 + pick(3 - narrow), which = pick(4);
  if (pick(3)) narrow = 2, wide = 3;
  static const char *const names[] = {"trunc", "zext", "sext", "zext nneg"};
  unsigned from = widths[which ? narrow : wide], to = widths[which ? wide : narrow];
  ADD(t, "  %%v%u = %s i%u ", t->count, names[which], from);
  add_operand(t, from);
  ADD(t, " to i%u\n", to);
  add_value(t, to);
}

/* (x << 32) >> 32 and its like */
static void add_int_of_id(struct text *t) {
  unsigned up = pick(3) ? 32 : pick(40), down = up - pick(3);
  ADD(t, "  %%v%u = shl i64 ", t->count);
  add_operand(t, 64);
  ADD(t, ", %u\n", up);
  add_value(t, 64);
  ADD(t, "  %%v%u = %s i64 %%v%u, %u\n", t->count, pick(2) ? "ashr" : "lshr", t->count - 1,
      down > up ? 0 : down);
  add_value(t, 64);
}

static void add_address(struct text *t) {
  unsigned index = widths[pick(4) ? 3 : 2];
  bool pair = !pick(3);
  ADD(t, "  %%v%u = getelementptr %s, ptr ", t->count, pair ? "%pair" : pick(2) ? "i32" : "i8");
  add_operand(t, 0);
  ADD(t, ", i%u ", index);
  add_operand(t, index);
  if (pair) {
    ADD(t, ", i32 1, i64 ");
    add_operand(t, 64);
  }
  ADD(t, "\n");
  add_value(t, 0);
}

static void add_other(struct text *t) {
  switch (pick(3)) {
  case 0:
    ADD(t, "  %%v%u = freeze i64 ", t->count);
    add_operand(t, 64);
    break;
  case 1:
    ADD(t, "  %%v%u = ptrtoint ptr ", t->count);
    add_operand(t, 0);
    ADD(t, " to i64");
    break;
  default:
    ADD(t, "  %%v%u = select i1 %%c, i64 ", t->count);
    add_operand(t, 64);
    ADD(t, ", i64 ");
    add_operand(t, 64);
  }
  ADD(t, "\n");
  add_value(t, 64);
}

static void write_function(char *text) {
  struct text t = {.at = text};
  ADD(&t, "%%pair = type { i32, [4 x i16] }\ndeclare i64 @__mpl_local_id_0()\n"
          "declare i64 @__mpl_local_id_1()\ndefine void @f(i64 %%n, i32 %%m, ptr %%p, i1 %%c) {\n"
          "  %%v0 = call i64 @__mpl_local_id_0()\n  %%v1 = call i64 @__mpl_local_id_1()\n"
          "  %%v2 = add i64 %%v0, %%n\n  %%v3 = add i32 %%m, 0\n  %%v4 = add i64 %%n, 0\n"
          "  %%v5 = trunc i64 %%v0 to i32\n");
  static const unsigned first[] = {64, 64, 64, 32, 64, 32};
  for (unsigned k = 0; k < 6; k++) add_value(&t, first[k]);
  unsigned count = 8 + pick(20);
  while (t.count < count) {
    unsigned what = pick(10);
    (what < 4   ? add_arithmetic
     : what < 7 ? add_cast
     : what < 8 ? add_int_of_id
     : what < 9 ? add_address
                : add_other)(&t);
  }
  ADD(&t, "  ret void\n}\n");
}

/* --- the interpreter --- */

struct number {
  uint64_t value;
  bool poison;
};

struct run {
  uint64_t x, y, n, m, p, c;
  struct number values[MOST_VALUES]; /* in the order of the instructions */
  LLVMValueRef instructions[MOST_VALUES];
  unsigned count;
};

static unsigned width_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

static uint64_t low(uint64_t value, unsigned width) {
  return value << (64 - width) >> (64 - width);
}
static __int128 as_signed(uint64_t value, unsigned width) {
  return (int64_t)(value << (64 - width)) >> (64 - width);
}

static struct number operand(struct run *r, LLVMValueRef i, unsigned k) {
  LLVMValueRef value = LLVMGetOperand(i, k);
  if (LLVMIsAConstantInt(value)) return (struct number){LLVMConstIntGetZExtValue(value), false};
  if (LLVMIsAArgument(value)) {
    const uint64_t arguments[] = {r->n, low(r->m, 32), r->p, r->c};
    for (unsigned a = 0; a < 4; a++)
      if (LLVMGetParam(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)), a) == value)
        return (struct number){arguments[a], false};
  }
  for (unsigned j = 0; j < r->count; j++)
    if (r->instructions[j] == value) return r->values[j];
  return (struct number){0, true}; /* poison itself */
}

static struct number arithmetic(LLVMValueRef i, uint64_t a, uint64_t b) {
  unsigned w = width_of(i);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  __int128 s = 0, sa = as_signed(a, w), sb = as_signed(b, w);
  unsigned __int128 u = 0, ua = a, ub = b;
  bool flags = true, poison = false;
  switch (opcode) {
  case LLVMAdd:
    s = sa + sb, u = ua + ub;
    break;
  case LLVMSub:
    s = sa - sb, u = ua - ub;
    break;
  case LLVMMul:
    s = sa * sb, u = ua * ub;
    break;
  case LLVMShl:
    s = sa * ((__int128)1 << b), u = ua << b;
    break;
  default:
    flags = false;
  }
  if (flags) {
    poison = (LLVMGetNSW(i) && s != as_signed((uint64_t)s, w)) ||
             (LLVMGetNUW(i) && u != low((uint64_t)u, w));
    return (struct number){low((uint64_t)u, w), poison};
  }
  switch (opcode) {
  case LLVMOr:
    return (struct number){a | b, LLVMGetIsDisjoint(i) && (a & b)};
  case LLVMAnd:
    return (struct number){a & b, false};
  case LLVMXor:
    return (struct number){a ^ b, false};
  case LLVMLShr:
    return (struct number){a >> b, LLVMGetExact(i) && low(a, b ? b : 1) && b};
  case LLVMAShr:
    return (struct number){low((uint64_t)(sa >> b), w), LLVMGetExact(i) && b && low(a, b)};
  default:
    abort();
  }
}

static struct number address(struct run *r, LLVMValueRef i) {
  static const unsigned pair_size = 12, array_at = 4;
  struct number base = operand(r, i, 0), first = operand(r, i, 1);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
  bool pair = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  uint64_t size = pair ? pair_size : LLVMGetIntTypeWidth(type) / 8;
  uint64_t index = as_signed(first.value, width_of(LLVMGetOperand(i, 1)));
  struct number last = pair ? operand(r, i, 3) : (struct number){0};
  uint64_t value = base.value + size * index + (pair ? array_at + 2 * last.value : 0);
  return (struct number){value, base.poison || first.poison || last.poison};
}

static struct number compute(struct run *r, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMCall)
    return (struct number){mpl_marker_of(i) == MPL_MARK_LOCAL_ID_0 ? r->x : r->y, false};
  if (opcode == LLVMGetElementPtr) return address(r, i);
  struct number a = operand(r, i, 0), b = {0};
  unsigned from = width_of(LLVMGetOperand(i, 0)), to = width_of(i);
  switch (opcode) {
  case LLVMFreeze:
    return a.poison ? (struct number){0xa5, false} : a; /* once for all, if uniform */
  case LLVMPtrToInt:
    return a;
  case LLVMSelect:
    return operand(r, i, a.value ? 1 : 2);
  case LLVMTrunc:
    a.value = low(a.value, to);
    return a;
  case LLVMSExt:
    a.value = low((uint64_t)as_signed(a.value, from), to);
    return a;
  case LLVMZExt:
    a.poison |= LLVMGetNNeg(i) && as_signed(a.value, from) < 0;
    return a;
  default:
    b = operand(r, i, 1);
  }
  if (a.poison || b.poison) return (struct number){0, true};
  return arithmetic(i, a.value, b.value);
}

static void run_function(struct run *r, LLVMValueRef function) {
  r->count = 0;
  MPL_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(function)) {
    if (LLVMIsAReturnInst(i)) break;
    r->values[r->count] = compute(r, i);
    r->instructions[r->count++] = i;
  }
}

/* --- promises --- */

static unsigned held[4]; /* uniform, strided, but for a wrap, more */

static bool grows(struct number a, struct number b, unsigned width, bool is_signed, int64_t by) {
  __int128 from = is_signed ? as_signed(a.value, width) : (__int128)a.value;
  return (is_signed ? as_signed(b.value, width) : (__int128)b.value) - from == by;
}

/* Numbers of two neighbours; `row`: of others with the same arguments. */
static bool keeps(struct mpl_shapes *shapes, unsigned k, struct run *a, struct run *b,
                  struct run *row) {
  struct mpl_shape s = mpl_shape_of(shapes, a->instructions[k]);
  struct number one = a->values[k], two = b->values[k], other = row->values[k];
  unsigned w = width_of(a->instructions[k]);
  if (!one.poison && s.bits < 64 && one.value >> s.bits) return false;
  if (s.kind == MPL_UNIFORM) {
    held[0]++;
    return one.poison || other.poison || one.value == other.value;
  }
  if (s.kind != MPL_STRIDED || s.wraps == MPL_WRAPS_SEVERAL || one.poison || two.poison)
    return true;
  if (s.wraps == MPL_WRAPS_ONE) {
    unsigned n = 0;
    while (a->instructions[n] != s.narrow) n++;
    int64_t by = mpl_shape_of(shapes, s.narrow).stride;
    if (!grows(a->values[n], b->values[n], width_of(s.narrow), s.is_signed, by)) return true;
  }
  held[s.wraps ? 2 : 1]++;
  held[3] += s.nsw;
  if (low(one.value + (uint64_t)s.stride, w) != two.value) return false;
  if (s.nsw && !grows(one, two, w, true, s.stride)) return false;
  return !s.nuw || grows(one, two, w, false, s.stride);
}

static uint64_t random_id(void) {
  return pick(3) ? pick(64) : pick(2) ? random_number() >> 33 : INT32_MAX - 1;
}

static bool try_numbers(struct mpl_shapes *shapes, LLVMValueRef function) {
  struct run a = {.x = random_id(),
                  .y = random_id(),
                  .n = random_value(),
                  .m = random_value(),
                  .p = random_value(),
                  .c = pick(2)};
  if (a.x > INT32_MAX - 1) a.x = INT32_MAX - 1;
  if (pick(2)) a.n -= a.x; /* just where an edge is crossed */
  if (pick(2)) a.m -= a.x;
  struct run b = a, row = a;
  b.x++;
  row.x = pick(100), row.y = pick(100);
  run_function(&a, function);
  run_function(&b, function);
  run_function(&row, function);
  for (unsigned k = 0; k < a.count; k++) {
    if (keeps(shapes, k, &a, &b, &row)) continue;
    struct mpl_shape s = mpl_shape_of(shapes, a.instructions[k]);
    char *text = LLVMPrintValueToString(a.instructions[k]);
    fprintf(stderr,
            "%s\n  kind %d stride %" PRId64 " bits %u nsw %d nuw %d wraps %d\n  is %" PRIx64
            ", then %" PRIx64 "; x %" PRIx64 " n %" PRIx64 " m %" PRIx64 "\n",
            text, s.kind, s.stride, s.bits, s.nsw, s.nuw, s.wraps, a.values[k].value,
            b.values[k].value, a.x, a.n, a.m);
    LLVMDisposeMessage(text);
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  unsigned functions = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  bool right = true;
  for (unsigned k = 0; k < functions && right; k++) {
    static char text[16384];
    write_function(text);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = parse_ir(context, text, strlen(text), "random");
    LLVMValueRef function = LLVMGetNamedFunction(module, "f");
    struct mpl_cfg cfg;
    struct mpl_shapes shapes;
    mpl_cfg_build(&cfg, function);
    mpl_shapes_find(&shapes, &cfg, function, NULL);
    for (unsigned trial = 0; trial < TRIALS && right; trial++)
      right = try_numbers(&shapes, function);
    if (!right) fprintf(stderr, "in function %u:\n%s", k, text);
    mpl_shapes_free(&shapes);
    mpl_cfg_free(&cfg);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
  }
  printf("held: %u uniform, %u strided, %u but for a wrap, %u as signed numbers\n", held[0],
         held[1], held[2], held[3]);
  for (unsigned k = 0; k < 4; k++) right &= held[k] > functions;
  return !right;
}
