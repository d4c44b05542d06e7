/* The container of program binaries: what clGetProgramInfo hands out and the disk cache keeps.
 * Damaged containers, and those for another processor or version, are recognised. */
#ifndef MPL_TOOLCHAIN_BINARY_H
#define MPL_TOOLCHAIN_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MPL_CONTAINER_VERSION 2u /* others are refused, as is another MPL_ABI_VERSION */

enum mpl_binary_kind {                            /* the values of CL_PROGRAM_BINARY_TYPE_* */
                       MPL_BINARY_COMPILED = 1,   /* bitcode to link */
                       MPL_BINARY_LIBRARY = 2,    /* the same, made by -create-library */
                       MPL_BINARY_EXECUTABLE = 4, /* a kernel object */
};

struct mpl_binary {
  enum mpl_binary_kind kind;
  const void *payload; /* in the container */
  size_t payload_size;
};

/* A container of our own and its contents, which need not be unpacked again. */
struct mpl_container {
  void *data; /* to be freed; null: no container, and all else is 0 */
  size_t size;
  struct mpl_binary holds;
};

/* Makes a container of a payload that lies elsewhere; false if out of memory.  `target` is the
 * device's.  Of what is to be linked the words of MANIPLE_BUILD_OPTIONS count too that choose a
 * processor. */
bool mpl_binary_pack(const struct mpl_binary *, const char *target, struct mpl_container *);

/* False if out of memory. */
bool mpl_container_copy(const struct mpl_container *, struct mpl_container *copy);

/* Finds what bytes from elsewhere hold, those of a file or of a program.  False if they are no
 * container, damaged, or of another target, or kernels with (without) the check where this process runs
 * them without (with) it; `why` is a sentence then.  With `target` null those two are not looked at. */
bool mpl_binary_unpack(const void *data, size_t size, const char *target, struct mpl_binary *,
                       const char **why);

#endif
