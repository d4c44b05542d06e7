/* Hints of modules (tables/spirv_hints.def).  Nobody has checked the module yet. */
#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/device.h"

/* SPIR-V specification, 3.49; the run time has no header of it. */
enum {
  OP_NOP = 0,
  OP_UNDEF = 1,
  OP_NAME = 5,
  OP_EXTENSION = 10,
  OP_EXT_INST_IMPORT = 11,
  OP_EXT_INST = 12,
  OP_EXECUTION_MODE = 16,
  OP_CAPABILITY = 17,
  OP_TYPE_INT = 21,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_POINTER = 32,
  OP_TYPE_FORWARD_POINTER = 39,
  OP_FUNCTION = 54,
  OP_VARIABLE = 59,
  OP_LOAD = 61,
  OP_STORE = 62,
  OP_COPY_MEMORY = 63,
  OP_COPY_MEMORY_SIZED = 64,
  OP_DECORATE = 71,
  OP_MEMBER_DECORATE = 72,
  OP_LOOP_MERGE = 246,
  OP_EXECUTION_MODE_ID = 331,
  OP_DECORATE_ID = 332,
  OPENCL_STD_PRINTF = 184,
  DECORATION_FUNC_PARAM_ATTR = 38,
  DECORATION_FP_FAST_MATH_MODE = 40,
  MOST_IDS = 0x400000, /* 2.17 */
};

enum mpl_spirv_mask { ACCESS, FAST_MATH, LOOP, FUNCTION, NUM_MASKS };

/* The bits of each mask below its hints that have an operand (3.23, 3.26). */
static const uint32_t with_operand[NUM_MASKS] = {[ACCESS] = 0x1a, [LOOP] = 0x1f8};

static const uint32_t hint_bits[NUM_MASKS] = {
#define MPL_SPIRV_HINT_BITS(of, mask) [of] = (mask),
#include "tables/spirv_hints.def"
};

static const char *const hint_extensions[] = {
#define MPL_SPIRV_HINT_EXTENSION(name) name,
#include "tables/spirv_hints.def"
};

static const struct {
  const char *name;
  uint32_t needs;
} extensions[] = {
#define MPL_SPIRV_EXTENSION(name, needs) {name, needs},
#include "tables/spirv.def"
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof *(array))

struct hints {
  bool *gone; /* ids whose instruction was taken out */
  uint32_t bound;
};

static bool is_capability(uint32_t number) {
  switch (number) {
#define MPL_SPIRV_HINT_CAPABILITY(name, number) case number:
#include "tables/spirv_hints.def"
    return true;
  }
  return false;
}

static bool is_mode(uint32_t number) {
  switch (number) {
#define MPL_SPIRV_HINT_MODE(name, number) case number:
#include "tables/spirv_hints.def"
    return true;
  }
  return false;
}

static bool is_attribute(uint32_t number) {
  switch (number) {
#define MPL_SPIRV_HINT_ATTRIBUTE(name, number) case number:
#include "tables/spirv_hints.def"
    return true;
  }
  return false;
}

static bool is_decoration(const uint32_t *words, unsigned count) {
  switch (words[0]) {
#define MPL_SPIRV_HINT_DECORATION(name, number) case number:
#include "tables/spirv_hints.def"
    return true;
#define MPL_SPIRV_HINT_DEFAULT(name, number) case number:
#include "tables/spirv_hints.def"
    return count > 1 && !words[count - 1];
  case DECORATION_FUNC_PARAM_ATTR:
    return count > 1 && is_attribute(words[1]);
  }
  return false;
}

/* Where an instruction that is a hint has its result: 0 nowhere, -1 no hint. */
static int hint_result(unsigned opcode) {
  switch (opcode) {
#define MPL_SPIRV_HINT_OP(name, number, result)                                                    \
  case number:                                                                                     \
    return result;
#include "tables/spirv_hints.def"
  }
  return -1;
}

/* The substitute for the instruction. */
static unsigned opcode_of(unsigned opcode) {
  switch (opcode) {
#define MPL_SPIRV_AS(name, number, as)                                                             \
  case number:                                                                                     \
    return as;
#include "tables/spirv_hints.def"
  }
  return opcode;
}

static unsigned stand_in_of(unsigned opcode) {
  switch (opcode) {
#define MPL_SPIRV_STAND_IN(name, number, as)                                                       \
  case number:                                                                                     \
    return as;
#include "tables/spirv_hints.def"
  }
  return opcode;
}

static void change_class(uint32_t *class) {
  switch (*class) {
#define MPL_SPIRV_AS_CLASS(name, number, as)                                                       \
  case number:                                                                                     \
    *class = as;                                                                                   \
    break;
#include "tables/spirv_hints.def"
  }
}

