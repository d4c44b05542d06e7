/* Pointers, bytes of values, vectors in arrays, tables in constant memory. */
#include "programs/generator.h"

#include <stdio.h>

static const char *const space_names[] = {"", "local ", "global ", "constant "};

/* `T *v = &place`, or `T **v = &pointer`.  Unqualified pointers are to private memory in OpenCL
 * C 1.2, and to any but constant memory in 3.0; then the variable counts as private as well. */
static bool pointer_to_pointer(struct generator *g) {
  for (int tries = 0; tries < 8; tries++) {
    unsigned k = below(g, g->variable_count);
    const struct variable to = g->variables[k];
    if (to.stars != 1 || to.count || to.fixed) continue;
    char name[48];
    ADD("%s%s **v%u = &%s;", space_names[to.space], type_name(g, to.type, name), g->names, to.name);
    struct variable *v = declare(g, to.type, 0);
    v->stars = 2;
    v->space = to.space;
    v->of_scope = to.scope;
    return true;
  }
  return false;
}

/* A pointer to elements: to all of a variable that is an array. */
static bool pointer_to_array(struct generator *g) {
  for (int tries = 0; tries < 8; tries++) {
    unsigned k = below(g, g->variable_count);
    const struct variable to = g->variables[k];
    if (!to.count || to.stars == 2 || to.space == CONSTANT) continue;
    char name[48];
    unsigned skip = chance(g, 50) ? to.count / 2 : 0;
    ADD("%s%s%s *v%u = %s + %u;", to.read_only ? "const " : "", space_names[to.space],
        type_name(g, to.type, name), g->names, to.name, skip);
    struct variable *v = declare(g, to.type, skip ? to.count - skip : to.count);
    v->stars = 1;
    v->space = to.space;
    v->read_only = to.read_only;
    v->fixed = true;
    return true;
  }
  return false;
}

bool pointer_declaration(struct generator *g) {
  if (!g->variable_count) return false;
  if (chance(g, 30)) return pointer_to_pointer(g);
  if (chance(g, 30)) return pointer_to_array(g);
  struct wish wish = {
      .type = random_type(g), .writable = true, .addressable = true, .space = -1, .scope = ~0u};
  if (wish.type.base != RECORD) wish.any_value = true;
  struct place place;
  if (!find_place(g, &wish, &place)) return false;
  enum space space = g->variables[place.variable].space;
  if (g->program->newer && chance(g, 50)) space = PRIVATE;
  char name[48];
  unsigned number = g->names++;
  ADD("%s%s *v%u = &", space_names[space], type_name(g, place.type, name), number);
  add_place(g, &place);
  ADD(";");
  unsigned next = g->names;
  g->names = number;
  struct variable *v = declare(g, place.type, 0);
  g->names = next;
  v->stars = 1;
  v->space = space;
  return true;
}

/* The pointer may be given what is of its type and lives as long. */
static bool retarget(struct generator *g, const struct variable *pointer, unsigned scope) {
  struct wish wish = {.type = pointer->type,
                      .writable = true,
                      .addressable = true,
                      .space = (int)pointer->space,
                      .scope = scope};
  if (g->program->newer && pointer->space == PRIVATE) wish.space = -1;
  struct place place;
  if (!find_place(g, &wish, &place)) return false;
  char stars = pointer->stars == 2 ? '*' : ' ';
  bool choose = chance(g, 30);
  ADD("%c%s = ", stars, pointer->name);
  if (choose) {
    condition(g, 2);
    ADD(" ? ");
  }
  /* both sides have the pointer's address space, or the conversion to it is implicit */
  char name[48];
  if (choose) ADD("(%s%s *)", space_names[pointer->space], type_name(g, pointer->type, name));
  ADD("&");
  add_place(g, &place);
  if (choose) ADD(" : %c%s", stars, pointer->name);
  ADD(";");
  return true;
}

