/* Every overload of the work-group functions, made from src/collectives.def: each over all shapes,
 * with varying and with uniform operands, against a serial reference that shares nothing with the
 * built-in library, not even the table's identities.
 *
 *   collectives [-t THREADS] [OPERATION ...]      add, min, ..., broadcast, votes
 *
 * Floating-point sums and products of inexact data may be combined in any order: a sum of n terms
 * may be off by (n - 1) * epsilon * sum of |x|, the conformance tests' bound; a product by
 * (n - 1) * epsilon * |product|, as its inputs keep every partial product in range.  All else is
 * exact. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/data.h"
#include "run/shapes.h"
#include "run/threads.h"

enum types { NUMBERS, INTEGERS, LOGICAL };
enum kind { SIGNED, UNSIGNED, FLOATING };

static const struct operand { const char *name; enum type type; enum kind kind; } operands[] = {
#define MPL_GROUP_TYPE(type, llvm, kind) {#type, TYPE_##type, kind},
#include "../src/collectives.def"
};
static const struct operation { const char *name; enum types types; } operations[] = {
#define MPL_OPERATION(op, types, identity, feature) {#op, types},
#include "../src/collectives.def"
};
static const char *const forms[] = {
#define MPL_FORM(form, result) #form,
#include "../src/collectives.def"
};
static const char *const votes[] = {
#define MPL_VOTE(name, op) #name,
#include "../src/collectives.def"
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* A number of any of the types, and what is needed to judge a result that may be rounded. */
struct number {
  uint64_t bits;        /* of an integer, sign-extended */
  long double real;
  long double magnitude; /* sum of |x| so far */
  size_t terms;
};

/* ---- the serial reference */

static struct number load(const struct operand *t, const void *data, size_t i) {
  struct number n = {.terms = 1};
  switch (t->type) {
  case TYPE_int: n.bits = (uint64_t)((const int *)data)[i]; break;
  case TYPE_uint: n.bits = ((const uint *)data)[i]; break;
  case TYPE_long: n.bits = (uint64_t)((const long *)data)[i]; break;
  case TYPE_ulong: n.bits = ((const ulong *)data)[i]; break;
  case TYPE_half: n.real = (long double)((const half *)data)[i]; break;
  case TYPE_float: n.real = ((const float *)data)[i]; break;
  default: n.real = ((const double *)data)[i];
  }
  n.magnitude = fabsl(n.real);
  return n;
}

static bool is(const struct operation *op, const char *name) { return !strcmp(op->name, name); }

static struct number identity(const struct operation *op, const struct operand *t) {
  bool wide = t->type == TYPE_long || t->type == TYPE_ulong;
  struct number n = {0};
  if (is(op, "min")) {
    n.real = INFINITY;
    if (t->kind == SIGNED) n.bits = wide ? (uint64_t)LONG_MAX : (uint64_t)INT_MAX;
    else n.bits = wide ? ULONG_MAX : UINT_MAX;
  } else if (is(op, "max")) {
    n.real = -INFINITY;
    if (t->kind == SIGNED) n.bits = wide ? (uint64_t)LONG_MIN : (uint64_t)(long)INT_MIN;
  } else if (is(op, "mul") || is(op, "logical_and")) {
    n.bits = 1;
    n.real = 1;
  } else if (is(op, "and")) {
    n.bits = t->type == TYPE_uint ? UINT_MAX : ULONG_MAX;
  }
  return n;
}

static bool less(const struct operand *t, const struct number *a, const struct number *b) {
  if (t->kind == FLOATING) return a->real < b->real;
  if (t->kind == SIGNED) return (int64_t)a->bits < (int64_t)b->bits;
  return a->bits < b->bits;
}

