/* What else kernels do with memory: pointers that walk, views of bytes, products of bytes, halves,
 * private arrays, tables, atomics. */
#include "memory/maker.h"

static const struct memory_buffer *named_buffer(struct maker *m, const char *name) {
  return &m->kernel->buffers[buffer_named(m, name)];
}

/* Of numbers, or null. */
static const struct memory_buffer *input_of_numbers(struct maker *m, unsigned *buffer) {
  *buffer = input(m);
  const struct memory_buffer *b = &m->kernel->buffers[*buffer];
  return b->type->parts == 1 && b->type->of != OF_STRUCTS ? b : NULL;
}

static void walking_pointer(struct maker *m) {
  unsigned buffer, p = m->labels++, trips = 1 + pick(m, 12), by = 1 + pick(m, 5), kind = pick(m, 4);
  const struct memory_buffer *b = input_of_numbers(m, &buffer);
  if (!b) return;
  struct number from = at_most(m, any_index(m, 1), 4096);
  unsigned back = kind == 1 ? trips * by : 0;
  const char *to = b->type->of == OF_INTEGERS ? "X = X * 5u + (uint)"
                   : b->type->of == OF_FLOATS ? "F = F * 0.5f + "
                                              : "D = ";
  put(m, "{ GLOBAL const %s *p%u = %s + %s + %u;\n", b->type->name, p, b->name, from.text, back);
  put(m, "for (int w = 0; w < %u; w++) {\n", trips);
  if (kind == 3) put(m, "if (X & 1) ");
  put(m, "%sM(*p%u);\n", to, p);
  if (kind == 2 && one_in(m, 2)) put(m, "if (Y %% 5u == 0) break;\n");
  if (kind == 1)
    put(m, "p%u -= %u;\n", p, by);
  else if (one_in(m, 2))
    put(m, "p%u += %u;\n", p, by);
  else
    put(m, "p%u += n0;\n", p);
  put(m, "} }\n");
}

/* b0 is bytes, which others may look at. */
static void view(struct maker *m) {
  static const char *const views[] = {"uint",  "ushort", "ulong", "int",
                                      "short", "uchar4", "uint2", "uint4"};
  static const unsigned sizes[] = {4, 2, 8, 4, 2, 4, 8, 16};
  unsigned v = pick(m, 8), loaded = m->labels++;
  struct number at = at_most(m, any_index(m, 1), MEMORY_LARGEST / 16);
  if (v < 5) {
    put(m, "X = X * 7u + (uint)M(((GLOBAL const %s *)b0)[%s]);\n", views[v], at.text);
  } else if (one_in(m, 3)) { /* at a byte of its own, if aligned */
    put(m,
        "{ %s v%u = M(*(GLOBAL const %s *)(b0 + %s * %u)); X += (uint)S(v%u, 0) ^ (uint)S(v%u, 1); "
        "}\n",
        views[v], loaded, views[v], at.text, sizes[v], loaded, loaded);
  } else {
    put(m,
        "{ %s v%u = M(((GLOBAL const %s *)b0)[%s]); Y += (uint)S(v%u, 1); X ^= (uint)S(v%u, 0); "
        "}\n",
        views[v], loaded, views[v], at.text, loaded, loaded);
  }
}

/* The bytes of what others have as words. */
static void bytes_of(struct maker *m) {
  unsigned buffer, n = 1 + pick(m, 8), from = pick(m, 4);
  const struct memory_buffer *b = input_of_numbers(m, &buffer);
  if (!b) return;
  struct number at = at_most(m, any_index(m, 1), 1024);
  for (unsigned k = 0; k < n; k++) {
    unsigned by = one_in(m, 4) ? pick(m, 8) : from + k;
    put(m, "X = X * 3u + M(((GLOBAL const uchar *)%s)[%s * %u + %u]);\n", b->name, at.text,
        b->type->size, by);
  }
}

static void product_of_bytes(struct maker *m) {
  static const char *const types[] = {"char", "uchar", "short", "char"};
  unsigned trips = 1 + pick(m, 24), s = m->labels++, t = pick(m, 4), u = pick(m, 4),
           row = trips + pick(m, 3);
  bool same = one_in(m, 3);
  struct number i = at_most(m, any_index(m, 1), 300), j = at_most(m, any_index(m, 1), 300);
  if (one_in(m, 2)) row = 1;
  put(m, "{ int s%u = 0;\nfor (int w = 0; w < %u; w++)\n", s, trips);
  put(m, "s%u += (int)(%s)M(b0[%s * %u + w]) * (int)(%s)M(%s[%s * %u + w]);\n", s, types[t], i.text,
      row, types[u], same ? "b0" : "b1", j.text, same ? 1 : row);
  put(m, "X += (uint)s%u; }\n", s);
}

static void halves(struct maker *m) {
  struct number at = at_most(m, any_index(m, 1), MEMORY_LARGEST);
  if (one_in(m, 3)) {
    struct number own = own_place(m, (unsigned)buffer_named(m, "e0"), number_of(0));
    put(m, "PUT_HALF((float)(X & 1023), %s, e0)\n", own.text);
  } else {
    put(m, "F = F * 0.5f + HALF(%s, f0);\n", at.text);
  }
}

