/* Takes the place of a tool's main() and forks for each request (toolchain/process/warm.h). */
#ifndef MPL_WARM_WARM_H
#define MPL_WARM_WARM_H

#include <stdbool.h>
#include <sys/types.h>

#include "toolchain/process/warm_request.h"

/* A request as it has come; `answer` to `files` are descriptors, -1 if there is none. */
struct mpl_warm_job {
  struct mpl_warm_request request;
  int answer, folder, landlock, files[MPL_PROCESS_FILES];
  char **arguments, **variables; /* lists in one allocation; the strings are in `text` */
  char *text;
  size_t size; /* of the text */
};

enum mpl_warm_received { MPL_WARM_JOB, MPL_WARM_NOTHING, MPL_WARM_CLOSED };

/* The next message.  A job is the caller's to free; MPL_WARM_NOTHING: it was none. */
enum mpl_warm_received mpl_warm_receive(int socket, struct mpl_warm_job *);
void mpl_warm_job_free(struct mpl_warm_job *);

/* The limits of the request, except those on writing files, which are rules of Landlock. */
struct mpl_limits mpl_warm_limits(const struct mpl_warm_request *);

/* In a new process: becomes the tool that the request asks for, or reports that it cannot, and
 * ends. */
void mpl_warm_become(const struct mpl_warm_job *, pid_t parent);

#endif
