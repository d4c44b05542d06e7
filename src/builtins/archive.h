/* The file in which the built-in library is installed: many small bitcode modules and an index of
 * the functions that they define.
 *
 * The library has some 12,000 functions, and a kernel needs a handful.  clang's own
 * -mlink-builtin-bitcode takes 20 us for each function of a library whether used or not, which is a
 * quarter of a second; here a compilation reads the modules that it needs, some 0.1 ms each.
 *
 * All numbers are of the host's byte order; offsets are from the beginning of the file.  The header
 * is followed by the symbols, sorted by name, and the members.  A name is a letter, enum
 * mpl_archive_abi, and the function's mangled name. */
#ifndef MPL_BUILTINS_ARCHIVE_H
#define MPL_BUILTINS_ARCHIVE_H

#include <stdint.h>

#define MPL_ARCHIVE_NAME  "builtins.archive"
#define MPL_ARCHIVE_MAGIC "mplpack1"

/* x86-64 passes vectors in registers as far as the registers reach and in memory beyond, so the
 * signature of a function of float8 depends on the instruction set; the library is there for each.
 * Under a capital letter stands what a program gets instead where its loops are widened. */
enum mpl_archive_abi {
  MPL_ARCHIVE_128 = 'a',
  MPL_ARCHIVE_256 = 'b',
  MPL_ARCHIVE_512 = 'c',
  MPL_ARCHIVE_NVPTX = 'n', /* for GPUs; what is there for widened programs comes first there too */
};

struct mpl_archive_header {
  char magic[8];
  uint32_t num_symbols, num_members;
};
struct mpl_archive_symbol {
  uint32_t name, member;
};
struct mpl_archive_member {
  uint32_t offset, size;
};

#endif
