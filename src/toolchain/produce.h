/* Source or bitcode to a program binary: from the cache if it is there, else by the compiler. */
#ifndef MPL_TOOLCHAIN_PRODUCE_H
#define MPL_TOOLCHAIN_PRODUCE_H

#include "compile.h"
#include "toolchain/cache/binary.h"

struct mpl_product { /* the log and the containers are the caller's to free */
  enum mpl_compile_result result;
  char *log;                    /* never null */
  struct mpl_container program; /* empty unless MPL_COMPILED */
  struct mpl_container filters; /* of its kernels; empty if they have none */
};

/* The job's `target`, `output`, `filters` and `dump_dir` are set here, from the arguments and
 * MANIPLE_DUMP.  `with_filters`: for a device that checks kernels (abi/filter.h). */
void mpl_produce(const struct mpl_compile_job *, const char *target, enum mpl_binary_kind kind,
                 bool with_filters, struct mpl_product *);

#endif
