/* `maniple c++` with a precompiled <sycl/sycl.hpp> (toolchain/precompiled.h). */
#ifndef MPL_CLI_PRECOMPILED_H
#define MPL_CLI_PRECOMPILED_H

#include <stdbool.h>
#include <stddef.h>

/* A command line of clang's, null behind the last word. */
struct mpl_cxx_line {
  char **words;
  size_t count;
  size_t user,
      behind; /* words[user] to words[behind - 1] are the user's; others are for all programs */
};

/* Compiles if all of the line's sources begin with the header.  False, without
 * a word, if it is not, if nothing precompiled is to be had, or if clang fails: what it says
 * without is what counts.  The program is compiled then, and what clang has said is on stderr. */
bool mpl_cxx_precompiled(const struct mpl_cxx_line *);

/* Whether a source begins with #include <sycl/sycl.hpp> or <CL/sycl.hpp>, behind comments and
 * headers of the standards. */
bool mpl_begins_with_sycl(const char *text);

#endif
