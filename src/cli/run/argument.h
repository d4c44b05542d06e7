/* The ARGUMENTs of `maniple run`: [in:|out:|inout:][TYPE][:COUNT][=VALUE]. */
#ifndef MPL_CLI_ARGUMENT_H
#define MPL_CLI_ARGUMENT_H

#include "cli/run/value.h"
#include "kernel_run.h"

struct mpl_spec {
  const char *word;      /* as written; null for one that was left out */
  bool marked, in, out;  /* in:, out:, inout: */
  struct mpl_type type;  /* width 0: none given */
  bool has_count;
  size_t count;
  struct mpl_value value;
};

/* False, after saying why. */
bool mpl_spec_parse(const char *word, struct mpl_spec *);

/* Makes run->args from the specs (as many as the kernel has parameters), and the global size if it
 * has not been given; tells of arguments that were left out unless `quiet`. */
bool mpl_specs_resolve(struct mpl_spec *specs, struct mpl_run *run, bool quiet);

/* "64,2" or "64x2": 1 to 3 sizes; how many, or 0 after saying why. */
cl_uint mpl_sizes_parse(const char *text, const char *what, size_t sizes[3]);

/* A count with a suffix K, M or G; moves *text behind it. */
bool mpl_count_parse(const char **text, size_t *count);

#endif
