/* The messages between libmaniple and a tool that waits (src/warm). */
#ifndef MPL_TOOLCHAIN_WARM_REQUEST_H
#define MPL_TOOLCHAIN_WARM_REQUEST_H

#include <sched.h>
#include <stdint.h>

#include "process.h"

/* The tool's environment when it is started: seconds that it waits, device and number of its file;
 * a library that it will load in any case. */
#define MPL_WARM_VARIABLE "MANIPLE_WARM_START"
#define MPL_WARM_LIBRARY  "MANIPLE_WARM_LIBRARY"

/* A descriptor then, its last one. */
enum { MPL_WARM_SOCKET = 3 };

/* A message on the socket, with descriptors: the answer's pipe, the current folder, Landlock's
 * rules if there are any, the files.  Behind it stand the strings, each with its 0. */
struct mpl_warm_request {
  uint32_t size; /* of this: both are of one version */
  int32_t num_files, has_landlock, has_cpus;
  uint32_t timeout_seconds;
  uint32_t num_arguments, num_variables;
  int32_t reads_until;
  uint64_t memory, seconds, reading; /* limits, as in confine.h */
  cpu_set_t cpus;
};
enum {
  MPL_WARM_REQUEST_MAX =
      128 << 10, /* bytes, strings included: what a socket's buffer has room for */
  MPL_WARM_FILES_MAX = MPL_PROCESS_FILES + 3,
  MPL_WARM_STRINGS_MAX = 16 << 10,
};

/* Two on the pipe: that the request is taken, with the process that has taken it; then the end.  A
 * pipe that ends before the first: nothing has been run.  A process that cannot become the
 * requested one reports itself that nothing was started; messages after an end are not read. */
struct mpl_warm_answer {
  int32_t is_end;
  int32_t end; /* enum mpl_process_end */
  int32_t value;
};

#endif
