/* Variables, and the way from one to a value inside of it. */
#include "programs/generator.h"

#include <stdio.h>

struct variable *declare(struct generator *g, struct type type, unsigned count) {
  if (g->variable_count == MAX_VARIABLES)
    die("seed %llu: too many variables", (unsigned long long)g->program->seed);
  struct variable *variable = &g->variables[g->variable_count++];
  *variable = (struct variable){.type = type, .count = count, .scope = g->scope};
  snprintf(variable->name, sizeof variable->name, "v%u", g->names++);
  return variable;
}

static bool same(struct type a, struct type b) {
  return a.base == b.base && a.n == b.n;
}

static bool fits(const struct wish *wish, struct type t) {
  return wish->any_value ? t.base != RECORD : same(t, wish->type);
}

static bool allowed(const struct wish *wish, const struct variable *v) {
  if (wish->writable && v->read_only) return false;
  if (wish->space >= 0 && (int)v->space != wish->space) return false;
  if (wish->addressable && v->read_only) return false;
  return v->scope <= wish->scope;
}

static void step(struct place *place, int what, unsigned count) {
  place->step[place->steps] = (signed char)what;
  place->mask[place->steps++] = count - 1;
}

/* A random way down; false where it ends at something else. */
static bool descend(struct generator *g, const struct wish *wish, unsigned variable,
                    struct place *place) {
  const struct variable *v = &g->variables[variable];
  *place = (struct place){.variable = variable, .type = v->type};
  if (v->count) step(place, -1, v->count);
  while (!fits(wish, place->type)) {
    if (place->type.base != RECORD) return false;
    const struct record *record = &g->records[place->type.n];
    /* what is packed may lie anywhere, what is in a union may be of another type: no pointers into
     * it */
    if (wish->addressable && (record->packed || record->is_union)) return false;
    unsigned k = below(g, record->count);
    step(place, (int)k, 1);
    place->type = record->members[k].type;
    if (record->members[k].count) step(place, -1, record->members[k].count);
  }
  return true;
}

bool find_place(struct generator *g, const struct wish *wish, struct place *place) {
  if (!g->variable_count) return false;
  for (int tries = 0; tries < 24; tries++) {
    unsigned variable = below(g, g->variable_count);
    if (allowed(wish, &g->variables[variable]) && descend(g, wish, variable, place)) return true;
  }
  return false;
}

static void add_index(struct generator *g, unsigned mask) {
  if (g->indices > 1 || chance(g, 40)) {
    ADD("[%u]", below(g, mask + 1));
    return;
  }
  g->indices++;
  ADD("[");
  expression(g, (struct type){chance(g, 70) ? UINT : INT, 1}, 1);
  ADD(" & %u]", mask);
  g->indices--;
}

void add_place(struct generator *g, const struct place *place) {
  struct variable v = g->variables[place->variable];
  unsigned k = 0;
  if (v.stars == 2)
    ADD(v.count ? "(*%s)" : "(**%s)", v.name);
  else if (v.stars == 1 && !v.count)
    ADD("(*%s)", v.name);
  else
    ADD("%s", v.name);
  for (; k < place->steps; k++)
    if (place->step[k] < 0)
      add_index(g, place->mask[k]);
    else
      ADD(".m%d", place->step[k]);
}
