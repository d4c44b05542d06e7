/* A tool that is started once and then waits: of each request a fork of it becomes the tool's
 * process.
 *
 * What it saves is the tool's start, which for clang is more system time than most programs take
 * to compile.  The process is the tool itself, in whose place src/warm runs once the tool's
 * libraries are there.  It has a keeper (keeper.h), so the application sees no end of it; it ends
 * with the application, and when nobody asks for some seconds.
 *
 * Nothing is done here for a tool's first process, since many applications start no second one. */
#ifndef MPL_TOOLCHAIN_WARM_H
#define MPL_TOOLCHAIN_WARM_H

#include "process.h"

/* Runs argv[0] as mpl_process_run does; false if that has to. */
bool mpl_warm_run(const struct mpl_process *, const struct mpl_args *argv, unsigned timeout_seconds,
                  int *value, enum mpl_process_end *end);

/* A digest of what a child has from this thread and what is not in a request: environment, rights,
 * limits, root folder, priorities, cgroup and name spaces.  A child of what was started in one
 * state is to be as a child of this thread in the same state; of rules without a trace in /proc,
 * such as Landlock's, mpl_process_state_shared tells.  False if it cannot be read. */
struct mpl_process_state {
  uint8_t digest[32];
};
bool mpl_process_state_read(char *const *environment, struct mpl_process_state *);

/* Whether this thread could look into the other process, and sees the same files: it has left none
 * of that process's rights behind. */
bool mpl_process_state_shared(int pid);

#endif
