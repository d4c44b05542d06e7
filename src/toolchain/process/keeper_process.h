/* The keeper's own side: what runs in the two processes that mpl_keeper_start makes. */
#ifndef MPL_TOOLCHAIN_KEEPER_PROCESS_H
#define MPL_TOOLCHAIN_KEEPER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#include "process.h"

enum { MPL_KEEPER_STARTING, MPL_KEEPER_KEEPS, MPL_KEEPER_FAILED };

/* In memory that the application and the keeper share; its lists are the application's, and are
 * used until `state` has changed. */
struct mpl_keeper {
  struct mpl_keeper *next;
  uint64_t number;
  pid_t owner, pid; /* the application, the keeper */
  char *const *arguments, *const *environment;
  int files[MPL_PROCESS_FILES], num_files;
  int application;          /* a pidfd; this and the files are not among the tool's descriptors */
  void *stack, *tool_stack; /* their ends */
  int error;                /* errno */
  int state;                /* a futex */
  pid_t tool;
  int tool_ended; /* then `tool` may soon be another process's number */
};

/* Another process in this memory, of which only the caller's __WCLONE waits know; its number, or
 * minus errno. */
long mpl_keeper_split(struct mpl_keeper *);

#endif
