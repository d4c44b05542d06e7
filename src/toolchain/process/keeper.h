/* A process that the application does not see: there is no SIGCHLD, and only a wait() with __WCLONE
 * knows it.
 *
 * Such a process is made by clone() with another exit signal than SIGCHLD, or none; execve() sets
 * SIGCHLD again, so it can never be another program.  It is a keeper therefore: it shares the
 * application's memory (a copy would cost as much as a fork), holds none of its descriptors, starts
 * the tool as its own child and waits for it.  When the application ends, however it does, the
 * keeper ends the tool, waits for that, and ends.  A keeper whose application was killed becomes a
 * child of the process that gets the application's orphans, process 1 as a rule.
 *
 * The keeper does not follow later changes of the application's rights, and the application can
 * write to its memory.  So the keeper is confined to waiting (keeper_process.c). */
#ifndef MPL_TOOLCHAIN_KEEPER_H
#define MPL_TOOLCHAIN_KEEPER_H

#include "process.h"
#include "toolchain/arguments.h"

/* Starts argv[0] with a keeper; 0 or errno.  *number names both below. */
int mpl_keeper_start(const struct mpl_process *, const struct mpl_args *argv, uint64_t *number);

/* Kills the tool if it is there. */
void mpl_keeper_end(uint64_t number);

/* Waits for keepers that have ended; or until all have, for so many milliseconds at most. */
void mpl_keepers_reap(unsigned milliseconds);

#endif
