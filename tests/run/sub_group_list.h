/* The overloads of the sub-group functions that src/tables/collectives.def has. */
#ifndef TESTS_RUN_SUB_GROUP_LIST_H
#define TESTS_RUN_SUB_GROUP_LIST_H

#include "run/sub_group_reference.h"

struct list {
  struct overload of[1024];
  unsigned size[1024]; /* of the sub-groups for which each is compiled */
  char names[1024][64];
  size_t count;
};

/* Sets of[] and count: those of an extension; of an operation alone unless that is empty. */
void list_overloads(struct list *list, const char *extension, const char *operation);

/* Leaves out all but each `nth`, from number `first` on. */
void list_keep(struct list *list, size_t first, size_t nth);

/* Leaves out what it can without losing a pair: each operation stays in each of its forms and for each of its types,
 * and each form for each type; the same of functions, types and widths. */
void list_keep_pairs(struct list *list);

/* Each extension of the table once.  The names are static. */
int list_extensions(char ***names);

#endif
