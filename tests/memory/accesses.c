/* Loads and stores of elements, of their parts, and of several of them as a vector. */
#include <string.h>

#include "memory/maker.h"

int buffer_named(struct maker *m, const char *name) {
  for (unsigned b = 0; b < m->kernel->num_buffers; b++)
    if (!strcmp(m->kernel->buffers[b].name, name)) return (int)b;
  return -1;
}

static unsigned any_of(struct maker *m, char letter) {
  unsigned list[MEMORY_BUFFERS], count = 0;
  for (unsigned b = 0; b < m->kernel->num_buffers; b++)
    if (m->kernel->buffers[b].name[0] == letter) list[count++] = b;
  return list[pick(m, count)];
}

unsigned input(struct maker *m) {
  return any_of(m, 'a');
}

unsigned output(struct maker *m) {
  return any_of(m, 'o');
}

/* --- loads --- */

static void take(struct maker *m, const char *value) {
  unsigned kind = pick(m, 7), by = 3 + 2 * pick(m, 30);
  if (kind == 0) put(m, "X = X * %uu + (uint)%s;\n", by, value);
  if (kind == 1) put(m, "X ^= (uint)%s;\n", value);
  if (kind == 2) put(m, "Y += (uint)%s * %uu;\n", value, by);
  if (kind == 3) put(m, "X += (uint)%s;\n", value);
  if (kind == 4) put(m, "if ((uint)%s %% %uu > %u) Y += X;\n", value, by, by / 2);
  if (kind == 5) put(m, "Y = least(Y, X, (uint)%s);\n", value);
  if (kind == 6) put(m, "X = twice(X, (uint)%s);\n", value);
}

static void take_float(struct maker *m, const char *value, bool is_double) {
  const char *to = is_double ? "D" : "F";
  unsigned kind = pick(m, 5);
  if (kind == 0) put(m, "%s = %s * 0.5%s + %s;\n", to, to, is_double ? "" : "f", value);
  if (kind == 1) put(m, "X += %s > %s ? 3u : 7u;\n", value, to);
  if (kind == 2) put(m, "%s = %s;\n", to, value);
  if (kind == 3) put(m, "%s = %s > %s ? %s : %s;\n", to, to, value, to, value);
  if (kind == 4) put(m, "%s = (%s - %s) * 0.25%s;\n", to, value, to, is_double ? "" : "f");
}

static void take_field(struct maker *m, const struct memory_buffer *b, const char *at,
                       const struct memory_field *f) {
  char value[TEXT_SIZE + 64];
  snprintf(value, sizeof value, "M(%s[%s]%s)", b->name, at, f->path);
  if (f->is == A_NUMBER)
    take(m, value);
  else
    take_float(m, value, f->is == A_DOUBLE);
}

static void load_fields(struct maker *m, const struct memory_buffer *b, const char *at) {
  const struct memory_field *first = NULL;
  unsigned count = memory_fields_of(b->type, &first), n = 1 + pick(m, count), from = pick(m, count);
  for (unsigned k = 0; k < n; k++) take_field(m, b, at, &first[(from + k) % count]);
}

static void load_vector(struct maker *m, const struct memory_buffer *b, const char *at) {
  const struct memory_type *t = b->type;
  char value[64];
  unsigned v = m->labels++, n = 1 + pick(m, t->parts), from = pick(m, t->parts);
  if (one_in(m, 3)) { /* one part alone */
    char part[TEXT_SIZE + 64];
    snprintf(part, sizeof part, "S(M(%s[%s]), %u)", b->name, at, from > 9 ? 9 : from);
    if (t->of == OF_INTEGERS)
      take(m, part);
    else
      take_float(m, part, t->of == OF_DOUBLES);
    return;
  }
  put(m, "{ %s v%u = M(%s[%s]);\n", t->name, v, b->name, at);
  for (unsigned k = 0; k < n; k++) {
    unsigned part = (from + k) % t->parts;
    snprintf(value, sizeof value, "S(v%u, %u)", v, part > 9 ? 9 : part);
    if (t->of == OF_INTEGERS)
      take(m, value);
    else
      take_float(m, value, t->of == OF_DOUBLES);
  }
  put(m, "}\n");
}

