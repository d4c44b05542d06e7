/* Names of instructions and capabilities, for messages: SPIR-V's header as a table
 * (CMakeLists.txt). */
#include "reader.h"

#include <stdio.h>

struct row {
  unsigned number;
  const char *name;
};

static const struct row instructions[] = {
#define MPL_SPIRV_NAME(name) {SpvOp##name, "Op" #name},
#define MPL_SPIRV_CAPABILITY(name)
#include "names.def"
#undef MPL_SPIRV_NAME
#undef MPL_SPIRV_CAPABILITY
};
static const struct row capabilities[] = {
#define MPL_SPIRV_NAME(name)
#define MPL_SPIRV_CAPABILITY(name) {SpvCapability##name, #name},
#include "names.def"
#undef MPL_SPIRV_NAME
#undef MPL_SPIRV_CAPABILITY
};

static const char *find(const struct row *rows, unsigned count, unsigned number) {
  static char text[16];
  for (unsigned i = 0; i < count; i++)
    if (rows[i].number == number) return rows[i].name;
  snprintf(text, sizeof text, "number %u", number);
  return text;
}

const char *mpl_spirv_op_name(unsigned opcode) {
  return find(instructions, sizeof instructions / sizeof *instructions, opcode);
}

const char *mpl_spirv_capability_name(unsigned capability) {
  return find(capabilities, sizeof capabilities / sizeof *capabilities, capability);
}