static uint64_t wrap(const struct operand *t, uint64_t bits) {
  if (t->type == TYPE_int) return (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
  return t->type == TYPE_uint ? (uint32_t)bits : bits;
}

static struct number combine(const struct operation *op, const struct operand *t, struct number a,
                             struct number b) {
  struct number n = {.terms = a.terms + b.terms, .magnitude = a.magnitude + b.magnitude};
  if (is(op, "add")) n.bits = a.bits + b.bits, n.real = a.real + b.real;
  else if (is(op, "mul")) n.bits = a.bits * b.bits, n.real = a.real * b.real;
  else if (is(op, "min")) n = less(t, &b, &a) ? b : a;
  else if (is(op, "max")) n = less(t, &a, &b) ? b : a;
  else if (is(op, "and")) n.bits = a.bits & b.bits;
  else if (is(op, "or")) n.bits = a.bits | b.bits;
  else if (is(op, "xor")) n.bits = a.bits ^ b.bits;
  else if (is(op, "logical_and")) n.bits = a.bits && b.bits;
  else if (is(op, "logical_or")) n.bits = a.bits || b.bits;
  else if (is(op, "logical_xor")) n.bits = !a.bits != !b.bits;
  else die("%s has no reference", op->name);
  n.bits = wrap(t, n.bits);
  return n;
}

/* ---- one launch */

struct run {
  const struct operation *op; /* null for broadcast */
  const struct operand *t;
  int form;                   /* of forms; the number of ids for broadcast */
  bool vote, exact;
  cl_kernel kernel;
  cl_mem in, out;
  unsigned char *in_data, *out_data;
  struct number *want;        /* two for each work-item: varying operand, uniform operand */
};

static struct number operand_of(const struct run *r, const struct group *g, size_t i, int uniform) {
  return load(r->t, r->in_data, uniform ? 0 : g->at[i]);
}

static void reference_scan(struct run *r, const struct group *g, int uniform) {
  struct number sum = identity(r->op, r->t), before = sum;
  for (size_t i = 0; i < g->items; i++) {
    before = sum;
    struct number x = operand_of(r, g, i, uniform);
    sum = combine(r->op, r->t, sum, x);
    r->want[g->at[i] * 2 + uniform] = r->vote || r->form != 2 ? sum : before;
  }
  if (r->vote || !r->form)
    for (size_t i = 0; i < g->items; i++) r->want[g->at[i] * 2 + uniform] = sum;
}

static void reference_group(struct group *g, void *data) {
  struct run *r = data;
  for (int uniform = 0; uniform < 2; uniform++) {
    if (r->op) {
      reference_scan(r, g, uniform);
      continue;
    }
    size_t x = 5 % g->size[0], y = r->form > 1 ? 3 % g->size[1] : 0;
    size_t z = r->form > 2 ? 2 % g->size[2] : 0;
    size_t from = (z * g->size[1] + y) * g->size[0] + x;
    for (size_t i = 0; i < g->items; i++)
      r->want[g->at[i] * 2 + uniform] = operand_of(r, g, from, uniform);
  }
}

static bool near_enough(const struct run *r, bool exact, const struct number *got,
                        const struct number *want) {
  if (r->t->kind != FLOATING) {
    if (r->vote || (r->op && r->op->types == LOGICAL)) return !got->bits == !want->bits;
    return got->bits == want->bits;
  }
  if (got->real == want->real || (isnan(got->real) && isnan(want->real))) return true;
  if (exact || !r->op || !(is(r->op, "add") || is(r->op, "mul"))) return false;
  long double epsilon = r->t->type == TYPE_half    ? 0x1p-10L
                        : r->t->type == TYPE_float ? FLT_EPSILON
                                                   : DBL_EPSILON;
  long double scale = is(r->op, "add") ? want->magnitude : fabsl(want->real);
  return fabsl(got->real - want->real) <= (long double)want->terms * epsilon * scale;
}

static bool check(const struct run *r, const struct shape *s, const char *name) {
  size_t items = shape_items(s), size = type_size(r->t->type);
  for (size_t i = 0; i < items * 2; i++) {
    struct number got = load(r->t, r->out_data, i);
    /* Thousands of equal halves have no exact sum. */
    bool exact = r->exact && !(i % 2 && r->t->type == TYPE_half);
    if (near_enough(r, exact, &got, &r->want[i])) continue;
    printf("%s: ", name);
    print_shape(s);
    printf("\n  work-item %zu, %s operand: got ", i / 2, i % 2 ? "uniform" : "varying");
    print_value(r->t->type, r->out_data + i * size);
    if (r->t->kind == FLOATING) printf(", should be %.21Lg\n", r->want[i].real);
    else printf(", should be 0x%llx\n", (unsigned long long)r->want[i].bits);
    return false;
  }
  return true;
}

/* ---- data: only such as have one right answer, or a bound */

static double float_sum_data(enum type type, int pattern, uint64_t random, size_t i) {
  double half_range = (double)(random >> 12) / (double)((uint64_t)1 << 52) - 0.5;
  switch (pattern) {
  case 0: return (double)(int64_t)(random % 3) - 1; /* every partial sum is exact, half too */
  case 1: return half_range * (type == TYPE_half ? 8 : 1998);
  case 2: /* denormals, not the uniform operand, so few that their sum is exact in half too */
    return i % 8 != 1 ? 0 : (double)(random % 7) * (type == TYPE_half    ? 0x1p-24
                                               : type == TYPE_float ? 0x1p-149
                                                                    : 0x1p-1074);
  case 3: return -0.0;
  default: return i == 3 ? INFINITY : random % 400 == 7 ? -INFINITY : 1;
  }
}

/* Powers of two of both signs, few of them not 1, and in pattern 1 mantissas beside 1. */
static double float_product_data(enum type type, int pattern, uint64_t random, size_t i) {
  double sign = random & 1 ? -1 : 1;
  double epsilon = type == TYPE_half ? 0x1p-10 : type == TYPE_float ? 0x1p-23 : 0x1p-52;
  if (i && i % 900 == 77) return sign * (i / 900 % 2 ? 0.5 : 2);
  if (pattern == 1 && random % 64 == 2) return sign * (1 + epsilon * (double)(random >> 8 & 3));
  if (pattern == 2 && i == 5) return -0.0;
  if (pattern == 4 && i == 3) return INFINITY;
  return sign;
}

static void fill_float(const struct run *r, int pattern, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; i++) {
    uint64_t random = random_next(&seed);
    double x = is(r->op, "add") ? float_sum_data(r->t->type, pattern, random, i)
                                : float_product_data(r->t->type, pattern, random, i);
    if (r->t->type == TYPE_half) ((half *)r->in_data)[i] = (half)x;
    else if (r->t->type == TYPE_float) ((float *)r->in_data)[i] = (float)x;
    else ((double *)r->in_data)[i] = x;
  }
}