void load(struct maker *m, unsigned buffer, struct number index) {
  const struct memory_buffer *b = &m->kernel->buffers[buffer];
  if (b->type->of == OF_STRUCTS) {
    load_fields(m, b, index.text);
    return;
  }
  if (b->type->parts > 1) {
    load_vector(m, b, index.text);
    return;
  }
  char value[TEXT_SIZE + 32];
  snprintf(value, sizeof value, "M(%s[%s])", b->name, index.text);
  if (b->type->of == OF_INTEGERS)
    take(m, value);
  else
    take_float(m, value, b->type->of == OF_DOUBLES);
}

/* Several elements side by side, by vloadn. */
static void load_several(struct maker *m, const struct memory_buffer *b) {
  static const unsigned sizes[] = {2, 3, 4, 4, 8};
  unsigned n = sizes[pick(m, 5)], v = m->labels++;
  bool floats = b->type->of != OF_INTEGERS;
  struct number at = any_index(m, 0);
  if (one_in(m, 2)) at = times(at, n);
  at = at_most(m, at, MEMORY_LARGEST - n);
  put(m, "{ %s%u v%u = VLOAD(%u, %s, %s + %s);\n", b->type->name, n, v, n, b->type->name, b->name,
      at.text);
  for (unsigned k = 0; k < n; k++) {
    char value[32];
    if (one_in(m, 3)) continue;
    snprintf(value, sizeof value, "S(v%u, %u)", v, k);
    if (floats)
      take_float(m, value, b->type->of == OF_DOUBLES);
    else
      take(m, value);
  }
  put(m, "}\n");
}

/* The same place, and those beside it. */
static void load_beside(struct maker *m, unsigned buffer) {
  struct number at = element(m, 8);
  for (unsigned n = 2 + pick(m, 3), k = 0; k < n; k++) {
    struct number by = number_of(one_in(m, 3) ? pick(m, 8) : k);
    load(m, buffer, add(at, by));
  }
}

/* Elements of a structure of arrays, or an array of short rows: at[i * n], at[i * n + 1] ... */
static void load_row(struct maker *m, unsigned buffer) {
  unsigned n = 2 + pick(m, 4), count = 1 + pick(m, n);
  struct number at = at_most(m, times(any_index(m, 1), n), MEMORY_LARGEST - n);
  for (unsigned k = 0; k < count; k++) load(m, buffer, add(at, number_of(k)));
}

/* What a group, a work-item or the program has. */
static bool load_near(struct maker *m) {
  if (!m->num_near) return false;
  const struct near *n = &m->near[pick(m, m->num_near)];
  struct number at = any_index(m, 0);
  at = at_most(m, at, n->size);
  char value[TEXT_SIZE + 32];
  snprintf(value, sizeof value, "%s[%s]", n->name, at.text);
  take(m, value);
  return true;
}

void put_load(struct maker *m) {
  if (one_in(m, 4) && load_near(m)) return;
  unsigned buffer = input(m), kind = pick(m, 12);
  const struct memory_buffer *b = &m->kernel->buffers[buffer];
  bool single = b->type->parts == 1 && b->type->of != OF_STRUCTS;
  if (kind < 2 && single) {
    load_several(m, b);
  } else if (kind == 2) {
    load_beside(m, buffer);
  } else if (kind == 3) {
    load_row(m, buffer);
  } else {
    struct number at = element(m, 1);
    load(m, buffer, at);
  }
}

/* --- stores --- */

