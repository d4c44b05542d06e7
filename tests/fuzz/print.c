/* Prints a random kernel as OpenCL C. */
#include "fuzz/print.h"

#include <stdarg.h>
#include <stdlib.h>

static void print_stmt(struct printer *p, const struct stmt *s);

static void line(struct printer *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(p->file, "%*s", 2 * p->indent, "");
  vfprintf(p->file, format, args);
  va_end(args);
}

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

static void print_record(struct printer *p, const struct var *v) {
  if (v) fprintf(p->file, v->pointer ? "*v%d" : "v%d", v->id);
  else fprintf(p->file, "records[GLOBAL_%d]", p->k->ids);
}

static void print_type(struct printer *p, const struct var *v) {
  if (v->record) fputs("struct record", p->file);
  else if (v->lanes > 1) fprintf(p->file, "%s%d", type_names[v->type], v->lanes);
  else fputs(type_names[v->type], p->file);
}

/* What lasts longer than a scalar is made of counts up from a number. */
static void print_many(struct printer *p, const struct stmt *s) {
  const struct var *v = s->var;
  fputs("{ ulong t = ", p->file);
  print_expr(p, s->a);
  if (v->length) fprintf(p->file, "; for (uint i = 0; i < %d; i++, t += %d) v%d[i]", v->length,
                         v->lanes, v->id);
  else fprintf(p->file, "; v%d", v->id);
  fputs(" = (", p->file);
  print_type(p, v);
  fputs(")(", p->file);
  for (int i = 0; i < v->lanes; i++)
    fprintf(p->file, "%sTO_%s(t + %d)", i ? ", " : "", type_names[v->type], i);
  fputs("); }\n", p->file);
}

static void print_declaration(struct printer *p, const struct stmt *s) {
  const struct var *v = s->var;
  line(p, "");
  print_type(p, v);
  fprintf(p->file, " v%d", v->id);
  if (v->length) fprintf(p->file, "[%d]", v->length);
  if (!v->record && (v->length || v->lanes > 1)) {
    fputs("; ", p->file);
    return print_many(p, s);
  }
  fputs(" = ", p->file);
  if (v->record) print_record(p, s->from[0]);
  else print_conversion(p, v->type, s->a);
  fputs(";\n", p->file);
}

static void print_loop(struct printer *p, const struct stmt *s) {
  int id = s->var->id;
  if (s->kind == S_FOR) {
    line(p, "for (uint v%d = ", id);
    if (s->b) print_expr(p, s->b);
    fprintf(p->file, "%s; v%d < ", s->b ? "" : "0", id);
  }
  if (s->kind == S_WHILE) line(p, "{ uint v%d = 0; while (v%d < ", id, id);
  if (s->kind == S_DO) line(p, "{ uint v%d = 0; do {\n", id);
  if (s->kind != S_DO) print_expr(p, s->a);
  if (s->kind == S_FOR) {
    fprintf(p->file, s->c ? "; v%d += " : "; v%d++", id);
    if (s->c) print_expr(p, s->c);
    fputs(") {\n", p->file);
  }
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
    if (i == s->op) line(p, "default: {\n");
    else line(p, s->index >> i & 1 ? "case %d: case %d: {\n" : "case %d: {\n", i, i + 4);
    print_block(p, &s->arms[i]);
    line(p, s->falls >> i & 1 ? "}\n" : "} break;\n");
  }
  line(p, "}\n");
}

static void print_call(struct printer *p, const struct stmt *s) {
  const struct function *f = s->function;
  line(p, "");
  print_var(p, s->var, s->index);
  fprintf(p->file, " = TO_%s(k%d_f%d(in, u, shared_2, a0, a1, shared_1, records, shared_0",
          type_names[s->var->type], p->k->id, f->id);
  for (int i = 0; i < f->num_params; i++) {
    fputs(f->params[i]->pointer && !f->params[i]->length ? ", &" : ", ", p->file);
    if (f->params[i]->record) fputs("(", p->file), print_record(p, s->args[i]->var), fputs(")", p->file);
    else if (f->params[i]->length) fprintf(p->file, "v%d", s->args[i]->var->id);
    else if (f->params[i]->pointer) print_var(p, s->args[i]->var, 0);
    else print_conversion(p, f->params[i]->type, s->args[i]);
  }
  fputs("));\n", p->file);
}

static void print_store(struct printer *p, const struct stmt *s) {
  line(p, "");
  if (s->kind == S_OUT)
    fprintf(p->file, "out[GLOBAL_%d * %d + %d] = ", p->k->ids, FUZZ_OUTS, s->index);
  else if (s->kind == S_ASSIGN) print_var(p, s->var, s->index), fputs(" = ", p->file);
  else if (s->kind == S_ATOMIC) fprintf(p->file, "atomic_%s(&shared_%d[", group_ops[s->op], s->index);
  else if (s->kind == S_SHARE) fprintf(p->file, "shared_%d[", s->index);
  else fprintf(p->file, "v%d[", s->var->id);
  if (s->b) {
    print_expr(p, s->b);
    fputs(s->kind == S_ATOMIC ? "], " : "]", p->file);
    if (s->var && s->var->lanes > 1) fprintf(p->file, ".s%d", s->index);
    if (s->kind != S_ATOMIC) fputs(" = ", p->file);
  }
  if (s->var) print_conversion(p, s->var->type, s->a);
  else print_expr(p, s->a);
  fputs(s->kind == S_ATOMIC ? ");\n" : ";\n", p->file);
}

