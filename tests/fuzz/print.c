/* Prints a random kernel as OpenCL C. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/tree.h"

static const char *const type_names[] = {
#define X(T, C) #T,
    FUZZ_TYPES(X)
#undef X
};
static const char *const group_types[] = {
#define X(T) #T,
    GROUP_TYPES(X)
#undef X
};
static const char *const group_ops[] = {"add", "min", "max", "mul", "and", "or", "xor"};

struct printer { FILE *file; const struct kernel *k; int indent; };

static void print_expr(struct printer *p, const struct expr *e);
static void print_stmt(struct printer *p, const struct stmt *s);

static void line(struct printer *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(p->file, "%*s", 2 * p->indent, "");
  vfprintf(p->file, format, args);
  va_end(args);
}

/* ---- expressions: each is a uint or a ulong */

static void print_item(struct printer *p, int value) {
  static const char *const values[] = {
      "LINEAR", "get_local_id(0)", "get_local_id(1)", "get_local_id(2)", "get_group_id(0)",
      "GROUP",  "ITEMS",           "get_local_size(0)", "get_global_id(0)",
      "get_sub_group_local_id()", "get_sub_group_size()", "get_sub_group_id()",
      "get_num_sub_groups()", "get_max_sub_group_size()"};
  fprintf(p->file, "(uint)%s", values[value]);
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
      [B_SHL] = {"(", " << (", " & 31u))"}, [B_SHR] = {"(", " >> (", " & 31u))"},
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

static void print_var(struct printer *p, const struct var *v, int lane) {
  fprintf(p->file, v->pointer ? "(*v%d)" : "v%d", v->id);
  if (v->lanes > 1) fprintf(p->file, ".s%d", lane);
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
    return;
  case E_ITEM: return print_item(p, e->op);
  case E_IN: fprintf(p->file, "in[GLOBAL * %d + %d]", FUZZ_INS, e->index); return;
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

static void print_expr(struct printer *p, const struct expr *e) {
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
  default: return print_simple(p, e);
  }
}

/* ---- statements */

static void print_conversion(struct printer *p, enum fuzz_type type, const struct expr *e) {
  fprintf(p->file, "TO_%s(", type_names[type]);
  print_expr(p, e);
  fputs(")", p->file);
}

static void print_block(struct printer *p, const struct block *b) {
  p->indent++;
  for (const struct stmt *s = b->first; s; s = s->next) print_stmt(p, s);
  p->indent--;
}

static void print_declaration(struct printer *p, const struct stmt *s) {
  const struct var *v = s->var;
  const char *type = type_names[v->type];
  int id = v->id;
  if (v->length || v->lanes > 1) {
    if (v->length) line(p, "%s v%d[%d]; { ulong t = ", type, id, v->length);
    else line(p, "%s%d v%d; { ulong t = ", type, v->lanes, id);
    print_expr(p, s->a);
    if (v->length)
      fprintf(p->file, "; for (uint i = 0; i < %d; i++) v%d[i] = TO_%s(t + i); }\n", v->length, id,
              type);
    else {
      fprintf(p->file, "; v%d = (%s%d)(TO_%s(t)", id, type, v->lanes, type);
      for (int i = 1; i < v->lanes; i++) fprintf(p->file, ", TO_%s(t + %d)", type, i);
      fputs("); }\n", p->file);
    }
    return;
  }
  line(p, "%s v%d = ", type, id);
  print_conversion(p, v->type, s->a);
  fputs(";\n", p->file);
}

static void print_loop(struct printer *p, const struct stmt *s) {
  int id = s->var->id;
  if (s->kind == S_FOR) line(p, "for (uint v%d = 0; v%d < ", id, id);
  else if (s->kind == S_WHILE) line(p, "{ uint v%d = 0; while (v%d < ", id, id);
  else line(p, "{ uint v%d = 0; do {\n", id);
  if (s->kind != S_DO) print_expr(p, s->a);
  if (s->kind == S_FOR) fprintf(p->file, "; v%d++) {\n", id);
  if (s->kind == S_WHILE) fprintf(p->file, ") { v%d++;\n", id);
  print_block(p, &s->arms[0]);
  if (s->kind == S_DO) {
    line(p, "} while (++v%d < ", id);
    print_expr(p, s->a);
    fputs("); }\n", p->file);
  } else {
    line(p, s->kind == S_FOR ? "}\n" : "} }\n");
  }
}

static void print_branch(struct printer *p, const struct stmt *s) {
  if (s->kind == S_IF) {
    line(p, "if (");
    print_expr(p, s->a);
    fputs(") {\n", p->file);
    print_block(p, &s->arms[0]);
    if (s->num_arms > 1) line(p, "} else {\n"), print_block(p, &s->arms[1]);
    return line(p, "}\n");
  }
  line(p, "switch (");
  print_expr(p, s->a);
  fputs(") {\n", p->file);
  for (int i = 0; i < s->num_arms; i++) {
    line(p, i == 3 ? "default: {\n" : "case %d: {\n", i);
    print_block(p, &s->arms[i]);
    line(p, s->falls >> i & 1 ? "}\n" : "} break;\n");
  }
  line(p, "}\n");
}

static void print_call(struct printer *p, const struct stmt *s) {
  const struct function *f = s->function;
  line(p, "");
  print_var(p, s->var, s->index);
  fprintf(p->file, " = TO_%s(k%d_f%d(in, u, shared_2, a0, a1, shared_1, shared_0",
          type_names[s->var->type], p->k->id, f->id);
  for (int i = 0; i < f->num_params; i++) {
    fputs(f->params[i]->pointer ? ", &" : ", ", p->file);
    if (f->params[i]->pointer) print_var(p, s->args[i]->var, 0);
    else print_conversion(p, f->params[i]->type, s->args[i]);
  }
  fputs("));\n", p->file);
}

static void print_store(struct printer *p, const struct stmt *s) {
  line(p, "");
  if (s->kind == S_OUT) fprintf(p->file, "out[GLOBAL * %d + %d] = ", FUZZ_OUTS, s->index);
  else if (s->kind == S_ASSIGN) print_var(p, s->var, s->index), fputs(" = ", p->file);
  else if (s->kind == S_ATOMIC) fprintf(p->file, "atomic_%s(&shared_%d[", group_ops[s->op], s->index);
  else if (s->kind == S_SHARE) fprintf(p->file, "shared_%d[", s->index);
  else fprintf(p->file, "v%d[", s->var->id);
  if (s->b) print_expr(p, s->b), fputs(s->kind == S_ATOMIC ? "], " : "] = ", p->file);
  if (s->var) print_conversion(p, s->var->type, s->a);
  else print_expr(p, s->a);
  fputs(s->kind == S_ATOMIC ? ");\n" : ";\n", p->file);
}

static void print_exchange(struct printer *p, const struct stmt *s) {
  line(p, "{ exchanged[LINEAR] = ");
  print_expr(p, s->a);
  fputs("; sub_group_barrier(CLK_LOCAL_MEM_FENCE); uint lane = get_sub_group_local_id();\n", p->file);
  line(p, "  uint from = LINEAR - lane + (lane + ");
  print_expr(p, s->b);
  fputs(") % get_sub_group_size(); ", p->file);
  print_var(p, s->var, s->index);
  fprintf(p->file, " = TO_%s(exchanged[from]); ", type_names[s->var->type]);
  fputs("sub_group_barrier(CLK_LOCAL_MEM_FENCE); }\n", p->file);
}

static void print_stmt(struct printer *p, const struct stmt *s) {
  static const char *const flags[] = {"", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                      "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
  switch (s->kind) {
  case S_DECLARE: return print_declaration(p, s);
  case S_ASSIGN: case S_ELEMENT: case S_OUT: case S_SHARE: case S_ATOMIC: return print_store(p, s);
  case S_BARRIER: return line(p, "barrier(%s);\n", flags[s->op]);
  case S_IF: case S_SWITCH: return print_branch(p, s);
  case S_FOR: case S_WHILE: case S_DO: return print_loop(p, s);
  case S_BREAK: return line(p, "break;\n");
  case S_CONTINUE: return line(p, "continue;\n");
  case S_CALL: return print_call(p, s);
  case S_EXCHANGE: return print_exchange(p, s);
  case S_RETURN:
    line(p, "return");
    if (s->a) fputs(" ", p->file), print_expr(p, s->a);
    fputs(";\n", p->file);
  }
}

static void print_function(struct printer *p, const struct function *f) {
  line(p, "uint k%d_f%d(global const uint *in, global const uint *u, global uint *shared_2, uint a0, "
          "uint a1, local uint *shared_1, local uint *shared_0", p->k->id, f->id);
  for (int i = 0; i < f->num_params; i++) {
    const struct var *v = f->params[i];
    fprintf(p->file, ", %s %sv%d", type_names[v->type], v->pointer ? "*" : "", v->id);
  }
  fputs(") {\n", p->file);
  print_block(p, &f->body);
  line(p, "}\n");
}

char *print_kernel(const struct kernel *k) {
  char *text = NULL;
  size_t size;
  struct printer p = {open_memstream(&text, &size), k, 0};
  for (int i = 0; i < k->num_functions; i++) print_function(&p, k->functions[i]);
  if (k->sub_group) line(&p, "__attribute__((intel_reqd_sub_group_size(%u)))\n", k->sub_group);
  line(&p, "kernel void k%d(global ulong *out, global const uint *in, global const uint *u, "
           "global uint *shared_2, uint a0, uint a1, local uint *shared_1) {\n", k->id);
  line(&p, "  local uint shared_0[%d];\n", FUZZ_CELLS);
  if (k->sub_group) line(&p, "  local uint exchanged[%d];\n", FUZZ_CELLS);
  line(&p, "  shared_2 += GROUP * %d;\n", FUZZ_CELLS);
  line(&p, "  shared_0[LINEAR] = LINEAR * 7; shared_1[LINEAR] = ~LINEAR; shared_2[LINEAR] = LINEAR "
           "* LINEAR;\n");
  line(&p, "  for (uint i = 0; i < %d; i++) out[GLOBAL * %d + i] = 0;\n", FUZZ_OUTS, FUZZ_OUTS);
  line(&p, "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
  print_block(&p, &k->body);
  line(&p, "}\n");
  fclose(p.file);
  return text;
}
