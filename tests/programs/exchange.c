/* What work-items of a group hand to one another: by local and global memory between barriers, by
 * functions of the group and of sub-groups.  Only where all of them come by; each is a whole, to be
 * dropped as one. */
#include "programs/generator.h"

#include <stdio.h>

static const char barrier_text[] = "barrier(CLK_LOCAL_MEM_FENCE);";

/* Whether a device with 64 KiB of local memory has another such array, and some small ones. */
static bool has_room(const struct generator *g, struct type t) {
  enum { MOST_LOCAL = 60000 };
  return g->local_bytes + type_size(g, t) * MAX_GROUP <= MOST_LOCAL;
}

/* A local array with an element for each work-item; its declaration goes to the kernel's head. */
static unsigned local_array(struct generator *g, struct type t, unsigned count) {
  char name[48];
  unsigned number = g->names++;
  g->local_bytes += type_size(g, t) * count;
  text_add(&g->locals, "  local %s l%u[%u];\n", type_name(g, t, name), number, count);
  return number;
}

/* Where the value that came is put: a place, and its type. */
static bool target(struct generator *g, struct place *place) {
  struct wish wish = {.any_value = true, .writable = true, .space = -1, .scope = ~0u};
  if (g->record_count && chance(g, 25)) {
    wish.any_value = false;
    wish.type = (struct type){RECORD, (unsigned char)below(g, g->record_count)};
  }
  return find_place(g, &wish, place);
}

static void other_item(struct generator *g) {
  switch (below(g, 4)) {
  case 0:
    ADD("lsize - 1 - lid");
    return;
  case 1:
    ADD("(lid ^ %u) < lsize ? lid ^ %u : lid", 1u, 1u);
    return;
  case 2:
    ADD("(");
    expression(g, (struct type){UINT, 1}, 2);
    ADD(") %% lsize");
    return;
  default:
    ADD("(lid + %u) %% lsize", 1 + below(g, 40));
    return;
  }
}

static bool neighbours(struct generator *g) {
  struct place place;
  if (!target(g, &place) || !has_room(g, place.type)) return false;
  unsigned array = local_array(g, place.type, MAX_GROUP);
  bool moved = chance(g, 40);
  ADD("{ l%u[%s] = ", array, moved ? "lsize - 1 - lid" : "lid");
  expression(g, place.type, 2);
  ADD("; %s ", barrier_text);
  add_place(g, &place);
  ADD(" = l%u[", array);
  other_item(g);
  ADD("]; %s }", barrier_text);
  return true;
}

/* An inclusive scan by hand. */
static bool scan_loop(struct generator *g) {
  struct type t = as_unsigned(random_integer(g, chance(g, 80) ? 1 : random_width(g)));
  char name[48];
  if (!has_room(g, t)) return false;
  unsigned array = local_array(g, t, MAX_GROUP);
  type_name(g, t, name);
  ADD("{ l%u[lid] = ", array);
  expression(g, t, 2);
  ADD("; %s for (uint s = 1; s < lsize; s <<= 1) { %s t = lid >= s ? l%u[lid - s] : (%s)0; %s "
      "l%u[lid] %s= t; %s } "
      "%s t = l%u[lsize - 1 - lid]; ",
      barrier_text, name, array, name, barrier_text, array, chance(g, 50) ? "+" : "^", barrier_text,
      name, array);
  fold(g, t, 0, "t");
  ADD(" %s }", barrier_text);
  return true;
}

static bool tree(struct generator *g) {
  struct type t = as_unsigned(random_integer(g, chance(g, 80) ? 1 : random_width(g)));
  char name[48];
  if (!has_room(g, t)) return false;
  unsigned array = local_array(g, t, MAX_GROUP);
  ADD("{ l%u[lid] = ", array);
  expression(g, t, 2);
  ADD("; for (uint s = %u; s > 0; s >>= 1) { %s if (lid < s && lid + s < lsize) l%u[lid] = "
      "(%s)(l%u[lid] %c l%u[lid + s]); } "
      "%s %s t = l%u[0]; ",
      MAX_GROUP / 2, barrier_text, array, type_name(g, t, name), array, "+|^&"[below(g, 4)], array,
      barrier_text, name, array);
  fold(g, t, 0, "t");
  ADD(" %s }", barrier_text);
  return true;
}

static bool local_atomics(struct generator *g) {
  static const char *const names[] = {"add", "or", "xor", "max", "inc"};
  unsigned array = local_array(g, (struct type){UINT, 1}, 16), what = below(g, 5);
  ADD("{ for (uint k = lid; k < 16; k += lsize) l%u[k] = k * %u; %s", array, below(g, 9),
      barrier_text);
  if (chance(g, 50)) {
    ADD(" if (");
    condition(g, 2);
    ADD(")");
  }
  ADD(" atomic_%s(&l%u[(", names[what], array);
  expression(g, (struct type){UINT, 1}, 2);
  ADD(") & 15]");
  if (what < 4) {
    ADD(", ");
    expression(g, (struct type){UINT, 1}, 2);
  }
  ADD("); %s FOLD(l%u[(lid * %u) & 15]); %s }", barrier_text, array, 1 + below(g, 5), barrier_text);
  return true;
}

