/* An OpenCL session with maniple's own driver: the library that this command is linked with, called
 * through its dispatch table (cl_khr_icd), so that no loader is needed and no other driver is
 * found. */
#ifndef MPL_CLI_SESSION_H
#define MPL_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/cl_headers.h"

struct mpl_session {
  const cl_icd_dispatch *cl;
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue; /* in order, with profiling */
  cl_ulong max_allocation;
};

/* False, after saying why. */
bool mpl_session_open(struct mpl_session *);
void mpl_session_close(struct mpl_session *);

/* The name of an error code, such as "CL_INVALID_VALUE". */
const char *mpl_error_name(cl_int code);
/* Says that the call failed unless the code is CL_SUCCESS; true if it is. */
bool mpl_succeeded(cl_int code, const char *call);

struct mpl_cli_args;

/* The compiler options that the command line asks for, then `text`; free it. */
char *mpl_build_options(const struct mpl_cli_args *, const char *standard);

/* The program of a source or binary file, created but not built; null, after saying why.  A source
 * begins with a #line directive: the compiler's messages name the file. */
cl_program mpl_session_load(struct mpl_session *, const char *path);
/* Adds the folder of the file to the options, so that it finds the headers beside it; free it. */
char *mpl_options_for(const char *options, const char *path);

/* The compiler's log on stderr, if there is any. */
void mpl_session_show_log(struct mpl_session *, cl_program);

#endif
