#include "binary.h"

#include <stdlib.h>
#include <string.h>

/* The few instructions that the run time reads (SPIR-V specification, 3.49). */
enum {
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_SPEC_CONSTANT_TRUE = 48,
  OP_SPEC_CONSTANT_FALSE = 49,
  OP_SPEC_CONSTANT = 50,
  OP_DECORATE = 71,
  DECORATION_SPEC_ID = 1,
};

static const char *problem_of(const uint32_t *words, size_t count) {
  if (count < MPL_SPIRV_HEADER) return "the SPIR-V module is shorter than its header of 20 bytes";
  if (words[1] >> 24 || (words[1] >> 16) != 1 || words[1] & 0xff)
    return "the SPIR-V module is of no version 1.x";
  for (size_t at = MPL_SPIRV_HEADER; at < count; at += words[at] >> 16) {
    if (!(words[at] >> 16)) return "the SPIR-V module is damaged: an instruction has no words";
    if (words[at] >> 16 > count - at)
      return "the SPIR-V module is cut off or damaged: it ends in the middle of an instruction";
  }
  return NULL;
}

uint32_t *mpl_spirv_copy(const void *data, size_t size, const char **why) {
  *why = "this is no SPIR-V module: one begins with the number 0x07230203";
  if (!mpl_spirv_is(data, size)) return NULL;
  *why = "the SPIR-V module is cut off or damaged: its size is not a multiple of 4 bytes";
  if (size % sizeof(uint32_t)) return NULL;
  uint32_t *words = malloc(size);
  *why = NULL;
  if (!words) return NULL;
  memcpy(words, data, size);
  size_t count = size / sizeof *words;
  if (words[0] != MPL_SPIRV_MAGIC)
    for (size_t i = 0; i < count; i++) words[i] = __builtin_bswap32(words[i]);
  *why = problem_of(words, count);
  if (!*why) return words;
  free(words);
  return NULL;
}

void mpl_spirv_open(struct mpl_spirv_binary *binary, const uint32_t *words, size_t count) {
  *binary = (struct mpl_spirv_binary){words, count, words[1], words[3]};
}

bool mpl_spirv_next(const struct mpl_spirv_binary *binary, size_t *place,
                    struct mpl_spirv_instruction *out) {
  if (*place >= binary->count) return false;
  out->words = binary->words + *place;
  out->opcode = out->words[0] & 0xffff;
  out->count = out->words[0] >> 16;
  *place += out->count;
  return true;
}

/* The instruction that has `id` as its result at a word; false if there is none. */
static bool find(const struct mpl_spirv_binary *binary, uint32_t id, unsigned first_opcode,
                 unsigned last_opcode, unsigned word, struct mpl_spirv_instruction *out) {
  size_t place = MPL_SPIRV_HEADER;
  while (mpl_spirv_next(binary, &place, out))
    if (out->opcode >= first_opcode && out->opcode <= last_opcode && out->count > word &&
        out->words[word] == id)
      return true;
  return false;
}

/* A module that nobody has checked may say that a number has any bits. */
static size_t bytes_of(uint32_t width) {
  return width == 8 || width == 16 || width == 32 || width == 64 ? width / 8 : 0;
}

size_t mpl_spirv_constant_size(const struct mpl_spirv_binary *binary, uint32_t number) {
  struct mpl_spirv_instruction i, constant, type;
  size_t place = MPL_SPIRV_HEADER;
  while (mpl_spirv_next(binary, &place, &i)) {
    if (i.opcode != OP_DECORATE || i.count < 4 || i.words[2] != DECORATION_SPEC_ID ||
        i.words[3] != number)
      continue;
    if (!find(binary, i.words[1], OP_SPEC_CONSTANT_TRUE, OP_SPEC_CONSTANT, 2, &constant)) continue;
    if (constant.opcode != OP_SPEC_CONSTANT) return 1;
    if (find(binary, constant.words[1], OP_TYPE_INT, OP_TYPE_FLOAT, 1, &type) && type.count > 2)
      return bytes_of(type.words[2]);
  }
  return 0;
}