/* Global memory of the group's own. */
static bool shared(struct generator *g) {
  ADD("{ share[group * %u + lid] = ", MAX_GROUP);
  expression(g, (struct type){ULONG, 1}, 2);
  ADD("; barrier(CLK_GLOBAL_MEM_FENCE%s); FOLD(share[group * %u + (",
      chance(g, 30) ? " | CLK_LOCAL_MEM_FENCE" : "", MAX_GROUP);
  other_item(g);
  ADD(")]); barrier(CLK_GLOBAL_MEM_FENCE); }");
  return true;
}

static bool copies(struct generator *g) {
  unsigned array = local_array(g, (struct type){UINT, 1}, 64), stride = 1 + below(g, 2);
  bool strided = chance(g, 40);
  ADD("{ event_t copied = async_work_group_%scopy(l%u, in + (n & 31), 64, ",
      strided ? "strided_" : "", array);
  if (strided) ADD("%u, ", stride);
  ADD("0); wait_group_events(1, &copied); FOLD(l%u[(", array);
  expression(g, (struct type){UINT, 1}, 2);
  ADD(") & 63]); %s }", barrier_text);
  return true;
}

static struct type group_type(struct generator *g) {
  static const unsigned char bases[] = {INT, UINT, LONG, ULONG, UINT, FLOAT, DOUBLE};
  return (struct type){bases[below(g, sizeof bases)], 1};
}

/* `scope`_reduce_add(...): sums of signed types must not overflow. */
static void combined(struct generator *g, const char *scope, const char *kind, struct type t,
                     int depth) {
  static const char *const operations[] = {"min", "max", "add"};
  const char *operation = operations[below(g, is_signed(t) ? 2 : 3)];
  ADD("%s_%s_%s(", scope, kind, operation);
  expression(g, t, depth);
  ADD(")");
}

static void broadcast(struct generator *g, struct type t) {
  ADD("work_group_broadcast(");
  expression(g, t, 2);
  for (unsigned k = 0; k < g->program->shape.dims; k++)
    ADD(", (uint)(n & 15) %% (uint)get_local_size(%u)", k);
  ADD(")");
}

/* As a value that is folded; a minimum over no work-items before the first is the type's greatest.
 */
static bool group_function(struct generator *g) {
  static const char *const kinds[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  struct type t = group_type(g);
  char name[48];
  unsigned what = below(g, 5);
  if (is_real(t) && what == 2) what = 1; /* where that is infinite */
  ADD("{ %s t = ", type_name(g, t, name));
  if (what < 3) {
    combined(g, "work_group", kinds[what], t, 2);
  } else if (what < 4) {
    broadcast(g, t);
  } else {
    ADD("work_group_%s(", chance(g, 50) ? "any" : "all");
    condition(g, 2);
    ADD(")");
    if (is_real(t)) ADD(" + (%s)0", name);
  }
  ADD("; ");
  fold(g, t, 0, "t");
  ADD(" }");
  return true;
}

/* Results that do not depend on how large sub-groups are, and which work-items they have. */
static bool sub_group_function(struct generator *g) {
  unsigned array;
  switch (below(g, 4)) {
  case 0: /* the sub-groups' sums are the group's */
    array = local_array(g, (struct type){UINT, 1}, 1);
    ADD("{ if (lid == 0) l%u[0] = 0; %s uint t = sub_group_reduce_add(", array, barrier_text);
    expression(g, (struct type){UINT, 1}, 2);
    ADD("); if (get_sub_group_local_id() == 0) atomic_add(&l%u[0], t); %s FOLD(l%u[0]); %s }",
        array, barrier_text, array, barrier_text);
    return true;
  case 1: /* the scans differ by the operand */
    ADD("{ uint t = ");
    expression(g, (struct type){UINT, 1}, 2);
    ADD("; FOLD(sub_group_scan_inclusive_add(t) - sub_group_scan_exclusive_add(t)); }");
    return true;
  case 2: /* one value of all */
    ADD("{ int t = work_group_reduce_max(");
    expression(g, (struct type){INT, 1}, 2);
    ADD("); FOLD(sub_group_broadcast(t, 0) ^ sub_group_reduce_%s(t)); }",
        chance(g, 50) ? "min" : "max");
    return true;
  default:
    ADD("{ int t = work_group_any(");
    condition(g, 2);
    ADD("); FOLD(sub_group_%s(t)); }", chance(g, 50) ? "any" : "all");
    return true;
  }
}

void exchange(struct generator *g) {
  new_line(g);
  struct node node = node_begin(g);
  g->cost += g->times * 10;
  bool made = false;
  while (!made) {
    unsigned what = below(g, g->program->newer ? 16 : 9);
    made = what < 3    ? neighbours(g)
           : what < 4  ? scan_loop(g)
           : what < 5  ? tree(g)
           : what < 7  ? local_atomics(g)
           : what < 8  ? shared(g)
           : what < 9  ? copies(g)
           : what < 14 ? group_function(g)
                       : sub_group_function(g);
  }
  if (node_dropped(g, node)) ADD(";");
}

/* A variable that is the same for the group. */
void collective_declaration(struct generator *g) {
  unsigned number = g->names++;
  new_line(g);
  ADD("const uint v%u = ", number);
  struct node node = node_begin(g);
  if (chance(g, 50))
    combined(g, "work_group", "reduce", (struct type){UINT, 1}, 2);
  else
    broadcast(g, (struct type){UINT, 1});
  if (node_dropped(g, node)) ADD("1");
  ADD(";");
  unsigned next = g->names;
  g->names = number;
  struct variable *v = declare(g, (struct type){UINT, 1}, 0);
  g->names = next;
  v->read_only = v->uniform = true;
}
