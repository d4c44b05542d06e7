/* SPIR-V modules, as the run time reads them: it asks for specialisation constants before anybody
 * has looked whether the module is valid, and takes hints out before it asks. */
#include "spirv/hints.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *why;
  struct mpl_spirv_binary binary;
  struct mpl_spirv_instruction instruction;
  size_t place = MPL_SPIRV_HEADER;
  uint32_t sum = 0;
  mpl_spirv_is(data, size);
  uint32_t *words = mpl_spirv_copy(data, size, &why);
  if (!words) return 0;
  mpl_spirv_open(&binary, words, size / sizeof *words);
  while (mpl_spirv_next(&binary, &place, &instruction))
    for (unsigned i = 0; i < instruction.count; i++) sum += instruction.words[i];
  MUST(mpl_spirv_constant_size(&binary, sum) <= 8);
  for (uint32_t number = 0; number < 4; number++)
    MUST(mpl_spirv_constant_size(&binary, number) <= 8);
  /* What remains without hints is as whole as it was, and without hints. */
  mpl_spirv_lacking_extension(words, size / sizeof *words, 0);
  size_t count = mpl_spirv_drop_hints(words, size / sizeof *words);
  MUST(count <= size / sizeof *words);
  mpl_spirv_open(&binary, words, count);
  for (place = MPL_SPIRV_HEADER; mpl_spirv_next(&binary, &place, &instruction);)
    MUST(instruction.count && place <= count);
  MUST(mpl_spirv_drop_hints(words, count) == count);
  free(words);
  return 0;
}