static void private_array(struct maker *m) {
  static const char *const types[] = {"uint", "uint", "uchar", "ushort", "ulong", "int"};
  static const unsigned sizes[] = {3, 4, 8, 8, 16, 20};
  unsigned p = m->labels++, t = pick(m, 6), n = sizes[pick(m, 6)], kind = pick(m, 4),
           by = 1 + pick(m, 7);
  struct number at = at_most(m, any_index(m, 1), 1024);
  put(m, "{ %s p%u[%u];\nfor (int w = 0; w < %u; w++) ", types[t], p, n, n);
  if (kind == 0)
    put(m, "p%u[w] = (%s)M(b1[%s + w]);\n", p, types[t], at.text);
  else
    put(m, "p%u[w] = (%s)(X >> w %% 9);\n", p, types[t]);
  if (kind == 1) put(m, "p%u[X %% %uu] += (%s)Y;\n", p, n, types[t]);
  if (kind == 2)
    put(m,
        "for (int w = %u; w > 0; w--) if (p%u[w] < p%u[w - 1]) { %s h = p%u[w]; p%u[w] = p%u[w - "
        "1]; p%u[w - 1] = h; }\n",
        n - 1, p, p, types[t], p, p, p, p);
  if (kind == 3)
    put(m, "p%u[%s %% %u] ^= (%s)%u;\n", p, m->names[0].low < 0 ? "(X & 7)" : m->names[0].text, n,
        types[t], by);
  put(m,
      "for (int w = 0; w < %u; w += %u) X = X * 3u + (uint)p%u[w];\nY ^= (uint)p%u[Y %% %uu]; }\n",
      n, 1 + by % 2, p, p, n);
}

void add_near(struct maker *m, const char *name, unsigned size) {
  if (m->num_near == MOST_NAMES) return;
  struct near *n = &m->near[m->num_near++];
  n->size = size;
  snprintf(n->name, sizeof n->name, "%s", name);
}

static void table(struct maker *m) {
  struct number at = at_most(m, any_index(m, 1), 16);
  if (one_in(m, 2))
    put(m, "X ^= fixed[%s];\n", at.text);
  else
    put(m, "Y += M(k0[%s]);\n", at.text);
}

/* h0: what each work-item adds to. */
static void atomic(struct maker *m) {
  static const char *const names[] = {"ADD", "ADD", "ADD", "SUB", "INC", "ADD"};
  struct number at = at_most(m, any_index(m, 1), 200);
  const char *name = names[pick(m, 6)];
  unsigned by = pick(m, 60);
  if (one_in(m, 2))
    put(m, "%s(M(h0[%s]), X & 255)\n", name, at.text);
  else
    put(m, "%s(M(h0[%u]), (X & 3) + 1)\n", name, by);
}

/* h1: bits, or extremes. */
static void atomic_bits(struct maker *m) {
  static const char *const names[] = {"OR", "AND", "XOR", "MAX", "MIN"};
  unsigned kind = pick(m, 5); /* of places of its own */
  struct number at = add(at_most(m, any_index(m, 1), 40), number_of(40 * kind));
  put(m, "%s(M(h1[%s]), X >> 3)\n", names[kind], at.text);
}

static void chosen_pointer(struct maker *m) {
  unsigned buffer, p = m->labels++;
  const struct memory_buffer *b = input_of_numbers(m, &buffer);
  if (!b || b->type->of != OF_INTEGERS) return;
  struct number i = at_most(m, any_index(m, 1), MEMORY_LARGEST - 8),
                j = at_most(m, any_index(m, 1), MEMORY_LARGEST - 8);
  const char *by = condition(m);
  put(m, "{ GLOBAL const %s *p%u = %s ? &%s[%s] : %s + %s;\n", b->type->name, p, by, b->name,
      i.text, b->name, j.text);
  put(m, "X += (uint)M(*p%u) * 3u ^ (uint)M(p%u[%u]); }\n", p, p, pick(m, 8));
}

static void volatile_load(struct maker *m) {
  unsigned buffer;
  const struct memory_buffer *b = input_of_numbers(m, &buffer);
  if (!b || b->type->of != OF_INTEGERS) return;
  struct number at = element(m, 1);
  put(m, "Y ^= (uint)M(((volatile GLOBAL const %s *)%s)[%s]);\n", b->type->name, b->name, at.text);
}

/* A place of its own is counted up while a loop reads elsewhere. */
static void sum_in_memory(struct maker *m) {
  unsigned trips = 1 + pick(m, 12), by = 1 + pick(m, 30);
  struct number own = own_place(m, (unsigned)buffer_named(m, "q0"), number_of(0));
  struct number at = at_most(m, any_index(m, 1), 1024);
  put(m, "for (int w = 0; w < %u; w++) { M(q0[%s]) += (uint)M(b1[%s + w * %u]); ", trips, own.text,
      at.text, by);
  if (one_in(m, 2)) put(m, "if (X & 1 << w) continue; M(q0[%s]) ^= 5u; ", own.text);
  put(m, "}\n");
}

static void vector_store(struct maker *m) {
  static const unsigned sizes[] = {2, 3, 4, 8};
  unsigned n = sizes[pick(m, 4)];
  const struct memory_buffer *q = named_buffer(m, "q1"); /* eight slots */
  struct number at = own_place(m, (unsigned)(q - m->kernel->buffers), number_of(0));
  unsigned v = m->labels++;
  put(m,
      "{ uint%u v%u = VLOAD(%u, uint, q1 + %s); v%u = v%u * 3u + X; VSTORE(%u, uint, v%u, q1 + %s) "
      "}\n",
      n, v, n, at.text, v, v, n, v, at.text);
}

void put_special(struct maker *m) {
  static void (*const kinds[])(struct maker *) = {
      walking_pointer, walking_pointer, view,          bytes_of,     product_of_bytes,
      halves,          private_array,   table,         atomic,       atomic_bits,
      chosen_pointer,  volatile_load,   sum_in_memory, vector_store, view,
  };
  kinds[pick(m, sizeof kinds / sizeof *kinds)](m);
}
