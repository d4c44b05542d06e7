/* Names and arguments of a program's kernels (CL_KERNEL_ARG_INFO). */
#ifndef MPL_CLI_SIGNATURE_H
#define MPL_CLI_SIGNATURE_H

#include <stdio.h>

#include "cli/run/type.h"
#include "cli/session.h"

struct mpl_param {
  char *name;      /* its number, if the program does not say */
  char *type_name; /* as the kernel declares it: "float4*" */
  cl_kernel_arg_address_qualifier space;
  bool pointer, read_only;
  struct mpl_type type; /* of the value, or of what the pointer points to; width 0: not known */
};

struct mpl_signature {
  cl_kernel kernel;
  char *name;
  struct mpl_param *params;
  cl_uint num_params;
};

static inline bool mpl_is_buffer(const struct mpl_param *param) {
  return param->space == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
         param->space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
}

/* The kernel of that name, or the only one if `name` is null.  False, after saying why. */
bool mpl_signature_open(struct mpl_session *, cl_program, const char *name, struct mpl_signature *);
void mpl_signature_close(struct mpl_session *, struct mpl_signature *);

/* "kernel NAME(TYPE NAME, ...)" for each kernel of the program; false, after saying why. */
bool mpl_signature_list(struct mpl_session *, cl_program, FILE *);

#endif