static void fill_truths(const struct run *r, int pattern, size_t count, uint64_t seed) {
  int *data = (int *)r->in_data;
  static const int truths[] = {1, INT_MIN, 256, 65536, -1};
  for (size_t i = 0; i < count; i++) {
    uint64_t random = random_next(&seed);
    int rare = random % 64 == 0, truth = truths[random >> 8 & 3];
    data[i] = pattern == 0 ? 0 : pattern == 1 ? truth : pattern == 2 ? (rare ? 0 : truth)
              : pattern == 3 ? (rare ? truth : 0) : (int)(random >> 20 & 1) * truth;
  }
}

enum { DATA_PATTERNS = 5 };

static void fill_data(struct run *r, int pattern, size_t count, uint64_t seed) {
  r->exact = pattern != 1;
  if (r->vote || (r->op && r->op->types == LOGICAL)) fill_truths(r, pattern, count, seed);
  else if (r->op && r->t->kind == FLOATING && (is(r->op, "add") || is(r->op, "mul")))
    fill_float(r, pattern, count, seed);
  else fill(r->t->type, r->in_data, count, (enum pattern)(pattern % PATTERNS), seed);
}

static bool run_kernel(struct run *r, const char *name) {
  const struct host *host = host_open();
  const struct shape *shapes;
  unsigned dims = r->op ? 0 : (unsigned)r->form;
  size_t count = all_shapes(&shapes, host->max_items, dims, host->non_uniform);
  CL(clSetKernelArg(r->kernel, 0, sizeof r->out, &r->out));
  CL(clSetKernelArg(r->kernel, 1, sizeof r->in, &r->in));
  for (size_t i = 0; i < count; i++)
    for (int pattern = 0; pattern < DATA_PATTERNS; pattern++) {
      const struct shape *s = &shapes[i];
      size_t size = shape_items(s) * type_size(r->t->type);
      fill_data(r, pattern, shape_items(s), i * DATA_PATTERNS + (size_t)pattern);
      CL(clEnqueueWriteBuffer(host->queue, r->in, CL_FALSE, 0, size, r->in_data, 0, NULL, NULL));
      CL(clEnqueueNDRangeKernel(host->queue, r->kernel, s->dims, s->offset, s->global, s->local, 0,
                                NULL, NULL));
      CL(clEnqueueReadBuffer(host->queue, r->out, CL_TRUE, 0, 2 * size, r->out_data, 0, NULL,
                             NULL));
      each_group(s, reference_group, r);
      if (!check(r, s, name)) return false;
    }
  return true;
}

/* ---- the programs: one for each operation */

