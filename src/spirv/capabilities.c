/* A module lists its needs first (SPIR-V specification, 2.4): a feature that the device does not
 * have is refused by name, before any instruction that uses it. */
#include "hints.h"
#include "reader.h"
#include "runtime/device.h"

static const struct {
  uint32_t capability;
  uint32_t needs;
} capabilities[] = {
#define MPL_SPIRV_CAPABILITY(name, number, needs) {number, needs},
#include "tables/spirv.def"
};

#define MPL_SPIRV_CAPABILITY(name, number, needs)                                                  \
  _Static_assert((uint32_t)SpvCapability##name == (number), #name);
#include "tables/spirv.def"

static void check_capability(mpl_spirv r, uint32_t wanted) {
  for (unsigned i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
    if (capabilities[i].capability == wanted && !(capabilities[i].needs & r->lacks)) return;
  mpl_spirv_fail("the module needs the capability %s, which this device does not have",
                 mpl_spirv_capability_name(wanted));
}

void mpl_spirv_check_needs(mpl_spirv r) {
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  const char *extension = mpl_spirv_lacking_extension(r->binary.words, r->binary.count, r->lacks);
  if (extension)
    mpl_spirv_fail("the module needs the extension %s, which this device does not have", extension);
  while (mpl_spirv_next(&r->binary, &place, &in) &&
         (in.opcode == SpvOpCapability || in.opcode == SpvOpExtension))
    if (in.opcode == SpvOpCapability) check_capability(r, mpl_spirv_word(&in, 1));
}
