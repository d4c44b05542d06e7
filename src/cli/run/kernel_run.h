/* One run of a kernel: its arguments with their data, and the ND-range. */
#ifndef MPL_CLI_KERNEL_RUN_H
#define MPL_CLI_KERNEL_RUN_H

#include "signature.h"

enum mpl_run_arg_kind { MPL_RUN_VALUE, MPL_RUN_BUFFER, MPL_RUN_LOCAL, MPL_RUN_NULL };

struct mpl_run_arg {
  const struct mpl_param *param;
  enum mpl_run_arg_kind kind;
  struct mpl_type type;  /* of the elements */
  size_t count, size;    /* elements, bytes */
  void *data;            /* the input, and after the run the output; null for local memory */
  cl_mem mem;
  cl_mem_flags flags;    /* 0, CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY */
  bool print, hex;
};

struct mpl_run {
  struct mpl_session *session;
  struct mpl_signature *signature;
  struct mpl_run_arg *args; /* signature->num_params of them */
  cl_uint dims;             /* 0: not known yet */
  size_t global[3], local[3], offset[3];
  bool has_local, has_offset;
};

/* Each false after saying why. */
bool mpl_run_arg_allocate(struct mpl_run *, struct mpl_run_arg *, size_t size); /* zeros */
bool mpl_run_prepare(struct mpl_run *); /* makes the buffers and sets the arguments */
bool mpl_run_once(struct mpl_run *);    /* and reads the buffers back */
bool mpl_run_time(struct mpl_run *, unsigned times); /* prints the times on stderr */
void mpl_run_free(struct mpl_run *);

#endif
