/* Statements without memory's and other work-items' part: declarations, assignments, branches,
 * loops. */
#include "programs/generator.h"

void block(struct generator *g, unsigned statements) {
  unsigned variables = g->variable_count;
  ADD("{");
  g->indent++;
  g->scope++;
  for (unsigned k = 0; k < statements && g->left > 0; k++) statement(g);
  g->scope--;
  g->indent--;
  g->variable_count = variables;
  new_line(g);
  ADD("}");
}

static void inner_block(struct generator *g) {
  block(g, 1 + below(g, 3));
}

/* The name is visible from its own initialiser on: it is declared when that is written. */
void declaration(struct generator *g) {
  struct type t = random_type(g);
  char name[48];
  unsigned count = chance(g, 20) ? 2u << below(g, 3) : 0;
  if (count * (t.base == RECORD ? 8 : t.n) > 64) count = 0;
  bool read_only = chance(g, 10);
  unsigned number = g->names++;
  ADD("%s%s v%u", read_only ? "const " : "", type_name(g, t, name), number);
  if (count) ADD("[%u]", count);
  ADD(" = ");
  if (count || t.base == RECORD)
    initialiser(g, t, count, chance(g, 50) ? 1 : 0);
  else
    expression(g, t, 2);
  ADD(";");
  unsigned next = g->names;
  g->names = number;
  struct variable *v = declare(g, t, count);
  g->names = next;
  v->read_only = read_only;
}

static bool writable_place(struct generator *g, bool records, struct place *place) {
  struct wish wish = {.any_value = true, .writable = true, .space = -1, .scope = ~0u};
  if (records) {
    wish.any_value = false;
    wish.type = (struct type){RECORD, (unsigned char)below(g, g->record_count)};
  }
  return find_place(g, &wish, place);
}

/* Distinct elements of a vector on the left, as v.s20 or v.hi. */
static struct type write_swizzle(struct generator *g, struct type t) {
  static const char *const halves[] = {"lo", "hi", "even", "odd"};
  if (t.n != 3 && chance(g, 40)) {
    ADD(".%s", halves[below(g, 4)]);
    t.n /= 2;
    return t;
  }
  unsigned n = t.n > 2 && chance(g, 50) ? 2 : 1, first = below(g, t.n);
  ADD(".s%x", first);
  if (n == 2) ADD("%x", (first + 1 + below(g, t.n - 1u)) % t.n);
  t.n = (unsigned char)n;
  return t;
}

static bool assignment(struct generator *g) {
  struct place place;
  if (!writable_place(g, g->record_count && chance(g, 15), &place)) return false;
  struct type t = place.type;
  add_place(g, &place);
  if (t.base != RECORD && t.n > 1 && chance(g, 40)) t = write_swizzle(g, t);
  ADD(" = ");
  expression(g, t, chance(g, 30) ? 3 : 2);
  ADD(";");
  return true;
}

static bool compound(struct generator *g) {
  static const char *const safe[] = {"&", "|", "^", "<<", ">>"}, *const wrapping[] = {
                                                                     "+", "-", "*", "&", "^", "+"};
  struct place place;
  if (!writable_place(g, false, &place) || is_real(place.type)) return false;
  struct type t = place.type;
  if (!is_signed(t) && chance(g, 20)) {
    const char *step = chance(g, 50) ? "++" : "--";
    bool before = chance(g, 50);
    if (before) ADD("%s", step);
    add_place(g, &place);
    ADD("%s;", before ? "" : step);
    return true;
  }
  add_place(g, &place);
  if (t.n > 1 && chance(g, 30)) t = write_swizzle(g, t);
  bool small = base_size(t.base) < 4 && t.n == 1; /* whose products are signed */
  ADD(" %s= ", is_signed(t) ? safe[below(g, 5)] : wrapping[small ? 3 + below(g, 3) : below(g, 6)]);
  expression(g, t, 2);
  ADD(";");
  return true;
}

static void if_statement(struct generator *g) {
  ADD("if (");
  condition(g, 2);
  ADD(") ");
  inner_block(g);
  for (int k = 0; k < 2 && chance(g, 20); k++) {
    ADD(" else if (");
    condition(g, 2);
    ADD(") ");
    inner_block(g);
  }
  if (chance(g, 45)) {
    ADD(" else ");
    inner_block(g);
  }
}

/* The body of a loop of at most `times` rounds. */
static void loop_body(struct generator *g, unsigned times) {
  double before = g->times;
  bool in_switch = g->in_switch;
  g->times *= times;
  g->loops++;
  g->in_switch = false;
  inner_block(g);
  g->in_switch = in_switch;
  g->loops--;
  g->times = before;
}

static void for_loop(struct generator *g) {
  unsigned counter = g->names, most = 1 + below(g, 8), variables = g->variable_count;
  bool up = chance(g, 60), varying = chance(g, 60);
  g->names++;
  ADD("for (%s v%u = ", up ? "uint" : "int", counter);
  if (up) {
    ADD("0; v%u < ", counter);
    if (varying) {
      ADD("(uint)(");
      expression(g, (struct type){UINT, 1}, 1);
      ADD(" & %u)", most);
    } else {
      ADD("%uu", most);
    }
    ADD("; v%u++) ", counter);
  } else {
    unsigned down = 1 + below(g, 3);
    ADD("%u; v%u >%s 0; v%u -= %u) ", most, counter, chance(g, 50) ? "=" : "", counter, down);
    most++;
  }
  unsigned next = g->names;
  g->names = counter;
  g->scope++;
  struct variable *v = declare(g, (struct type){up ? UINT : INT, 1}, 0);
  g->names = next;
  v->read_only = true;
  loop_body(g, most);
  g->scope--;
  g->variable_count = variables;
}