static const char preamble[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                               "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                               "#define KERNEL(NAME, T, F, ...) \\\n"
                               "kernel void NAME(global T *out, global const T *in) { \\\n"
                               "  size_t at = get_global_linear_id(); \\\n"
                               "  out[2 * at] = F(in[at] __VA_ARGS__); \\\n"
                               "  out[2 * at + 1] = F(in[0] __VA_ARGS__); }\n"
                               "#define X , 5 % get_local_size(0)\n"
                               "#define Y , 3 % get_local_size(1)\n"
                               "#define Z , 2 % get_local_size(2)\n";

struct list { struct run runs[32]; char names[32][64]; char source[16384]; int count; };

static void add_kernel(struct list *l, struct run run, const char *function, const char *ids) {
  snprintf(l->names[l->count], sizeof *l->names, "%s_%s%d", function, run.t->name, run.form);
  size_t used = strlen(l->source);
  snprintf(l->source + used, sizeof l->source - used, "KERNEL(%s, %s, work_group_%s, %s)\n",
           l->names[l->count], run.t->name, function, ids);
  l->runs[l->count++] = run;
}

static void list_operation(struct list *l, const struct operation *op) {
  for (size_t t = 0; t < COUNT(operands); t++)
    for (size_t f = 0; f < COUNT(forms); f++) {
      char function[64];
      if (op->types == INTEGERS && operands[t].kind == FLOATING) continue;
      if (op->types == LOGICAL && operands[t].type != TYPE_int) continue;
      snprintf(function, sizeof function, "%s_%s", forms[f], op->name);
      add_kernel(l, (struct run){.op = op, .t = &operands[t], .form = (int)f}, function, "");
    }
}

static void list_broadcasts(struct list *l) {
  static const char *const ids[] = {"X", "X Y", "X Y Z"};
  for (size_t t = 0; t < COUNT(operands); t++)
    for (int n = 0; n < 3; n++)
      add_kernel(l, (struct run){.t = &operands[t], .form = n + 1}, "broadcast", ids[n]);
}

static void list_votes(struct list *l) {
  for (size_t v = 0; v < COUNT(votes); v++)
    for (size_t o = 0; o < COUNT(operations); o++)
      if (!strcmp(operations[o].name, strcmp(votes[v], "all") ? "logical_or" : "logical_and"))
        add_kernel(l, (struct run){.op = &operations[o], .t = &operands[0], .vote = true},
                   votes[v], "");
}

static int run_list(struct list *l, const char *what) {
  const struct host *host = host_open();
  cl_program program = host_build(l->source, "-cl-std=CL3.0");
  size_t room = MAX_SHAPE_ITEMS * 8;
  int failed = 0;
  cl_int code;
  cl_mem in = clCreateBuffer(host->context, CL_MEM_READ_ONLY, room, NULL, &code);
  CL(code);
  cl_mem out = clCreateBuffer(host->context, CL_MEM_WRITE_ONLY, 2 * room, NULL, &code);
  CL(code);
  void *in_data = malloc(room), *out_data = malloc(2 * room);
  void *want = calloc(2 * MAX_SHAPE_ITEMS, sizeof(struct number));
  for (int i = 0; i < l->count; i++) {
    struct run *r = &l->runs[i];
    r->in = in, r->out = out, r->in_data = in_data, r->out_data = out_data, r->want = want;
    r->kernel = clCreateKernel(program, l->names[i], &code);
    CL(code);
    failed += !run_kernel(r, l->names[i]);
    CL(clReleaseKernel(r->kernel));
  }
  printf("%s %s: %d overloads, %d failed (%s threads)\n", failed ? "FAILED" : "ok", what, l->count,
         failed, getenv("MANIPLE_THREADS"));
  CL(clReleaseMemObject(in));
  CL(clReleaseMemObject(out));
  CL(clReleaseProgram(program));
  free(in_data), free(out_data), free(want);
  return failed;
}

static bool wanted(const char *what, char **names, int count) {
  for (int i = 0; i < count; i++)
    if (!strcmp(names[i], what)) return true;
  return !count;
}

static int run_all(char **names, int count) {
  static struct list l;
  int failed = 0, total = 0;
  for (size_t i = 0; i < COUNT(operations) + 2; i++) {
    const char *what = i < COUNT(operations)    ? operations[i].name
                       : i == COUNT(operations) ? "broadcast"
                                                : "votes";
    if (!wanted(what, names, count)) continue;
    l.count = 0;
    strcpy(l.source, preamble);
    if (i < COUNT(operations)) list_operation(&l, &operations[i]);
    else if (i == COUNT(operations)) list_broadcasts(&l);
    else list_votes(&l);
    failed += run_list(&l, what);
    total += l.count;
  }
  if (!count && total != 86 + 66) die("the table has %d overloads, not 86 + 66", total);
  return failed ? 1 : 0;
}

int main(int argc, char **argv) { return run_threads(argc, argv, run_all); }
