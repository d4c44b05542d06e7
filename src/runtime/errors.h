/* Error codes, with OpenCL's values, and the reason for a refusal. */
#ifndef MPL_RUNTIME_ERRORS_H
#define MPL_RUNTIME_ERRORS_H

enum mpl_error {
#define MPL_ERROR(name, code) MPL_##name = code,
#include "tables/errors.def"
#undef MPL_ERROR
};

struct mpl_refusal {
  int code; /* enum mpl_error */
  char text[200];
};

#endif
