/* A kernel: its arguments, its ids, its statements, and the last stores. */
#include <string.h>

#include "memory/maker.h"

static struct memory_buffer *add_buffer(struct maker *m, const char *name,
                                        const struct memory_type *type, enum memory_fill fill,
                                        unsigned limit) {
  struct memory_kernel *k = m->kernel;
  if (k->num_buffers == MEMORY_BUFFERS) die("too many buffers");
  struct memory_buffer *b = &k->buffers[k->num_buffers++];
  *b = (struct memory_buffer){.type = type, .fill = fill, .limit = limit, .same_as = -1};
  snprintf(b->name, sizeof b->name, "%s", name);
  return b;
}

static const struct memory_type *any_type(struct maker *m) {
  return &memory_types[pick(m, one_in(m, 2) ? MEMORY_SIMPLE : memory_num_types())];
}

static const struct memory_type *one_of(struct maker *m, const char *const *names, unsigned count) {
  return memory_type_of(names[pick(m, count)]);
}

static unsigned output_buffer(struct maker *m, const char *name, const struct memory_type *type,
                              enum memory_fill fill, unsigned slots) {
  struct memory_buffer *b = add_buffer(m, name, type, fill, 0);
  unsigned at = (unsigned)(b - m->kernel->buffers), layout = pick(m, 12);
  b->is_written = true;
  m->slots[at] = slots;
  m->layout[at] = m->plain && layout > 2 ? 0 : layout < 9 ? layout : 0;
  return at;
}

static void choose_inputs(struct maker *m) {
  static const char *const bytes[] = {"uchar", "char"}, *const indices[] = {
                                                            "int",   "int",  "uint", "ushort",
                                                            "uchar", "long", "short"};
  static const char *const order[] = {"int", "uint", "ushort", "ulong"};
  add_buffer(m, "a0", any_type(m), MEMORY_WORDS, 0);
  add_buffer(m, "a1", any_type(m), MEMORY_WORDS, 0);
  add_buffer(m, "a2", any_type(m), MEMORY_WORDS, 0);
  add_buffer(m, "b0", one_of(m, bytes, 2), MEMORY_WORDS, 0);
  add_buffer(m, "b1", one_of(m, bytes, 1), MEMORY_WORDS, 0);
  const struct memory_type *index = one_of(m, indices, 7);
  unsigned limit = 1 + pick(m, index->size == 1 ? 256 : 900);
  add_buffer(m, "x0", index, MEMORY_INDICES, limit);
  add_buffer(m, "x1", one_of(m, order, 4), MEMORY_ORDER, m->items);
  add_buffer(m, "t0", memory_type_of("uchar"), MEMORY_INDICES, 8);
  add_buffer(m, "f0", memory_type_of("half"), MEMORY_HALVES, 0);
  add_buffer(m, "k0", memory_type_of("uint"), MEMORY_WORDS, 0)->is_constant = true;
}

static void choose_outputs(struct maker *m) {
  const struct memory_type *type = any_type(m);
  unsigned slots = 1 + pick(m, 8), first = output_buffer(m, "o0", type, MEMORY_WORDS, slots);
  type = any_type(m);
  slots = 1 + pick(m, 8);
  output_buffer(m, "o1", type, MEMORY_WORDS, slots);
  output_buffer(m, "e0", memory_type_of("half"), MEMORY_HALVES, 1);
  output_buffer(m, "q0", memory_type_of("uint"), MEMORY_WORDS, 1);
  unsigned vectors = output_buffer(m, "q1", memory_type_of("uint"), MEMORY_WORDS, 8);
  if (m->layout[vectors] == 1) m->layout[vectors] = 0; /* whose slots are side by side */
  output_buffer(m, "z0", memory_type_of("uint"), MEMORY_WORDS, 1);
  output_buffer(m, "z1", memory_type_of("float"), MEMORY_WORDS, 1);
  add_buffer(m, "h0", memory_type_of("uint"), MEMORY_WORDS, 0)->is_written = true;
  add_buffer(m, "h1", memory_type_of("uint"), MEMORY_WORDS, 0)->is_written = true;
  if (m->restricts) return;
  struct memory_buffer *again =
      add_buffer(m, "r0", m->kernel->buffers[first].type, MEMORY_WORDS, 0);
  again->same_as = (int)first;
}

static size_t any_local_size(struct maker *m, unsigned most) {
  static const unsigned sizes[] = {1,  2,  3,  4,  5,  7,  8,  8,  9,  12, 16,  16, 16,
                                   17, 24, 31, 32, 32, 33, 48, 64, 64, 64, 100, 128};
  unsigned size = sizes[pick(m, sizeof sizes / sizeof *sizes)];
  return size > most ? most : size;
}

