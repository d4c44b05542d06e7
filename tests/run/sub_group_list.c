#include "run/sub_group_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORE, UNIFORM_ARITHMETIC, OWN, ALL };
enum set { MAIN, SMALL, SCALARS, VECTORS, INT_ONLY };
enum flow { TOGETHER, APART };

static const struct element { struct operand t; enum set set; } elements[] = {
#define MPL_SUB_GROUP_TYPE(type, llvm, kind, set) {{#type, TYPE_##type, kind}, set},
#include "../../src/tables/collectives.def"
};
static const struct table_operation { struct operation op; int feature; } operations[] = {
#define MPL_OPERATION(op, types, identity, feature, ...) {{#op, types}, feature},
#include "../../src/tables/operations.def"
};
static const struct {
  const char *prefix, *form, *extension;
  int operations;
  enum set types;
  enum value size;
  enum flow flow;
} forms[] = {
#define MPL_SUB_GROUP_FORM(prefix, form, operations, types, size, flow, result, extension)         \
  {#prefix, #form, #extension, operations, types, size, flow},
#include "../../src/tables/collectives.def"
};
static const struct {
  const char *name, *extension;
  enum set types;
  enum value value, first, second, third;
  enum flow flow;
} functions[] = {
#define MPL_SUB_GROUP_FUNCTION(name, types, value, first, second, third, flow, result, extension)  \
  {#name, #extension, types, value, first, second, third, flow},
#include "../../src/tables/collectives.def"
};
static const unsigned widths[] = {2, 3, 4, 8, 16};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool in_set(enum set set, const struct element *e) {
  if (set == INT_ONLY) return e->t.type == TYPE_int;
  return set == SCALARS || set == VECTORS || set == e->set;
}

static void add_overload(struct list *l, struct overload f) {
  if (l->count == COUNT(l->of)) die("more overloads than there is room for");
  l->of[l->count++] = f;
}

static void list_forms(struct list *l, const char *extension, const char *only) {
  for (size_t i = 0; i < COUNT(forms); i++) {
    if (strcmp(forms[i].extension, extension)) continue;
    for (size_t o = 0; o < COUNT(operations); o++) {
      const struct operation *op = &operations[o].op;
      if (forms[i].operations == CORE && operations[o].feature != CORE) continue;
      if (*only && strcmp(op->name, only)) continue;
      char *name = malloc(96); /* as long as the process */
      snprintf(name, 96, "%s_%s_%s", forms[i].prefix, forms[i].form, op->name);
      for (size_t t = 0; t < COUNT(elements); t++) {
        const struct operand *type = &elements[t].t;
        if (!in_set(forms[i].types, &elements[t])) continue;
        if (op->types == INTEGERS && type->kind == FLOATING) continue;
        if (op->types == LOGICAL && type->type != TYPE_int) continue;
        add_overload(l, (struct overload){.function = name, .extension = extension, .t = type, .width = 1,
                                 .value = TYPE, .first = TYPE, .second = forms[i].size,
                                 .apart = forms[i].flow == APART, .op = op, .form = forms[i].form,
                                 .diagonal = (unsigned)(i + o + t)});
      }
    }
  }
}

static void list_functions(struct list *l, const char *extension) {
  for (size_t i = 0; i < COUNT(functions); i++) {
    if (strcmp(functions[i].extension, extension)) continue;
    for (size_t t = 0; t < COUNT(elements); t++) {
      if (!in_set(functions[i].types, &elements[t])) continue;
      size_t count = functions[i].types == VECTORS ? COUNT(widths) : 1;
      for (size_t w = 0; w < count; w++)
        add_overload(l, (struct overload){.function = functions[i].name, .extension = extension,
                                 .t = &elements[t].t, .width = count > 1 ? widths[w] : 1,
                                 .value = functions[i].value, .first = functions[i].first,
                                 .second = functions[i].second, .third = functions[i].third,
                                 .apart = functions[i].flow == APART,
                                 .diagonal = (unsigned)(i + t + w)});
    }
  }
}

void list_overloads(struct list *list, const char *extension, const char *operation) {
  list->count = 0;
  list_forms(list, extension, operation);
  if (!*operation) list_functions(list, extension);
  if (!list->count) die("the table has nothing of %s", extension);
}

void list_keep(struct list *list, size_t first, size_t nth) {
  size_t kept = 0;
  for (size_t i = first; i < list->count; i += nth) list->of[kept++] = list->of[i];
  list->count = kept;
}

enum { PAIRS = 7 }; /* a bit for each */

/* The pairs that two have in common. */
static unsigned common_pairs(const struct overload *a, const struct overload *b) {
  if (!a->op != !b->op) return 0;
  bool first = a->op ? !strcmp(a->form, b->form) : !strcmp(a->function, b->function),
       second = a->op ? a->op == b->op : a->width == b->width, third = a->t == b->t;
  return (unsigned)(first && second) | (unsigned)(first && third) << 1 | (unsigned)(second && third) << 2;
}

/* Each third one along the diagonals has all pairs of three long lists; then those with a pair that is not there. */
void list_keep_pairs(struct list *list) {
  static bool keep[COUNT(list->of)];
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) keep[i] = list->of[i].diagonal % 3 == 0;
  for (size_t i = 0; i < list->count; i++) {
    unsigned seen = 0;
    for (size_t k = 0; k < list->count && seen != PAIRS; k++)
      if (keep[k]) seen |= common_pairs(&list->of[i], &list->of[k]);
    keep[i] |= seen != PAIRS;
  }
  for (size_t i = 0; i < list->count; i++)
    if (keep[i]) list->of[kept++] = list->of[i];
  list->count = kept;
}

int list_extensions(char ***names) {
  static char *all[COUNT(forms) + COUNT(functions)];
  int count = 0;
  for (size_t i = 0; i < COUNT(all); i++) {
    const char *name = i < COUNT(forms) ? forms[i].extension : functions[i - COUNT(forms)].extension;
    bool seen = false;
    for (int k = 0; k < count; k++) seen |= !strcmp(all[k], name);
    if (!seen) all[count++] = strdup(name);
  }
  *names = all;
  return count;
}
