/* Prints expressions of random kernels: each is a uint or a ulong. */
#include <stdlib.h>

#include "fuzz/print.h"

const char *const type_names[] = {
#define X(T, C) #T,
    FUZZ_TYPES(X)
#undef X
};
static const char *const group_types[] = {
#define X(T) #T,
    GROUP_TYPES(X)
#undef X
};
const char *const group_ops[] = {"add", "min", "max", "mul", "and", "or", "xor"};

static void print_item(struct printer *p, int value) {
  static const char *const values[] = {
      [LOCAL_X] = "get_local_id(0)", [LOCAL_Y] = "get_local_id(1)", [LOCAL_Z] = "get_local_id(2)",
      [GLOBAL_X] = "get_global_id(0)", [GLOBAL_Y] = "get_global_id(1)",
      [GLOBAL_Z] = "get_global_id(2)", [GROUP_X] = "get_group_id(0)", [GROUP_Y] = "get_group_id(1)",
      [GROUP_Z] = "get_group_id(2)", [GROUP_LINEAR] = "GROUP", [ITEMS] = "ITEMS",
      [SIZE_X] = "get_local_size(0)", [SIZE_Y] = "get_local_size(1)", [SIZE_Z] = "get_local_size(2)",
      [GROUPS_X] = "get_num_groups(0)", [GLOBALS] = "GLOBALS", [OFFSET_X] = "get_global_offset(0)",
      [LANE] = "get_sub_group_local_id()", [LANES] = "get_sub_group_size()",
      [TEAM_ID] = "get_sub_group_id()", [TEAMS] = "get_num_sub_groups()",
      [LANES_MAX] = "get_max_sub_group_size()"};
  if (value == LINEAR_ID) fprintf(p->file, "(uint)LINEAR_%d", p->k->ids);
  else if (value == GLOBAL_LINEAR) fprintf(p->file, "(uint)GLOBAL_%d", p->k->ids);
  else fprintf(p->file, "(uint)%s", values[value]);
}

static void print_two(struct printer *p, const char *open, const struct expr *a, const char *between,
                      const struct expr *b, const char *close) {
  fputs(open, p->file);
  print_expr(p, a);
  fputs(between, p->file);
  print_expr(p, b);
  fputs(close, p->file);
}

static void print_binary(struct printer *p, const struct expr *e) {
  static const struct { const char *open, *between, *close; } forms[] = {
      [B_ADD] = {"(", " + ", ")"},      [B_SUB] = {"(", " - ", ")"},
      [B_MUL] = {"(", " * ", ")"},      [B_AND] = {"(", " & ", ")"},
      [B_OR] = {"(", " | ", ")"},       [B_XOR] = {"(", " ^ ", ")"},
      [B_SHL] = {"(", " << ", ")"},     [B_SHR] = {"(", " >> ", ")"}, /* by what is left of it */
      [B_DIV] = {"(", " / (", " | 1u))"},   [B_REM] = {"(", " % (", " | 1u))"},
      [B_LT] = {"(", " < ", ")"},       [B_SLT] = {"((", ") < (", "))"},
      [B_EQ] = {"(", " == ", ")"},      [B_NE] = {"(", " != ", ")"},
      [B_MIN] = {"min(", ", ", ")"},    [B_MAX] = {"max(", ", ", ")"}};
  if (e->op == B_REM && divides_by_count(e))
    return print_two(p, "(", e->a, " % ", e->b, ")"); /* an index: there is always an item */
  if (e->op == B_SLT) {
    const char *type = e->wide ? "long" : "int";
    fprintf(p->file, "(%s)((%s)(", e->wide ? "ulong" : "uint", type);
    print_expr(p, e->a);
    fprintf(p->file, ") < (%s)(", type);
    print_expr(p, e->b);
    fputs("))", p->file);
    return;
  }
  if (e->op == B_LT || e->op == B_EQ || e->op == B_NE)
    fputs(e->wide ? "(ulong)" : "(uint)", p->file);
  print_two(p, forms[e->op].open, e->a, forms[e->op].between, e->b, forms[e->op].close);
}