static void while_loop(struct generator *g) {
  unsigned fuel = g->names++, most = 1 + below(g, 8);
  bool after = chance(g, 50);
  ADD("{ uint v%u = %u; ", fuel, most);
  if (after) {
    ADD("do ");
    loop_body(g, most + 1);
    ADD(" while (");
  } else {
    ADD("while (");
  }
  bool first = chance(g, 50);
  if (first) ADD("v%u-- > 0 && ", fuel);
  condition(g, 2);
  if (!first) ADD(" && v%u-- > 0", fuel);
  ADD(")");
  if (after) {
    ADD("; }");
    return;
  }
  ADD(" ");
  loop_body(g, most);
  ADD(" }");
}

static void switch_statement(struct generator *g) {
  unsigned cases = 2 + below(g, 4), place = below(g, cases + 2);
  bool before = g->in_switch;
  ADD("switch (");
  expression(g, random_integer(g, 1), 2);
  ADD(" & 7) {");
  g->in_switch = true;
  for (unsigned k = 0; k < cases; k++) {
    new_line(g);
    if (k == place) ADD("default: ");
    ADD("case %u: ", (k * 3 + cases) & 7);
    inner_block(g);
    if (chance(g, 65)) ADD(" break;"); /* else falls through */
  }
  g->in_switch = before;
  new_line(g);
  ADD("}");
}

/* break, continue, return: of some work-items only. */
static bool leave(struct generator *g) {
  if (g->in_function && chance(g, 30)) {
    ADD("if (");
    condition(g, 2);
    ADD(") return ");
    expression(g, g->result, 2);
    ADD(";");
    return true;
  }
  if (!g->loops) return false;
  ADD("if (");
  condition(g, 2);
  ADD(") %s;", g->in_switch || chance(g, 50) ? "continue" : "break");
  return true;
}

/* A call whose result is a new variable's, with pointers to what nothing else uses meanwhile. */
static bool call_statement(struct generator *g) {
  const struct function *f = find_function(g, NULL, false);
  if (!f) return false;
  char name[48];
  struct place places[MAX_PARAMETERS];
  unsigned used = 0;
  for (unsigned k = 0; k < f->count; k++) {
    if (!f->pointer[k]) continue;
    struct wish wish = {.type = f->parameters[k].type,
                        .writable = true,
                        .addressable = true,
                        .space = PRIVATE,
                        .scope = ~0u};
    if (g->program->newer && chance(g, 60)) wish.space = -1;
    if (!find_place(g, &wish, &places[k])) return false;
    const struct variable *v = &g->variables[places[k].variable];
    if (v->space == CONSTANT || v->read_only || used++)
      return false; /* one: they must not overlap */
  }
  g->cost += g->times * f->cost;
  ADD("%s v%u = %s(", type_name(g, f->result, name), g->names, f->name);
  for (unsigned k = 0; k < f->count; k++) {
    if (k) ADD(", ");
    if (f->pointer[k]) ADD("&");
    if (f->pointer[k])
      add_place(g, &places[k]);
    else
      expression(g, f->parameters[k].type, 2);
  }
  ADD(");");
  return true;
}

/* What it declares cannot be dropped; a call's result is declared here, for its arguments need
 * their names. */
static void declaring(struct generator *g) {
  if (chance(g, 25) && pointer_declaration(g)) return;
  if (chance(g, 85)) {
    declaration(g);
    return;
  }
  const struct function *f = find_function(g, NULL, true);
  if (!f) {
    declaration(g);
    return;
  }
  char name[48];
  unsigned number = g->names++;
  ADD("%s v%u = ", type_name(g, f->result, name), number);
  struct node node = node_begin(g);
  call(g, f, 2);
  if (node_dropped(g, node)) constant(g, f->result);
  ADD(";");
  unsigned next = g->names;
  g->names = number;
  declare(g, f->result, 0);
  g->names = next;
}

static bool droppable(struct generator *g) {
  unsigned what = below(g, 100);
  bool deep = g->scope > 4 || g->times > 60;
  if (what < 30) return assignment(g);
  if (what < 42) return compound(g);
  if (what < 52 && !deep) return if_statement(g), true;
  if (what < 60 && !deep) return for_loop(g), true;
  if (what < 66 && !deep) return while_loop(g), true;
  if (what < 71 && !deep) return switch_statement(g), true;
  if (what < 76) return leave(g);
  if (what < 82) return call_statement(g);
  if (what < 87) return pointer_statement(g);
  if (what < 94) return vector_store(g);
  if (what < 96) return bytes_statement(g);
  if (what < 99 && g->in_kernel) return atomic_statement(g), true;
  if (g->in_kernel && g->times <= 8 && g->prints < 6) return print_statement(g), true;
  return false;
}

void statement(struct generator *g) {
  g->left--;
  g->cost += g->times;
  new_line(g);
  if (chance(g, 22)) {
    declaring(g);
    return;
  }
  struct node node = node_begin(g);
  unsigned names = g->names;
  bool made = false;
  for (int tries = 0; !made && tries < 5; tries++) made = droppable(g);
  if (!made) ADD(";");
  if (g->names == names) g->names++;
  if (node_dropped(g, node)) ADD(";");
}
