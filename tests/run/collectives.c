/* Every overload of the work-group functions, made from src/tables/collectives.def: each over all shapes,
 * with varying and with uniform operands, against a serial reference that shares nothing with the
 * built-in library, not even the table's identities.
 *
 *   collectives [-t THREADS] [OPERATION ...]      add, min, ..., broadcast, votes
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/number.h"
#include "run/shapes.h"
#include "run/threads.h"

static const struct operand operands[] = {
#define MPL_GROUP_TYPE(type, llvm, kind) {#type, TYPE_##type, kind},
#include "../../src/tables/collectives.def"
};
static const struct operation operations[] = {
#define MPL_OPERATION(op, types, ...) {#op, types},
#include "../../src/tables/operations.def"
};
static const char *const forms[] = {
#define MPL_FORM(form, result) #form,
#include "../../src/tables/collectives.def"
};
static const char *const votes[] = {
#define MPL_VOTE(name, op) #name,
#include "../../src/tables/collectives.def"
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

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
  return load_number(r->t, r->in_data, uniform ? 0 : g->at[i]);
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

static bool check(const struct run *r, const struct shape *s, const char *name) {
  size_t items = shape_items(s), size = type_size(r->t->type);
  for (size_t i = 0; i < items * 2; i++) {
    struct number got = load_number(r->t, r->out_data, i);
    /* Thousands of equal halves have no exact sum. */
    bool exact = r->exact && !(i % 2 && r->t->type == TYPE_half);
    if (near_enough(r->op, r->t, exact, &got, &r->want[i])) continue;
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

static void fill_data(struct run *r, int pattern, size_t count, uint64_t seed) {
  r->exact = pattern != 1;
  if (r->op) fill_numbers(r->op, r->t, r->in_data, count, pattern, seed);
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
    for (int pattern = 0; pattern < NUMBER_PATTERNS; pattern++) {
      const struct shape *s = &shapes[i];
      size_t size = shape_items(s) * type_size(r->t->type);
      fill_data(r, pattern, shape_items(s), i * NUMBER_PATTERNS + (size_t)pattern);
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

struct list { struct run runs[32]; char names[32][96]; char source[16384]; int count; };

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
