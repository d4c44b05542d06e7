/* Growing list of arguments, and the command lines made with it. */
#ifndef MPL_TOOLCHAIN_ARGUMENTS_H
#define MPL_TOOLCHAIN_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "compile.h"

struct mpl_args {
  char **list; /* ends with a null; each is its own allocation */
  size_t count, capacity;
  bool failed; /* out of memory: the list is incomplete */
};

void mpl_args_add(struct mpl_args *, const char *text);
void mpl_args_addf(struct mpl_args *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void mpl_args_free(struct mpl_args *);

/* One line that a shell would read back as these arguments; malloc'd, or null. */
char *mpl_args_quote(const struct mpl_args *);

/* Splits options as a shell would: blanks divide, quotes group, a backslash takes the next
 * character as it is. */
void mpl_args_split(struct mpl_args *, const char *options);

/* Adds the words of MANIPLE_BUILD_OPTIONS that choose a processor, -march= and the like. */
void mpl_args_processor(struct mpl_args *);

/* The properties of the options that the front end needs. */
enum mpl_language { MPL_OPENCL_C, MPL_CXX_FOR_OPENCL, MPL_OPENCL_CXX };
struct mpl_source_options {
  struct mpl_options_meaning meaning;
  enum mpl_language language;
  int c_version;        /* 100, 110, 120, 200, 300; of C++, the OpenCL C that it goes with */
  const char *standard; /* -cl-std= as clang knows it */
  bool debug, no_optimize, arg_info;
  bool by_item; /* for a debugger: runs the function of one work-item as it is written */
};

/* Translates options to clang's; false with a sentence in `why` for one that OpenCL does not have.
 */
bool mpl_options_translate(const char *options, enum mpl_options_for, struct mpl_args *out,
                           struct mpl_source_options *, char why[256]);

#endif
