/* Source or bitcode to a program binary: from the cache if it is there, else by the compiler. */
#ifndef MPL_TOOLCHAIN_PRODUCE_H
#define MPL_TOOLCHAIN_PRODUCE_H

#include "compile.h"
#include "toolchain/cache/binary.h"

struct mpl_product { /* log and binary are the caller's to free */
  enum mpl_compile_result result;
  char *log;    /* never null */
  void *binary; /* a container; null unless MPL_COMPILED */
  size_t binary_size;
};

/* The job's `output` and `dump_dir` are set here, from `kind` and MANIPLE_DUMP. */
void mpl_produce(const struct mpl_compile_job *, const char *target, enum mpl_binary_kind kind,
                 struct mpl_product *);

#endif
