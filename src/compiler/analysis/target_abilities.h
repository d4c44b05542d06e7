/* Single instructions that the built-in library asks for: its questions, and the answers for the model
 * (tables/targets.def). */
#ifndef MPL_COMPILER_TARGET_ABILITIES_H
#define MPL_COMPILER_TARGET_ABILITIES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum mpl_ability {
#define MPL_TARGET_ABILITY(name, ...) MPL_ABILITY_##name,
#include "tables/targets.def"
  MPL_NUM_ABILITIES
};
struct mpl_ability_question {
  const char *question, *function, *intrinsic;
};
extern const struct mpl_ability_question mpl_abilities[MPL_NUM_ABILITIES];
bool mpl_target_can(LLVMValueRef model, enum mpl_ability);

#endif
