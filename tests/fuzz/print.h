/* What the parts of the printer share: print_expr.c has expressions, print.c statements. */
#ifndef TESTS_FUZZ_PRINT_H
#define TESTS_FUZZ_PRINT_H

#include <stdio.h>

#include "fuzz/tree.h"

struct printer { FILE *file; const struct kernel *k; int indent; };

extern const char *const type_names[], *const group_ops[];

void print_expr(struct printer *p, const struct expr *e);
void print_var(struct printer *p, const struct var *v, int lane);
/* Of a record, that in global memory if `v` is null. */
void print_field(struct printer *p, const struct var *v, int which, int lane,
                 const struct expr *index);

#endif
