/* The table of collectives has every overload that the specifications list: 86 + 66 for
 * work-groups, and for sub-groups as many as the sections of OpenCL C 3.0 and of the extensions
 * count. */
#include <stdio.h>
#include <string.h>

enum types { NUMBERS, INTEGERS, LOGICAL };
enum kind { SIGNED, UNSIGNED, FLOATING };
enum set { MAIN, SMALL, SCALARS, VECTORS, INT_ONLY };
enum { CORE, UNIFORM_ARITHMETIC, OWN, ALL };

static const struct type {
  const char *name;
  enum kind kind;
  enum set set;
} types[] = {
#define MPL_SUB_GROUP_TYPE(type, llvm, kind, set) {#type, kind, set},
#include "tables/collectives.def"
};
static const struct operation {
  enum types types;
  int feature;
} operations[] = {
#define MPL_OPERATION(op, types, identity, feature, ...) {types, feature},
#include "tables/operations.def"
};
static const struct form {
  const char *extension;
  int operations;
  enum set types;
} forms[] = {
#define MPL_SUB_GROUP_FORM(prefix, form, operations, types, size, flow, result, extension)         \
  {#extension, operations, types},
#include "tables/collectives.def"
};
static const struct function {
  const char *extension;
  enum set types;
} functions[] = {
#define MPL_SUB_GROUP_FUNCTION(name, types, value, first, second, third, flow, result, extension)  \
  {#extension, types},
#include "tables/collectives.def"
};
static const struct {
  const char *extension;
  int count;
} wanted[] = {
    {"cl_khr_subgroups", 72},
    {"cl_khr_subgroup_extended_types", 95},
    {"cl_khr_subgroup_ballot", 90},
    {"cl_khr_subgroup_non_uniform_vote", 14},
    {"cl_khr_subgroup_non_uniform_arithmetic", 213},
    {"cl_khr_subgroup_clustered_reduce", 71},
    {"cl_khr_subgroup_shuffle", 22},
    {"cl_khr_subgroup_shuffle_relative", 22},
    {"cl_khr_subgroup_rotate", 22},
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static int in_set(enum set set, const struct type *type) {
  return set == SCALARS || set == VECTORS || set == type->set;
}

static int count_form(const struct form *form) {
  int count = 0;
  for (size_t o = 0; o < COUNT(operations); o++) {
    const struct operation *op = &operations[o];
    if (op->feature == OWN || (form->operations == CORE && op->feature != CORE)) continue;
    for (size_t t = 0; t < COUNT(types); t++) {
      int fits = op->types == LOGICAL    ? !strcmp(types[t].name, "int")
                 : op->types == INTEGERS ? types[t].kind != FLOATING
                                         : 1;
      count += fits && in_set(form->types, &types[t]);
    }
  }
  return count;
}

static int count_function(const struct function *function) {
  enum { WIDTHS = 5 };
  int count = 0;
  if (function->types == INT_ONLY) return 1;
  for (size_t t = 0; t < COUNT(types); t++) count += in_set(function->types, &types[t]);
  return function->types == VECTORS ? count * WIDTHS : count;
}

static int count_sub_groups(const char *extension) {
  int count = 0;
  for (size_t i = 0; i < COUNT(forms); i++)
    if (!strcmp(forms[i].extension, extension)) count += count_form(&forms[i]);
  for (size_t i = 0; i < COUNT(functions); i++)
    if (!strcmp(functions[i].extension, extension)) count += count_function(&functions[i]);
  return count;
}

int main(void) {
  int failed = 0, total = 0, all = 0;
  for (size_t i = 0; i < COUNT(wanted); i++) {
    int count = count_sub_groups(wanted[i].extension);
    printf("%s: %d\n", wanted[i].extension, count);
    failed += count != wanted[i].count;
    total += count;
  }
  for (size_t i = 0; i < COUNT(forms); i++) all += count_form(&forms[i]);
  for (size_t i = 0; i < COUNT(functions); i++) all += count_function(&functions[i]);
  if (failed || all != total)
    printf("FAILED: %d of %d are of an extension that is listed\n", total, all);
  return failed || all != total;
}
