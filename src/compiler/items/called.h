/* A called function's name, taken apart: as C++ mangles it, or as C's interface has it. */
#ifndef MPL_COMPILER_CALLED_H
#define MPL_COMPILER_CALLED_H

#include <stdbool.h>

struct mpl_called {
  const char *mangled, *rest; /* rest: the parameters' types, mangled */
  char name[64], type[32];    /* type: the first parameter's, as OpenCL C has it; mpl_read_type */
};

/* False if it is no name of either form. */
bool mpl_read_called(const char *mangled, struct mpl_called *);
/* The type that a call is made for, from the first parameter. */
void mpl_read_type(struct mpl_called *);

/* Of a name: */
bool mpl_is_barrier_name(const char *);
bool mpl_is_copy_name(const char *);
bool mpl_is_collective_name(const char *);

#endif