/* The text of a string that ends in its instruction, or null. */
static const char *text_of(const struct mpl_spirv_instruction *in, unsigned word) {
  if (in->count <= word) return NULL;
  const char *text = (const char *)(in->words + word);
  return memchr(text, 0, (in->count - word) * sizeof(uint32_t)) ? text : NULL;
}

static bool is_hint_extension(const char *name) {
  for (size_t i = 0; name && i < ARRAY_SIZE(hint_extensions); i++)
    if (!strcmp(name, hint_extensions[i])) return true;
  return false;
}

static bool is_gone(const struct hints *h, uint32_t id) {
  return h->gone && id < h->bound && h->gone[id];
}

static bool is_hint(const struct hints *h, const struct mpl_spirv_instruction *in) {
  const uint32_t *words = in->words;
  if (hint_result(in->opcode) >= 0) return true;
  switch (in->opcode) {
  case OP_EXTENSION:
    return is_hint_extension(text_of(in, 1));
  case OP_CAPABILITY:
    return in->count > 1 && is_capability(words[1]);
  case OP_NAME:
    return in->count > 1 && is_gone(h, words[1]);
  case OP_EXECUTION_MODE:
  case OP_EXECUTION_MODE_ID:
    return in->count > 2 && is_mode(words[2]);
  case OP_DECORATE:
  case OP_DECORATE_ID:
    return in->count > 2 && (is_gone(h, words[1]) || is_decoration(words + 2, in->count - 2));
  case OP_MEMBER_DECORATE:
    return in->count > 3 && is_decoration(words + 3, in->count - 3);
  default:
    return false;
  }
}

/* Takes the hints' bits out of the mask at *at and moves what follows their operands up; *at is
 * behind the mask and its operands then.  Each bit of an access has one operand, and a loop's come
 * last. */
static void clear_bits(uint32_t *words, unsigned *count, unsigned *at, enum mpl_spirv_mask mask) {
  if (*at >= *count) return;
  uint32_t hints = words[*at] & hint_bits[mask];
  unsigned kept = (unsigned)__builtin_popcount(words[*at] & with_operand[mask]);
  unsigned left = *count - *at - 1, dropped = 0;
  if (mask == ACCESS) dropped = (unsigned)__builtin_popcount(hints);
  if (mask == LOOP && hints && left > kept) dropped = left - kept;
  if (kept + dropped > left) { /* cut off: the validator says so */
    *at = *count;
    return;
  }
  words[*at] &= ~hints;
  *at += 1 + kept;
  memmove(words + *at, words + *at + dropped, (*count - *at - dropped) * sizeof *words);
  *count -= dropped;
}

/* The words of an instruction that stays, in the reader's form, with the hints in its masks taken out.
 */
static unsigned clean(uint32_t *words, unsigned opcode, unsigned count) {
  unsigned at;
  opcode = opcode_of(opcode);
  switch (opcode) {
  case OP_TYPE_POINTER:
  case OP_TYPE_FORWARD_POINTER:
    if (count > 2) change_class(&words[2]);
    break;
  case OP_VARIABLE:
    if (count > 3) change_class(&words[3]);
    break;
  case OP_LOAD:
    clear_bits(words, &count, &(unsigned){4}, ACCESS);
    break;
  case OP_STORE:
    clear_bits(words, &count, &(unsigned){3}, ACCESS);
    break;
  case OP_COPY_MEMORY:
  case OP_COPY_MEMORY_SIZED: /* one mask, or one of each side */
    at = opcode == OP_COPY_MEMORY ? 3 : 4;
    clear_bits(words, &count, &at, ACCESS);
    clear_bits(words, &count, &at, ACCESS);
    break;
  case OP_LOOP_MERGE:
    clear_bits(words, &count, &(unsigned){3}, LOOP);
    break;
  case OP_FUNCTION:
    clear_bits(words, &count, &(unsigned){3}, FUNCTION);
    break;
  case OP_DECORATE:
    if (count > 3 && words[2] == DECORATION_FP_FAST_MATH_MODE)
      clear_bits(words, &count, &(unsigned){3}, FAST_MATH);
    break;
  case OP_MEMBER_DECORATE:
    if (count > 4 && words[3] == DECORATION_FP_FAST_MATH_MODE)
      clear_bits(words, &count, &(unsigned){4}, FAST_MATH);
    break;
  }
  words[0] = (uint32_t)count << 16 | opcode;
  return count;
}

