/* OpenCL C++ in the words of clang's C++ for OpenCL.
 *
 * Most of OpenCL C++ 1.0 is a library, which stands in include/opencl_cpp.  What is language and
 * unknown to clang is put into its words here, token by token, so that lines stay where they were:
 *   - a kernel's plain pointers and references are to global memory (section 2.6 asks for some
 * named address space, and the specification's examples write `int *`);
 *   - attributes [[cl::required_work_group_size(8, 1, 1)]] (section 2.8);
 *   - local variables of program scope; what constructs and destroys those in kernels
 * (section 2.5);
 *   - `operator float4()` is no constructor call (the library makes `float4(` one, by a macro).
 * Comments, strings and everything else stay as they are; text that is no C++ is left to clang's
 * diagnostics. */
#ifndef MPL_TOOLCHAIN_TRANSLATE_H
#define MPL_TOOLCHAIN_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

/* Names of several components of a vector, as .xy or .s0246, that texts use: what the macro
 * __CL_SWIZZLES(X) is to be, as X(xy,0,1)X(s0246,0,2,4,6). */
struct mpl_cxx_names {
  char *list; /* malloc'd; null if there are none */
  size_t count;
};

/* The text for clang, malloc'd; null if out of memory.  Adds to the names. */
char *mpl_cxx_translate(const char *text, size_t size, size_t *new_size, struct mpl_cxx_names *);

/* Whether the text includes anything but the library's headers. */
bool mpl_cxx_includes(const char *text, size_t size);

#endif
