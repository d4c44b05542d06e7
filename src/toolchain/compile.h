/* Runs clang 19 as a subprocess: a program in one of the forms below in, bitcode or a kernel object
 * out.
 *
 * The log is clang's own, whole, with the user's file names and lines.  Faults that clang cannot
 * report (it is missing, was killed, ran out of time or disk) are one line of ours at its end. */
#ifndef MPL_TOOLCHAIN_COMPILE_H
#define MPL_TOOLCHAIN_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mpl_compile_result {
  MPL_COMPILED,
  MPL_COMPILE_FAILED,   /* the source is wrong: see the log */
  MPL_BAD_OPTIONS,      /* an option that OpenCL does not have */
  MPL_COMPILER_MISSING, /* clang, the plugin or the built-in library is not there */
  MPL_COMPILER_BROKEN,  /* killed, crashed, timed out, or no room to write */
};

/* Which call the options were given to: each has its own list (OpenCL 3.0, section 5.8.6). */
enum mpl_options_for { MPL_FOR_BUILD, MPL_FOR_COMPILE, MPL_FOR_LINK };

struct mpl_options_meaning {
  bool create_library;
};

/* Reads options without compiling.  False if there is one that OpenCL does not have; `why`, of 256
 * bytes, then holds a sentence. */
bool mpl_options_read(const char *options, enum mpl_options_for, struct mpl_options_meaning *,
                      char why[256]);

/* The form of a program.  `prepare` in compile.c turns each form into one that clang reads.  A new
 * form needs a step there and a command line in command_lines.c; the keys of the cache have its
 * number. */
enum mpl_input {
  MPL_INPUT_SOURCE,  /* text: OpenCL C, C++ for OpenCL or OpenCL C++, as the options say */
  MPL_INPUT_BITCODE, /* LLVM's, of one or more programs, to be linked */
  MPL_INPUT_SPIRV,   /* a module, and the values of its specialisation constants */
};

enum mpl_compile_output { MPL_OUTPUT_OBJECT, MPL_OUTPUT_BITCODE };

struct mpl_blob {
  const void *data;
  size_t size;
};
struct mpl_header {
  const char *name;
  const char *text;
  size_t size;
}; /* name as #include'd */

struct mpl_constant { /* a specialisation constant of SPIR-V */
  uint32_t number;
  uint64_t bits; /* of its type's size, the rest 0 */
};

struct mpl_compile_job {
  enum mpl_input input;
  const struct mpl_blob *inputs; /* one if it is source or SPIR-V */
  size_t num_inputs;
  const struct mpl_header *headers; /* embedded headers of clCompileProgram */
  size_t num_headers;
  const struct mpl_constant *constants; /* those that the host has set */
  size_t num_constants;
  const char *options; /* the caller's, as OpenCL defines them */
  enum mpl_options_for options_for;
  uint32_t lacks; /* the bits of enum mpl_offer that its device does not have */
  const char *target; /* mpl_device_info.target; null: this processor.  A GPU's is in abi/gpu.h */
  enum mpl_compile_output output;
  bool filters;         /* makes the filters of a checked program's kernels (abi/filter.h) */
  const char *dump_dir; /* null, or where sources, IR, assembly, remarks go */
};

struct mpl_compile_answer { /* free with mpl_compile_free */
  enum mpl_compile_result result;
  char *log;    /* never null */
  void *output; /* null unless MPL_COMPILED */
  size_t output_size;
  char **dependencies; /* absolute paths of files that the source included */
  size_t num_dependencies;
};

void mpl_compile(const struct mpl_compile_job *, struct mpl_compile_answer *);
void mpl_compile_free(struct mpl_compile_answer *);

/* One line that changes whenever the compiler, the plugin, the built-in library or
 * MPL_ABI_VERSION does: part of every cache key.  Cheap: paths, sizes and times, no subprocess. */
const char *mpl_compiler_identity(void);

#endif