/* The opening bracket and first operand of a collective. */
static void print_operand(struct printer *p, const struct expr *e, const char *type) {
  fprintf(p->file, "((%s)(", type);
  print_expr(p, e->a);
  fprintf(p->file, e->type == GT_half ? " & 3u)" : e->type >= GT_float ? " & 255u)" : ")");
}

static void print_collective(struct printer *p, const struct expr *e) {
  static const char *const forms[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  if (e->kind == E_ALL || e->kind == E_ANY) {
    fprintf(p->file, "(uint)(work_group_%s((int)(", e->kind == E_ALL ? "all" : "any");
    print_expr(p, e->a);
    fputs(")) != 0)", p->file);
    return;
  }
  const char *type = group_types[e->type];
  if (e->kind == E_BROADCAST) fprintf(p->file, "broadcast_%s", type);
  else fprintf(p->file, "work_group_%s_%s", forms[e->kind - E_REDUCE], group_ops[e->op]);
  print_operand(p, e, type);
  if (e->kind == E_BROADCAST) {
    fputs(", ", p->file);
    print_expr(p, e->b);
  }
  fputs(")", p->file);
}

static void print_lanes(struct printer *p, const struct expr *e) {
  static const struct { const char *name; enum lanes_takes takes; } ops[] = {
#define X(id, function, takes, arrive, result) {function, takes},
      LANES_OPS(X)
#undef X
  };
  enum lanes_takes takes = ops[e->lanes].takes;
  bool vote = e->lanes == L_ALL || e->lanes == L_ANY || e->lanes == L_SOME_ALL ||
              e->lanes == L_SOME_ANY || e->lanes == L_ELECT || e->lanes == L_ALL_EQUAL;
  bool by_type = takes == PAIR && e->lanes != L_BROADCAST;
  fprintf(p->file, "(%s%s", ops[e->lanes].name,
          takes == NUMBER ? group_ops[e->op] : by_type ? group_types[e->type] : "");
  if (takes == NOTHING) fputs("(", p->file);
  else print_operand(p, e, takes == TRUTH ? "int" : group_types[e->type]);
  if (e->lanes == L_CLUSTERED) fprintf(p->file, ", %d", e->index);
  if (e->b) fputs(", ", p->file), print_expr(p, e->b);
  fputs(vote ? ") != 0)" : "))", p->file);
}

void print_var(struct printer *p, const struct var *v, int lane) {
  fprintf(p->file, v->pointer ? "(*v%d)" : "v%d", v->id);
  if (v->lanes > 1) fprintf(p->file, ".s%d", lane);
}

static void print_bytes(struct printer *p, const struct expr *e, const char *item) {
  int lanes = e->op == IN_TYPE4 ? 4 : 1;
  const char *type = type_names[e->type];
  unsigned each = 16 / (bits_of((enum fuzz_type)e->type) / 8u * (unsigned)lanes);
  fprintf(p->file, "((global const %s%s *)in)[", type, lanes > 1 ? "4" : "");
  fprintf(p->file, "%s * %u + %d]", item, each, e->index / lanes);
  if (lanes > 1) fprintf(p->file, ".s%d", e->index % lanes);
}

static void print_in(struct printer *p, const struct expr *e) {
  char *item = NULL;
  size_t size;
  struct printer inner = {open_memstream(&item, &size), p->k, 0};
  if (e->a) print_expr(&inner, e->a);
  else fprintf(inner.file, "GLOBAL_%d", p->k->ids);
  fclose(inner.file);
  switch ((enum in_form)e->op) {
  case IN_VLOAD4: fprintf(p->file, "vload4(%s, in).s%d", item, e->index); break;
  case IN_VLOAD2:
    fprintf(p->file, "vload2(0, in + %s * %d + %d).s%d", item, FUZZ_INS, e->index - (e->index > 0),
            e->index > 0);
    break;
  case IN_VECTOR: fprintf(p->file, "((global const uint4 *)in)[%s].s%d", item, e->index); break;
  case IN_TYPE: case IN_TYPE4: print_bytes(p, e, item); break;
  default: fprintf(p->file, "in[%s * %d + %d]", item, FUZZ_INS, e->index);
  }
  free(item);
}

static void print_table(struct printer *p, const struct expr *e) {
  static const char *const open[] = {"u[(uchar)(", "u[(", "(u + 128)[(char)(", "u[(ushort)(", "u[(int)("};
  static const char *const close[] = {")]", ") & 255]", ")]", ") >> 8]", ") & 127]"};
  bool is_constant = e->op == TABLE_CONSTANT;
  if (is_constant) fprintf(p->file, "table_%s_%d[(", type_names[e->type], e->index);
  else fputs(open[e->op], p->file);
  print_expr(p, e->a);
  if (is_constant) fprintf(p->file, ") & %d]", e->index - 1);
  else fputs(close[e->op], p->file);
}

void print_field(struct printer *p, const struct var *v, int which, int lane, const struct expr *index) {
  const struct field *f = &fields[which];
  if (v) fprintf(p->file, v->pointer ? "v%d->%s" : "v%d.%s", v->id, f->name);
  else fprintf(p->file, "records[GLOBAL_%d].%s", p->k->ids, f->name);
  if (f->lanes > 1) fprintf(p->file, ".s%d", lane);
  if (!f->length) return;
  fputs("[", p->file);
  if (index) print_expr(p, index);
  else fprintf(p->file, "%d", lane);
  fputs("]", p->file);
}

static void print_typed(struct printer *p, const char *type, const struct expr *e) {
  fprintf(p->file, "(%s)(", type);
  print_expr(p, e);
  fputs(")", p->file);
}

static void print_calc(struct printer *p, const struct expr *e) {
  static const struct { const char *name; int operands; } forms[] = {
#define X(name, operands) {#name, operands},
      FUZZ_CALCS(X)
#undef X
  };
  static const char *const opposite[] = {[T_short] = "ushort", [T_int] = "uint", [T_char] = "uchar"};
  const char *type = type_names[e->type], *second = type;
  if (e->op == C_upsample && e->type < (int)(sizeof opposite / sizeof *opposite) && opposite[e->type])
    second = opposite[e->type];
  if (e->op == C_shr) {
    fputs("(", p->file);
    print_typed(p, type, e->a);
    fputs(" >> ", p->file);
    print_typed(p, "uint", e->b);
    return (void)fputs(")", p->file);
  }
  fprintf(p->file, "%s(", e->op == C_cast ? "" : forms[e->op].name);
  print_typed(p, type, e->a);
  if (forms[e->op].operands > 1) fputs(", ", p->file), print_typed(p, second, e->b);
  if (forms[e->op].operands > 2) fputs(", ", p->file), print_typed(p, type, e->c);
  fputs(")", p->file);
}

/* By a constant as it is; by anything else where prelude.cl sees to it that it can be divided by. */
static void print_divide(struct printer *p, const struct expr *e) {
  const char *type = type_names[e->type];
  uint64_t by = e->b->kind == E_CONST ? convert((enum fuzz_type)e->type, e->b->bits) : 0;
  bool plain = by != 0 && by != ~(uint64_t)0;
  if (plain) fprintf(p->file, "(%s)(", type);
  else fprintf(p->file, "%s_%s(", e->op ? "remainder" : "divide", type);
  print_typed(p, type, e->a);
  fputs(plain ? e->op ? " % " : " / " : ", ", p->file);
  print_typed(p, type, e->b);
  fputs(")", p->file);
}

static void print_exact(struct printer *p, const struct expr *e) {
  static const char *const names[] = {
#define X(id, operands) #id,
      FUZZ_EXACTS(X)
#undef X
  };
  const struct expr *operands[] = {e->a, e->b, e->c};
  const char *type = type_names[e->type];
  fprintf(p->file, "(long)exact_%s_%s(", names[e->op], type);
  for (int i = 0; i < 3 && operands[i]; i++) {
    fprintf(p->file, "%s(%s)((int)(", i ? ", " : "", type);
    print_expr(p, operands[i]);
    fputs(" & 4095) - 2048)", p->file);
  }
  fputs(")", p->file);
}

static void print_conversions(struct printer *p, const struct expr *e) {
  static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  bool round = e->kind == E_ROUND;
  fprintf(p->file, "convert_%s_sat%s((%s)", type_names[e->type], round ? modes[e->op] : "",
          type_names[e->more]);
  fputs(round ? "((int)(" : "(", p->file);
  print_expr(p, e->a);
  fputs(round ? " & 0xffff) - 0x8000) * (" : ")", p->file);
  fputs(round ? e->more == T_float ? "0.25f))" : "0.25))" : ")", p->file);
}

static void print_simple(struct printer *p, const struct expr *e) {
  switch (e->kind) {
  case E_CONST:
    fprintf(p->file, e->wide ? "%lluul" : "%lluu", (unsigned long long)e->bits);
    return;
  case E_VAR: return print_var(p, e->var, e->index);
  case E_ELEMENT:
    fprintf(p->file, "v%d[", e->var->id);
    print_expr(p, e->a);
    fputs("]", p->file);
    if (e->var->lanes > 1) fprintf(p->file, ".s%d", e->index);
    return;
  case E_ITEM: return print_item(p, e->op);
  case E_IN: return print_in(p, e);
  case E_TABLE: return print_table(p, e);
  case E_FIELD: return print_field(p, e->var, e->index, e->op, e->a);
  case E_STRIDE:
    fprintf(p->file, "(%s)((int)%s_%d * %d + %d)", type_names[e->type],
            e->op == LINEAR_ID ? "LINEAR" : "GLOBAL", p->k->ids, e->index, e->more);
    return;
  case E_U: fprintf(p->file, "u[%d]", e->index); return;
  case E_ARG: fprintf(p->file, "a%d", e->index); return;
  default: /* E_SHARED */
    fprintf(p->file, "shared_%d[", e->index);
    print_expr(p, e->a);
    fputs("]", p->file);
  }
}

static void print_truths(struct printer *p, const struct expr *e) {
  if (e->kind == E_CHOOSE) {
    fputs("(", p->file);
    print_expr(p, e->a);
    return print_two(p, " != 0 ? ", e->b, " : ", e->c, ")");
  }
  fputs("(", p->file);
  print_two(p, "(", e->a, e->kind == E_AND ? " != 0 && " : " != 0 || ", e->b, " != 0))");
}

void print_expr(struct printer *p, const struct expr *e) {
  bool own_type = e->kind == E_CONST || (e->kind == E_BINARY) || e->kind == E_CHOOSE;
  if (!own_type) fputs(e->wide ? "(ulong)" : "(uint)", p->file);
  switch (e->kind) {
  case E_BINARY: return print_binary(p, e);
  case E_NOT:
    fputs("(~", p->file);
    print_expr(p, e->a);
    fputs(")", p->file);
    return;
  case E_CAST: return print_expr(p, e->a);
  case E_CHOOSE: case E_AND: case E_OR: return print_truths(p, e);
  case E_REDUCE: case E_SCAN_INCLUSIVE: case E_SCAN_EXCLUSIVE: case E_BROADCAST: case E_ALL:
  case E_ANY: return print_collective(p, e);
  case E_LANES: return print_lanes(p, e);
  case E_CALC: return print_calc(p, e);
  case E_DIVIDE: return print_divide(p, e);
  case E_EXACT: return print_exact(p, e);
  case E_CONVERT: case E_ROUND: return print_conversions(p, e);
  default: return print_simple(p, e);
  }
}