static void choose_shape(struct maker *m) {
  struct shape *s = &m->kernel->shape;
  *s = (struct shape){.dims = one_in(m, 3) ? 2 : 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
  s->local[0] = any_local_size(m, s->dims == 2 ? 48 : MEMORY_GROUP);
  if (s->dims == 2) s->local[1] = any_local_size(m, MEMORY_GROUP / (unsigned)s->local[0]);
  unsigned most = MEMORY_ITEMS / (unsigned)(s->local[0] * s->local[1]);
  unsigned groups = 1 + pick(m, most < 6 ? most : 6),
           rows = s->dims == 2 ? 1 + pick(m, most / groups < 3 ? most / groups : 3) : 1;
  s->global[0] = s->local[0] * groups;
  s->global[1] = s->local[1] * rows;
  m->kernel->any_local = !m->meets && one_in(m, 4);
  m->kernel->required = !m->kernel->any_local && one_in(m, 4);
  if (!m->meets && !m->kernel->required) /* ragged groups */
    for (unsigned d = 0; d < s->dims; d++)
      if (one_in(m, 3)) s->global[d] -= pick(m, (unsigned)s->local[d]);
  for (unsigned d = 0; d < s->dims; d++)
    if (one_in(m, 8)) s->offset[d] = pick(m, 40);
  m->items = (unsigned)(s->global[0] * s->global[1]);
}

static void choose_scalars(struct maker *m) {
  static const char *const types[] = {"int", "int", "int", "uint", "long"};
  int last = (int)(m->kernel->shape.global[0] + m->kernel->shape.offset[0]);
  const int low[] = {1, 1, last > 40 ? last - 40 : 1, 8}, high[] = {4, 9, last, 10};
  for (unsigned k = 0; k < MEMORY_SCALARS; k++) {
    struct memory_scalar *s = &m->kernel->scalars[k];
    *s = (struct memory_scalar){.type = types[pick(m, 5)], .low = low[k], .high = high[k]};
    snprintf(s->name, sizeof s->name, "n%u", k);
  }
}

static void put_head(struct maker *m, bool for_host, uint64_t seed) {
  const struct memory_kernel *k = m->kernel;
  const size_t *local = k->shape.local;
  if (for_host) {
    put(m, "void memory%llu(const struct memory_item *it, void **args) {\n",
        (unsigned long long)seed);
  } else {
    if (k->required)
      put(m, "__attribute__((reqd_work_group_size(%zu, %zu, 1)))\n", local[0], local[1]);
    put(m, "kernel void memory%llu(", (unsigned long long)seed);
  }
  for (unsigned b = 0; b < k->num_buffers; b++) {
    const struct memory_buffer *of = &k->buffers[b];
    const char *constant = of->is_written || of->is_constant ? "" : "const ";
    if (for_host)
      put(m, "%s%s *%s = args[%u];\n", constant, of->type->name, of->name, b);
    else
      put(m, "%s %s%s *%s%s, ", of->is_constant ? "constant" : "global", constant, of->type->name,
          m->restricts && !of->is_constant ? "restrict " : "", of->name);
  }
  for (unsigned s = 0; s < MEMORY_SCALARS; s++)
    if (for_host)
      put(m, "%s n%u = *(%s *)args[%u];\n", k->scalars[s].type, s, k->scalars[s].type,
          k->num_buffers + s);
    else
      put(m, "%s n%u%s", k->scalars[s].type, s, s + 1 < MEMORY_SCALARS ? ", " : ") {\n");
}

static struct number id(const char *text, size_t low, size_t count) {
  return named(text, (int64_t)low, (int64_t)(low + count) - 1, RANK_ULONG);
}

/* What a work-item is, in several ways. */
static void put_ids(struct maker *m) {
  const struct shape *s = &m->kernel->shape;
  bool whole = s->offset[0] == 0 || one_in(m, 2);
  struct number x = id("get_global_id(0)", s->offset[0], s->global[0]);
  struct number y = id("get_global_id(1)", s->offset[1], s->global[1]);
  bool known = !m->kernel->any_local;
  if (known && !s->offset[0] && one_in(m, 4)) {
    char text[128];
    snprintf(text, sizeof text, "(get_group_id(0) * %zu + get_local_id(0))", s->local[0]);
    x = id(text, 0, s->global[0]);
  }
  if (!whole) x = id("(get_global_id(0) - get_global_offset(0))", 0, s->global[0]);
  declare(m, "i0", x);
  if (s->dims == 2) declare(m, "i1", y);
  if (known && one_in(m, 2)) declare(m, "i2", id("get_local_id(0)", 0, s->local[0]));
  if (known && one_in(m, 3))
    declare(m, "i3", id("get_group_id(0)", 0, (s->global[0] + s->local[0] - 1) / s->local[0]));
  if (s->dims == 2 && known && one_in(m, 3))
    declare(m, "i4", id("get_local_id(1)", 0, s->local[1]));
  if (s->dims == 2 && one_in(m, 2)) {
    struct number row = times(y, (int64_t)s->global[0]);
    declare(m, "i5", add(row, x));
  }
  m->num_ids = m->num_names;
}

static void put_own(struct maker *m) {
  static const char *const types[] = {"int", "uint", "size_t", "int"};
  static const enum rank ranks[] = {RANK_INT, RANK_UINT, RANK_ULONG, RANK_INT};
  const struct shape *s = &m->kernel->shape;
  unsigned t = pick(m, 4), across = s->dims == 2 && one_in(m, 3);
  const char *x = "(get_global_id(0) - get_global_offset(0))",
             *y = "(get_global_id(1) - get_global_offset(1))";
  if (!s->offset[0]) x = "get_global_id(0)";
  if (!s->offset[1]) y = "get_global_id(1)";
  if (s->dims == 1)
    put(m, "%s g = %s;\n", types[t], x);
  else if (across)
    put(m, "%s g = %s * %zu + %s;\n", types[t], x, s->global[1], y);
  else
    put(m, "%s g = %s * %zu + %s;\n", types[t], y, s->global[0], x);
  m->own = named("g", 0, m->items - 1, ranks[t]);
}

/* The same for all, or not. */
static void put_private(struct maker *m) {
  static const char *const types[] = {"uint", "uchar", "ushort", "int"};
  unsigned n = 2 + pick(m, 15), t = pick(m, 4);
  const char *by = one_in(m, 2) ? "n0" : "g";
  put(m, "%s v[%u];\nfor (int w = 0; w < %u; w++) v[w] = (%s)(w * %s + 3);\n", types[t], n, n,
      types[t], by);
  add_near(m, "v", n);
}

static void put_statements(struct maker *m) {
  unsigned n = m->plain ? 1 + pick(m, 2) : one_in(m, 2) ? 1 + pick(m, 3) : 2 + pick(m, 6);
  if (!m->meets && one_in(m, 3))
    put(m, "if (%s) return;\n", one_in(m, 2) ? "i0 >= n2" : "!(i0 < n2)");
  for (unsigned k = 0; k < n; k++) {
    if (m->meets && one_in(m, 3))
      put_local(m);
    else
      statement(m);
  }
}

void memory_generate(FILE *file, bool for_host, uint64_t seed, const bool *left_out,
                     struct memory_kernel *kernel) {
  struct maker m = {.file = file, .random = seed, .kernel = kernel, .left_out = left_out};
  *kernel = (struct memory_kernel){0};
  m.budget = 5 + pick(&m, 22);
  m.meets = one_in(&m, 4);
  m.restricts = one_in(&m, 2);
  m.wild = pick(&m, 9);
  m.plain = one_in(&m, 3);
  choose_shape(&m);
  choose_scalars(&m);
  choose_inputs(&m);
  choose_outputs(&m);
  put_head(&m, for_host, seed);
  put_ids(&m);
  put_own(&m);
  if (m.meets)
    put(&m, "uint lx = get_local_id(0), ly = get_local_id(1), ll = ly * %zuu + lx;\n",
        kernel->shape.local[0]);
  put(&m, "uint X = (uint)g%s; float F = 1; double D = 1;\n",
      m.plain ? ", Y = 5" : " * 2654435761u + (uint)n0, Y = X >> 9");
  if (one_in(&m, 3)) add_near(&m, "fixed", 16);
  if (one_in(&m, 4)) put_private(&m);
  put_statements(&m);
  struct number z0 = own_place(&m, (unsigned)buffer_named(&m, "z0"), number_of(0));
  struct number z1 = own_place(&m, (unsigned)buffer_named(&m, "z1"), number_of(0));
  put(&m, "M(z0[%s]) = X ^ Y;\n", z0.text);
  if (!m.plain || one_in(&m, 3)) put(&m, "M(z1[%s]) = F + (float)D;\n", z1.text);
  put(&m, "}\n");
}