static void print_field_store(struct printer *p, const struct stmt *s) {
  line(p, "");
  print_field(p, s->var, s->index, s->op, s->b);
  fputs(" = ", p->file);
  print_conversion(p, fields[s->index].type, s->a);
  fputs(";\n", p->file);
}

static void print_copy(struct printer *p, const struct stmt *s) {
  line(p, "");
  print_record(p, s->var);
  fputs(" = ", p->file);
  print_record(p, s->from[0]);
  fputs(";\n", p->file);
}

static void print_swap(struct printer *p, const struct stmt *s) {
  int id = s->var->id;
  line(p, "{ uint i = ");
  print_expr(p, s->a);
  fputs(", j = ", p->file);
  print_expr(p, s->b);
  fputs("; ", p->file);
  if (s->op && s->var->lanes > 1) fprintf(p->file, "if (v%d[j].s%d < v%d[i].s%d) ", id, s->index, id,
                                          s->index);
  else if (s->op) fprintf(p->file, "if (v%d[j] < v%d[i]) ", id, id);
  fputs("{ ", p->file);
  print_type(p, s->var);
  fprintf(p->file, " t = v%d[i]; v%d[i] = v%d[j]; v%d[j] = t; } }\n", id, id, id, id);
}

/* What is no number of the type any more becomes one as convert() has it. */
static void print_vector(struct printer *p, const struct stmt *s) {
  static const char *const functions[] = {
#define X(name, operands) #name,
      FUZZ_CALCS(X)
#undef X
  };
  static const char *const operators[] = {[V_ADD - C_COUNT] = "+", "-", "*", "&", "^", "<"};
  const struct var *v = s->var;
  const char *type = type_names[v->type];
  bool number = v->type >= T_float;
  line(p, "v%d = convert_%s%d(", v->id, type, v->lanes);
  if (number) fprintf(p->file, "convert_long%d(", v->lanes);
  if (s->op < V_ADD) fprintf(p->file, "%s", functions[s->op]);
  fputs("(", p->file);
  for (int k = 0; k < (s->op == V_CHOOSE ? 4 : 2); k++) { /* x < y ? y : x */
    int which = k == 1 || k == 2;
    if (k == 2) fputs(" ? ", p->file);
    else if (k == 3) fputs(" : ", p->file);
    else if (k == 1 && s->op >= V_ADD) fprintf(p->file, " %s ", operators[s->op - C_COUNT]);
    else if (k == 1) fputs(", ", p->file);
    fprintf(p->file, "v%d.s", s->from[which]->id);
    for (int lane = 0; lane < v->lanes; lane++) fprintf(p->file, "%x", s->swizzle[which][lane]);
  }
  fprintf(p->file, number ? ")) & %s" : ")", v->type == T_float ? "0xffffL" : "0xffffffffL");
  fputs(");\n", p->file);
}

static void print_exchange(struct printer *p, const struct stmt *s) {
  line(p, "{ exchanged[LINEAR_0] = ");
  print_expr(p, s->a);
  fputs("; sub_group_barrier(CLK_LOCAL_MEM_FENCE); uint lane = get_sub_group_local_id();\n", p->file);
  line(p, "  uint from = LINEAR_0 - lane + (lane + ");
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
  case S_FIELD: return print_field_store(p, s);
  case S_COPY: return print_copy(p, s);
  case S_SWAP: return print_swap(p, s);
  case S_VECTOR: return print_vector(p, s);
  case S_RETURN:
    line(p, "return");
    if (s->a) fputs(" ", p->file), print_expr(p, s->a);
    fputs(";\n", p->file);
  }
}

static void print_function(struct printer *p, const struct function *f) {
  line(p, "uint k%d_f%d(global const uint *in, global const uint *u, global uint *shared_2, uint a0, "
          "uint a1, local uint *shared_1, global struct record *records, local uint *shared_0", p->k->id, f->id);
  for (int i = 0; i < f->num_params; i++) {
    const struct var *v = f->params[i];
    fputs(", ", p->file);
    print_type(p, v);
    fprintf(p->file, " %sv%d", v->pointer ? "*" : "", v->id);
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
           "global uint *shared_2, uint a0, uint a1, local uint *shared_1, "
           "global struct record *records) {\n", k->id);
  line(&p, "  local uint shared_0[%d];\n", FUZZ_CELLS);
  if (k->sub_group) line(&p, "  local uint exchanged[%d];\n", FUZZ_CELLS);
  line(&p, "  shared_2 += GROUP * %d;\n", FUZZ_CELLS);
  line(&p, "  shared_0[LINEAR_0] = LINEAR_0 * 7; shared_1[LINEAR_0] = ~LINEAR_0; "
           "shared_2[LINEAR_0] = LINEAR_0 * LINEAR_0;\n");
  line(&p, "  for (uint i = 0; i < %d; i++) out[GLOBAL_%d * %d + i] = 0;\n", FUZZ_OUTS, k->ids,
       FUZZ_OUTS);
  line(&p, "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
  print_block(&p, &k->body);
  line(&p, "}\n");
  fclose(p.file);
  return text;
}