/* Names and decorations stand before their targets. */
static void find_gone(struct hints *h, const struct mpl_spirv_binary *binary) {
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  h->bound = binary->bound < MOST_IDS ? binary->bound : MOST_IDS;
  while (mpl_spirv_next(binary, &place, &in)) {
    int result = hint_result(in.opcode);
    if (result <= 0 || (unsigned)result >= in.count || in.words[result] >= h->bound) continue;
    if (!h->gone) h->gone = calloc(h->bound, sizeof *h->gone);
    if (!h->gone) return;
    h->gone[in.words[result]] = true;
  }
}

size_t mpl_spirv_drop_hints(uint32_t *words, size_t count) {
  struct mpl_spirv_binary binary;
  struct mpl_spirv_instruction in;
  struct hints hints = {0};
  size_t place = MPL_SPIRV_HEADER, to = MPL_SPIRV_HEADER;
  mpl_spirv_open(&binary, words, count);
  find_gone(&hints, &binary);
  while (mpl_spirv_next(&binary, &place, &in)) {
    if (is_hint(&hints, &in)) continue;
    memmove(words + to, in.words, in.count * sizeof *words);
    to += clean(words + to, in.opcode, in.count);
  }
  free(hints.gone);
  return to;
}

/* The kind of an id, as far as formats of printf need it. */
enum what { OTHER, OPENCL_STD, BYTE_TYPE, BYTES_TYPE, POINTER_TYPE, STRING };

struct formats {
  uint8_t *ids; /* enum what */
  uint32_t bound;
};

static enum what what_is(const struct formats *f, const struct mpl_spirv_instruction *in,
                         unsigned word) {
  return in->count > word && in->words[word] < f->bound ? f->ids[in->words[word]] : OTHER;
}

static void note_type(struct formats *f, const struct mpl_spirv_instruction *in) {
  unsigned result = 1;
  enum what what = OTHER;
  const char *text = in->opcode == OP_EXT_INST_IMPORT ? text_of(in, 2) : NULL;
  if (text && !strcmp(text, "OpenCL.std")) what = OPENCL_STD;
  if (in->opcode == OP_TYPE_INT && in->count > 2 && in->words[2] == 8) what = BYTE_TYPE;
  if (in->opcode == OP_TYPE_ARRAY && what_is(f, in, 2) == BYTE_TYPE) what = BYTES_TYPE;
  if (in->opcode == OP_TYPE_POINTER && what_is(f, in, 3) == BYTES_TYPE) what = POINTER_TYPE;
  if (in->opcode == OP_VARIABLE && what_is(f, in, 1) == POINTER_TYPE) {
    what = STRING;
    result = 2;
  }
  if (what && in->count > result && in->words[result] < f->bound) f->ids[in->words[result]] = what;
}

/* A format that is a pointer to an array is taken by newer validators only (SPIRV-Tools 2023.1 does not):
 * they are shown a number of which nothing is known. */
static void hide_format(const struct formats *f, uint32_t *words,
                        const struct mpl_spirv_instruction *in) {
  if (in->opcode != OP_EXT_INST || what_is(f, in, 5) != STRING ||
      what_is(f, in, 3) != OPENCL_STD || in->words[4] != OPENCL_STD_PRINTF)
    return;
  for (unsigned k = 3; k < in->count; k++) words[k] = 1 << 16 | OP_NOP;
  words[0] = 3 << 16 | OP_UNDEF;
}

void mpl_spirv_stand_in(uint32_t *words, size_t count) {
  struct mpl_spirv_binary binary;
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  mpl_spirv_open(&binary, words, count);
  struct formats f = {.bound = binary.bound < MOST_IDS ? binary.bound : MOST_IDS};
  f.ids = calloc(f.bound + 1, sizeof *f.ids);
  if (!f.ids) f.bound = 0;
  for (size_t at = place; mpl_spirv_next(&binary, &place, &in); at = place) {
    words[at] = (uint32_t)in.count << 16 | stand_in_of(in.opcode);
    note_type(&f, &in);
    hide_format(&f, words + at, &in);
  }
  free(f.ids);
}

const char *mpl_spirv_lacking_extension(const uint32_t *words, size_t count, uint32_t lacks) {
  struct mpl_spirv_binary binary;
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  mpl_spirv_open(&binary, words, count);
  while (mpl_spirv_next(&binary, &place, &in) &&
         (in.opcode == OP_CAPABILITY || in.opcode == OP_EXTENSION)) {
    const char *name = in.opcode == OP_EXTENSION ? text_of(&in, 1) : NULL;
    bool found = !name || is_hint_extension(name);
    for (size_t i = 0; !found && i < ARRAY_SIZE(extensions); i++)
      found = !strcmp(extensions[i].name, name) && !(extensions[i].needs & lacks);
    if (!found) return name;
  }
  return NULL;
}
