/* Whole programs: their structures, functions and kernels. */
#include "programs/generator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned below(struct generator *g, unsigned n) {
  return n ? (unsigned)(random_next(&g->random) >> 20) % n : 0;
}

void new_line(struct generator *g) {
  ADD("\n");
  for (unsigned k = 0; k < g->indent; k++) ADD("  ");
}

struct node node_begin(struct generator *g) {
  return (struct node){g->nodes++, g->out->size};
}

bool node_dropped(struct generator *g, struct node node) {
  const struct drops *drops = g->drops;
  if (!drops || node.id >= drops->count || !(drops->bits[node.id / 8] >> node.id % 8 & 1))
    return false;
  text_cut(g->out, node.start);
  return true;
}

static void parameter(struct generator *g, struct function *f, unsigned k) {
  char name[48];
  f->parameters[k].type = random_type(g);
  f->pointer[k] = chance(g, 25);
  if (f->pointer[k]) f->pure = false;
  ADD("%s%s %sv%u", k ? ", " : "", type_name(g, f->parameters[k].type, name),
      f->pointer[k] ? "*" : "", g->names);
  struct variable *v = declare(g, f->parameters[k].type, 0);
  v->stars = f->pointer[k];
}

static void function(struct generator *g, unsigned number) {
  struct function f = {.result = random_type(g), .pure = true};
  char name[48];
  unsigned variables = g->variable_count;
  snprintf(f.name, sizeof f.name, "p%llu_f%u", (unsigned long long)g->program->seed, number);
  f.count = 1 + below(g, MAX_PARAMETERS - 1);
  g->scope = 1;
  if (chance(g, 30)) ADD("__attribute__((noinline)) ");
  ADD("%s %s(", type_name(g, f.result, name), f.name);
  for (unsigned k = 0; k < f.count; k++) parameter(g, &f, k);
  ADD(") {");
  g->result = f.result;
  g->indent = 1;
  g->in_function = true;
  g->cost = 2;
  g->times = 1;
  g->left = (g->small ? 1 : 2) + (int)below(g, g->small ? 3 : 4);
  while (g->left > 0) statement(g);
  new_line(g);
  ADD("return ");
  expression(g, f.result, 2);
  ADD(";\n}\n");
  g->in_function = false;
  f.cost = g->cost;
  g->variable_count = variables;
  g->functions[g->function_count++] = f;
}

static struct variable *given(struct generator *g, const char *name, struct type t, bool uniform) {
  struct variable *v = declare(g, t, 0);
  snprintf(v->name, sizeof v->name, "%s", name);
  v->read_only = true;
  v->uniform = uniform;
  return v;
}

static void table(struct generator *g, const char *name, enum space space, unsigned count) {
  struct variable *v = given(g, name, (struct type){UINT, 1}, false);
  v->stars = 1;
  v->fixed = true;
  v->space = space;
  v->count = count;
}

/* The work-item's own element of an array in global and local memory. */
static void own_element(struct generator *g, const char *name, enum space space, struct type t) {
  struct variable *v = given(g, name, t, false);
  v->stars = 1;
  v->fixed = true;
  v->space = space;
  v->read_only = false;
}

static void head(struct generator *g, struct type own) {
  char name[48];
  const struct shape *shape = &g->program->shape;
  bool whole = true;
  for (unsigned k = 0; k < 3; k++) whole = whole && shape->global[k] % shape->local[k] == 0;
  ADD("kernel ");
  if (whole && chance(g, 25))
    ADD("__attribute__((reqd_work_group_size(%zu, %zu, %zu))) ", shape->local[0], shape->local[1],
        shape->local[2]);
  ADD("void p%llu_k%u(KERNEL_PARAMETERS(%s)) {\n", (unsigned long long)g->program->seed, g->kernel,
      type_name(g, own, name));
  text_add(&g->locals, "  local %s l[%u];\n", name, MAX_GROUP);
  g->local_bytes = type_size(g, own) * MAX_GROUP;
  given(g, "item", (struct type){UINT, 1}, false);
  given(g, "lid", (struct type){UINT, 1}, false);
  given(g, "lsize", (struct type){UINT, 1}, true);
  given(g, "group", (struct type){UINT, 1}, true);
  given(g, "n", (struct type){INT, 1}, true);
  table(g, "in", GLOBAL, TABLE);
  table(g, "fixed", CONSTANT, TABLE);
  if (g->kernel) table(g, "before", GLOBAL, CELLS);
  own_element(g, "me", GLOBAL, own);
}

/* Code that all work-items of the group reach, and leave. */
static void phases(struct generator *g, int depth) {
  for (unsigned k = (g->small ? 1 : 2) + below(g, 3); k && g->left > 0; k--) {
    unsigned what = below(g, 100);
    if (what < 50 || depth > 2 || g->times > 20) {
      for (unsigned i = 1 + below(g, 4); i; i--) statement(g);
    } else if (what < 75) {
      exchange(g);
    } else if (what < 80 && g->program->newer) {
      collective_declaration(g);
    } else {
      unsigned variables = g->variable_count;
      double times = g->times;
      bool loop = what >= 90;
      new_line(g);
      struct node node = node_begin(g);
      if (loop) {
        unsigned number = g->names++, most = 1 + below(g, 3);
        g->times *= most + 1;
        ADD("for (uint v%u = 0; v%u < %u", number, number, most);
        if (chance(g, 50)) ADD(" + (uint)(n & 1)");
        ADD("; v%u++) {", number);
      } else {
        ADD("if (");
        uniform_condition(g);
        ADD(") {");
      }
      g->indent++;
      g->scope++;
      phases(g, depth + 1);
      if (loop && chance(g, 40)) {
        new_line(g);
        ADD("if (");
        uniform_condition(g);
        ADD(") break;");
      }
      g->scope--;
      g->indent--;
      g->times = times;
      g->variable_count = variables;
      new_line(g);
      ADD("}");
      if (node_dropped(g, node)) ADD(";");
    }
  }
}

