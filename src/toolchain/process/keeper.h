/* A process of which the application sees nothing: no SIGCHLD, and no wait() but one with __WCLONE
 * knows of it.
 *
 * Such a process is made by clone() with another exit signal than SIGCHLD, or none; execve() sets
 * SIGCHLD again, so it can never be another program.  It is a keeper therefore: it shares the
 * application's memory (a copy would cost as much as a fork), holds none of its descriptors, starts
 * the tool as its own child and waits for it.  When the application ends, however it does, the
 * keeper ends the tool, waits for that, and ends.  Nobody is given orphans but who is given those
 * of the application itself: a keeper whose application was killed is process 1's.
 *
 * The application's later rights are not the keeper's, and it can write to its memory.  So it is
 * confined to waiting (keeper_process.c). */
#ifndef MPL_TOOLCHAIN_KEEPER_H
#define MPL_TOOLCHAIN_KEEPER_H

#include "process.h"
#include "toolchain/arguments.h"

/* Starts argv[0] with a keeper; 0 or errno.  *number names both below. */
int mpl_keeper_start(const struct mpl_process *, const struct mpl_args *argv, uint64_t *number);

/* Kills the tool if it is there. */
void mpl_keeper_end(uint64_t number);

/* Waits for keepers that have ended; or, so many milliseconds at most, until all have. */
void mpl_keepers_reap(unsigned milliseconds);

#endif