static struct number any_slot(struct maker *m, unsigned slots) {
  struct number at = m->names[m->num_names - 1];
  char text[TEXT_SIZE + 32];
  bool inside = m->num_names > m->num_ids && at.low == 0;
  if (inside && at.high < slots) return at;
  if (inside && one_in(m, 2)) {
    snprintf(text, sizeof text, "(%s %% %u)", at.text, slots);
    return named(text, 0, slots - 1, at.rank);
  }
  if (one_in(m, 4)) {
    snprintf(text, sizeof text, "(X %% %uu)", slots);
    return named(text, 0, slots - 1, RANK_UINT);
  }
  return number_of(pick(m, slots));
}

static void store_field(struct maker *m, const struct memory_buffer *b, const char *at) {
  const struct memory_field *first = NULL;
  unsigned count = memory_fields_of(b->type, &first), n = 1 + pick(m, count), from = pick(m, count);
  for (unsigned k = 0; k < n; k++) {
    const struct memory_field *f = &first[(from + k) % count];
    const char *value = f->is == A_FLOAT    ? "F"
                        : f->is == A_DOUBLE ? "D"
                        : one_in(m, 2)      ? "X"
                                            : "(X ^ Y)";
    put(m, "M(%s[%s]%s) = %s;\n", b->name, at, f->path, value);
  }
}

static void store_vector(struct maker *m, const struct memory_buffer *b, const char *at) {
  const struct memory_type *t = b->type;
  static const char *const numbers[] = {"X", "Y", "(X >> 7)", "(X * Y)"};
  unsigned n = t->parts;
  const char *value = t->of == OF_FLOATS ? "F" : t->of == OF_DOUBLES ? "D" : NULL, *v[4];
  for (unsigned k = 0; k < 4; k++) v[k] = value ? value : numbers[pick(m, 4)];
  if (n == 2)
    put(m, "M(%s[%s]) = MAKE2(%s, %s, %s);\n", b->name, at, t->part, v[0], v[1]);
  else if (n == 4)
    put(m, "M(%s[%s]) = MAKE4(%s, %s, %s, %s, %s);\n", b->name, at, t->part, v[0], v[1], v[2],
        v[3]);
  else
    for (unsigned k = 0; k < n && k < 9; k += 1 + pick(m, 2))
      put(m, "S(M(%s[%s]), %u) = %s;\n", b->name, at, k, v[k % 4]);
}

static void store_number(struct maker *m, const struct memory_buffer *b, const char *at) {
  static const char *const ways[] = {"=", "=", "=", "+=", "^=", "|="};
  const char *way = ways[pick(m, 6)], *value = one_in(m, 2)   ? "X"
                                               : one_in(m, 2) ? "Y"
                                                              : "(X + (Y >> 3))";
  put(m, "M(%s[%s]) %s (%s)%s;\n", b->name, at, way, b->type->name, value);
}

/* Mostly what has been there is used too. */
void put_store(struct maker *m) {
  unsigned buffer = output(m);
  const struct memory_buffer *b = &m->kernel->buffers[buffer];
  struct number slot = any_slot(m, m->slots[buffer]), at = own_place(m, buffer, slot);
  if (one_in(m, 4)) load(m, buffer, at);
  if (one_in(m, 6)) { /* by another argument that is the same buffer */
    int other = buffer_named(m, "r0");
    if (other >= 0 && (unsigned)m->kernel->buffers[other].same_as == buffer)
      load(m, (unsigned)other, at);
  }
  if (b->type->of == OF_STRUCTS) {
    store_field(m, b, at.text);
  } else if (b->type->parts > 1) {
    store_vector(m, b, at.text);
  } else if (b->type->of == OF_INTEGERS) {
    store_number(m, b, at.text);
  } else {
    const char *value = b->type->of == OF_FLOATS ? "F" : "D";
    put(m, "M(%s[%s]) %s %s;\n", b->name, at.text, one_in(m, 4) ? "+=" : "=", value);
  }
}
