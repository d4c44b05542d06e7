/* A tool that is started once and then waits: it forks for each request, and the fork is the tool's
 * process.
 *
 * This saves the start of the tool, which for clang is more system time than most programs take to
 * compile.  The process is the tool itself, in whose place src/warm runs once the tool's
 * libraries are there.  It has a keeper (keeper.h), so the application sees no end of it; it ends
 * with the application, and when nobody asks for some seconds.
 *
 * Nothing is done here for a tool's first process, since many applications start no second one. */
#ifndef MPL_TOOLCHAIN_WARM_H
#define MPL_TOOLCHAIN_WARM_H

#include "process.h"

/* Runs argv[0] like mpl_process_run; false if that function has to do it. */
bool mpl_warm_run(const struct mpl_process *, const struct mpl_args *argv, unsigned timeout_seconds,
                  int *value, enum mpl_process_end *end);

/* A digest of the state that a child inherits from this thread and that is not in a request:
 * environment, rights, limits, root folder, priorities, cgroup and name spaces.  A child of a tool
 * that was started in one state is to be like a child of this thread in the same state.
 * mpl_process_state_shared compares rules without a trace in /proc, such as Landlock's.  False if
 * the state cannot be read. */
struct mpl_process_state {
  uint8_t digest[32];
};
bool mpl_process_state_read(char *const *environment, struct mpl_process_state *);

/* Whether this thread could look into the other process and sees the same files: then it still has
 * all rights of that process. */
bool mpl_process_state_shared(int pid);

#endif
