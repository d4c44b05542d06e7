/* Where clang, the linker and maniple's own files are. */
#ifndef MPL_TOOLCHAIN_TOOLS_H
#define MPL_TOOLCHAIN_TOOLS_H

#include <limits.h>

struct mpl_tools {
  char clang[PATH_MAX], linker[PATH_MAX];    /* "" if not found */
  char plugin[PATH_MAX], builtins[PATH_MAX]; /* in the folder `maniple` beside libmaniple */
  char attributes[PATH_MAX];                 /* the plugin for SYCL's attributes, or "" */
  char header[PATH_MAX];                     /* declarations that clang's header lacks */
  char cxx_headers[PATH_MAX];                /* folder of the OpenCL C++ library */
  char spirv_validator[PATH_MAX];            /* Debian's spirv-val, or "" */
  char spirv_reader[PATH_MAX];               /* src/spirv, beside the plugin, or "" */
  char warm[PATH_MAX];                       /* src/warm, beside the plugin, or "" */
  char libraries[PATH_MAX];                  /* folder of libm, or "" */
};

const struct mpl_tools *mpl_tools(void); /* looked for once */

/* A sentence on what is missing and what to do, or null. */
const char *mpl_tools_missing(void);

#endif
