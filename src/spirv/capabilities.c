/* A module says what it needs before all else (SPIR-V specification, 2.4): what is not in the table
 * is refused by name, before an instruction of it is met. */
#include <string.h>

#include "reader.h"

static const struct {
  SpvCapability capability;
  const char *name;
} capabilities[] = {
#define MPL_SPIRV_CAPABILITY(name) {SpvCapability##name, #name},
#include "tables/spirv.def"
};

static const char *const extensions[] = {
#define MPL_SPIRV_EXTENSION(name) name,
#include "tables/spirv.def"
};

static void check_capability(uint32_t wanted) {
  for (unsigned i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
    if ((uint32_t)capabilities[i].capability == wanted) return;
  mpl_spirv_fail("the module needs the capability %s, which this device does not have",
                 mpl_spirv_capability_name(wanted));
}

static void check_extension(const char *wanted) {
  for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (!strcmp(extensions[i], wanted)) return;
  mpl_spirv_fail("the module needs the extension %s, which this device does not have", wanted);
}

void mpl_spirv_check_needs(mpl_spirv r) {
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  while (mpl_spirv_next(&r->binary, &place, &in) &&
         (in.opcode == SpvOpCapability || in.opcode == SpvOpExtension)) {
    if (in.opcode == SpvOpCapability)
      check_capability(mpl_spirv_word(&in, 1));
    else
      check_extension(mpl_spirv_text(&in, 1));
  }
}