static void fold_all(struct generator *g, unsigned from) {
  for (unsigned k = from; k < g->variable_count; k++) {
    const struct variable v = g->variables[k];
    char name[48];
    if (v.uniform || (v.stars && !v.fixed) || (v.stars && v.count)) continue;
    snprintf(name, sizeof name, v.stars ? "(*%s)" : "%s", v.name);
    new_line(g);
    fold(g, v.type, v.count, name);
  }
}

static void kernel(struct generator *g) {
  struct text body = {0}, *out = g->out;
  unsigned variables = g->variable_count;
  struct type own = {RECORD, (unsigned char)(g->record_count - 1)};
  text_cut(&g->locals, 0);
  g->scope = g->indent = 1;
  g->in_kernel = true;
  g->prints = 0;
  g->cost = 0;
  g->times = 1;
  head(g, own);
  unsigned from = g->variable_count - 1; /* me */
  g->left = g->small ? 2 + (int)below(g, 5) : 3 + (int)below(g, 10);
  g->out = &body;
  new_line(g);
  ADD("*mine = ");
  expression(g, own, 2);
  ADD(";");
  own_element(g, "mine", LOCAL, own);
  while (g->left > 0) phases(g, 0);
  if (chance(g, 30)) {
    new_line(g);
    ADD("if (");
    condition(g, 2);
    ADD(") { out[item] = sum ^ %u; return; }", below(g, 1000));
    for (int k = 0; k < 2; k++) statement(g);
  }
  fold_all(g, from);
  new_line(g);
  ADD("out[item] = sum;\n}\n");
  g->out = out;
  char name[48];
  ADD("%s  KERNEL_HEAD(%s, %u)\n", g->locals.at, type_name(g, own, name), g->kernel);
  if (g->kernel) ADD("  global const uint *before = (global const uint *)cells - %u;\n", CELLS);
  text_bytes(out, body.at, body.size);
  free(body.at);
  g->in_kernel = false;
  g->variable_count = variables;
}

/* Sizes of the launch; the groups of OpenCL C 3.0 may be ragged. */
static void make_shape(struct generator *g, struct shape *shape) {
  static const unsigned char sizes[] = {1,  2,  3,  4,  5,  7,  8,  12,  16,
                                        16, 24, 32, 32, 40, 64, 64, 100, 128};
  shape->dims = chance(g, 60) ? 1 : 2 + below(g, 2);
  size_t room = MAX_GROUP;
  for (unsigned k = 0; k < 3; k++) {
    shape->global[k] = shape->local[k] = 1;
    if (k >= shape->dims) continue;
    size_t local;
    do local = sizes[below(g, k ? 8 : sizeof sizes)];
    while (local > room);
    room /= local;
    shape->local[k] = local;
    shape->global[k] = local * (1 + below(g, shape->dims > 1 ? 2 : 4));
    if (g->program->newer && chance(g, 25)) shape->global[k] += below(g, (unsigned)local);
    if (chance(g, 10)) shape->offset[k] = below(g, 50);
  }
}

/* Functions that nothing calls are left out, from the last one on: kernels may have been dropped of
 * calls. */
static void assemble(struct text *to, struct text *pieces, unsigned functions,
                     const struct generator *g, bool all) {
  bool used[MAX_FUNCTIONS] = {false};
  for (unsigned f = functions; f-- > 0;) {
    char name[64];
    snprintf(name, sizeof name, "%s(", g->functions[f].name);
    used[f] = all || strstr(pieces[functions].at, name);
    for (unsigned k = f + 1; k < functions && !used[f]; k++)
      used[f] = used[k] && strstr(pieces[k].at, name);
  }
  for (unsigned k = 0; k <= functions; k++) {
    if (k == functions || used[k]) text_bytes(to, pieces[k].at, pieces[k].size);
    free(pieces[k].at);
  }
}

void program_make(struct program *program, uint64_t seed, bool small, const struct drops *drops) {
  struct generator *g = calloc(1, sizeof *g);
  if (!g) die("out of memory");
  *program = (struct program){.seed = seed};
  g->program = program;
  g->small = small;
  g->drops = drops;
  g->random = seed * 0x632be59bd9b4e019u + 0x1234567;
  g->out = &program->text;
  program->newer = chance(g, 60);
  program->uniform = (int)below(g, 1000);
  make_shape(g, &program->shape);
  program->kernels = small || chance(g, 55) ? 1 : 2 + below(g, MAX_KERNELS - 1);
  make_records(g);
  record_folds(g);
  constants(g);
  struct text pieces[MAX_FUNCTIONS + 1] = {0};
  unsigned functions = small ? below(g, 2) : 1 + below(g, 4);
  for (unsigned k = 0; k < functions; k++) {
    g->out = &pieces[k];
    function(g, k);
  }
  g->out = &pieces[functions];
  for (g->kernel = 0; g->kernel < program->kernels; g->kernel++) kernel(g);
  assemble(&program->text, pieces, functions, g, !drops);
  program->nodes = g->nodes;
  free(g->locals.at);
  free(g);
}
