/* Confines a compiler process: its source may come from anywhere, and a compiler has bugs.
 *
 * It has limits of memory, processor time and the size of files, no core files, and no more
 * privileges than the application, and ends with the application.  Where the kernel has seccomp and
 * Landlock it has no sockets, cannot look into other processes, and writes only to the files that
 * it was given and to one folder.  It may read all that the application may: included files may lie
 * anywhere. */
#ifndef MPL_TOOLCHAIN_CONFINE_H
#define MPL_TOOLCHAIN_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

struct mpl_limits {
  uint64_t memory;     /* bytes of address space; 0: as the application's */
  uint64_t seconds;    /* of the processor; 0: as the application's */
  uint64_t reading;    /* of these, until file `reads_until` of the process has contents; 0: all */
  int reads_until;
  bool may_write;      /* files of its own choice: a compiler that the user has named */
  const char *folder;  /* else the only one that it may write to, or null */
};

/* Before the process exists: a descriptor for mpl_confine; -1 if there is no Landlock; -2 with
 * errno if its rules cannot be made, and then the process must not be started. */
int mpl_confine_files(const struct mpl_limits *, const int *files, int num_files);

/* In the new process, which may share its memory with the application: only system calls. */
void mpl_confine(const struct mpl_limits *, int landlock);

#endif