bool pointer_statement(struct generator *g) {
  for (int tries = 0; tries < 10 && g->variable_count; tries++) {
    const struct variable v = g->variables[below(g, g->variable_count)];
    if (!v.stars || v.fixed || v.count) continue;
    if (v.stars == 2 && chance(g, 40)) { /* another pointer of the same kind */
      const struct variable other = g->variables[below(g, g->variable_count)];
      if (other.stars != 1 || other.fixed || other.count || other.space != v.space ||
          other.scope != v.of_scope || other.type.base != v.type.base || other.type.n != v.type.n)
        continue;
      ADD("%s = &%s;", v.name, other.name);
      return true;
    }
    if (retarget(g, &v, v.stars == 2 ? v.of_scope : v.scope)) return true;
  }
  return false;
}

/* One byte of an integer, read or written: what is little-endian on all devices compared. */
bool bytes_statement(struct generator *g) {
  struct wish wish = {
      .any_value = true, .writable = true, .addressable = true, .space = -1, .scope = ~0u};
  struct wish into = {.any_value = true, .writable = true, .space = -1, .scope = ~0u};
  struct place place, target;
  if (!find_place(g, &wish, &place) || !is_integer(place.type) || place.type.n == 3) return false;
  if (!find_place(g, &into, &target) || !is_integer(target.type) || target.type.n > 1) return false;
  unsigned mask = base_size(place.type.base) * place.type.n - 1;
  const char *space = space_names[g->variables[place.variable].space];
  bool store = chance(g, 40);
  char name[48];
  if (!store) {
    add_place(g, &target);
    ADD(" = (%s)", type_name(g, target.type, name));
  }
  ADD("((%suchar *)&", space);
  add_place(g, &place);
  ADD(")[");
  expression(g, (struct type){UINT, 1}, 2);
  ADD(" & %u]", mask);
  if (store) {
    ADD(" = ");
    expression(g, (struct type){UCHAR, 1}, 2);
  }
  ADD(";");
  return true;
}

static const struct variable *find_array(struct generator *g, enum base base, unsigned elements,
                                         bool written) {
  for (int tries = 0; tries < 12 && g->variable_count; tries++) {
    const struct variable *v = &g->variables[below(g, g->variable_count)];
    bool fits = base >= RECORD ? v->type.base != RECORD : v->type.base == base;
    if (fits && v->type.n == 1 && v->stars < 2 && v->count >= elements &&
        !(written && v->read_only))
      return v;
  }
  return NULL;
}

bool vector_load(struct generator *g, struct type t) {
  const struct variable *v = find_array(g, t.base, t.n, false);
  if (!v || g->indices > 1) return false;
  g->indices++;
  ADD("vload%u(", t.n);
  if (t.n == 3) {
    ADD("%u", below(g, v->count / 3));
  } else {
    expression(g, (struct type){UINT, 1}, 1);
    ADD(" & %u", v->count / t.n - 1);
  }
  ADD(", %s)", v->name);
  g->indices--;
  return true;
}

bool vector_store(struct generator *g) {
  unsigned n = random_width(g);
  const struct variable *v = find_array(g, RECORD, n, true);
  if (!v) return false;
  struct type t = {v->type.base, (unsigned char)n};
  ADD("vstore%u(", n);
  expression(g, t, 3);
  if (n == 3)
    ADD(", %u", below(g, v->count / 3));
  else
    ADD(", %u", below(g, v->count / n));
  ADD(", %s);", v->name);
  return true;
}

void constants(struct generator *g) {
  for (unsigned wanted = 1 + below(g, 3); wanted; wanted--) {
    struct type t = random_type(g);
    unsigned count = 2u << below(g, 3);
    if (t.base == RECORD) count = 2;
    char name[48];
    struct variable *v = declare(g, t, count);
    v->space = CONSTANT;
    v->read_only = true;
    snprintf(v->name, sizeof v->name, "p%llu_c%u", (unsigned long long)g->program->seed, wanted);
    ADD("constant %s %s[%u] = ", type_name(g, t, name), v->name, count);
    struct variable hidden = *v; /* not in its own initialiser */
    g->variable_count--;
    initialiser(g, t, count, 0);
    g->variables[g->variable_count++] = hidden;
    ADD(";\n");
  }
}
