/* The binary form of SPIR-V modules (SPIR-V specification, section 2.3): words, in the host's byte
 * order from here on.
 *
 * It is read in two processes: by the tool that makes LLVM IR of a module, and by the run time,
 * which wants to know the specialisation constants only and never trusts that a module is valid. */
#ifndef MPL_SPIRV_BINARY_H
#define MPL_SPIRV_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MPL_SPIRV_MAGIC = 0x07230203, MPL_SPIRV_HEADER = 5 /* words */ };

struct mpl_spirv_binary {
  const uint32_t *words; /* the header too */
  size_t count;
  uint32_t version; /* 0x00010400 is 1.4 */
  uint32_t bound;   /* all ids are below it */
};

struct mpl_spirv_instruction {
  unsigned opcode, count; /* of words, with the first */
  const uint32_t *words;  /* count of them; words[0] is opcode and count */
};

/* Whether data begins as a module does, in either byte order. */
static inline bool mpl_spirv_is(const void *data, size_t size) {
  uint32_t first;
  if (size < sizeof first) return false;
  memcpy(&first, data, sizeof first);
  return first == MPL_SPIRV_MAGIC || __builtin_bswap32(first) == MPL_SPIRV_MAGIC;
}

/* A copy of a module in the host's byte order, malloc'd; null with a sentence in *why (or null
 * there: out of memory) if it has no header as a module must, or if an instruction is not whole. */
uint32_t *mpl_spirv_copy(const void *data, size_t size, const char **why);

/* Of such a copy. */
void mpl_spirv_open(struct mpl_spirv_binary *, const uint32_t *words, size_t count);

/* The instruction at *place, which moves on; false at the end.  *place begins at MPL_SPIRV_HEADER.
 */
bool mpl_spirv_next(const struct mpl_spirv_binary *, size_t *place, struct mpl_spirv_instruction *);

/* The size in bytes of the specialisation constant with that number, 1 of a boolean; 0 if the
 * module has none. */
size_t mpl_spirv_constant_size(const struct mpl_spirv_binary *, uint32_t number);

#endif
