/* Address spaces.
 *
 * Global, constant and local memory are not the same: LLVM knows it of no processor whose addresses
 * are of one kind, but believes scopes.  So a sum in global memory, over what is in local memory,
 * can stay in a register while a loop runs.  Constant memory is global too, but nobody writes it
 * while a kernel runs (OpenCL C 3.0, 6.7.3). */
#include <string.h>

#include "compiler/passes.h"
#include "source.h"

enum { SPACES = 3, GENERIC = 4 };

/* A helper's pointer is a generic one since OpenCL C 2.0 (3.0, 6.7.5); in its kernel it is known
 * which it is.  Memory that each work-item has its own of is then an array of lanes (arrays.c). */
void mpl_infer_spaces(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) {
    bool generic = false;
    MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
      generic |= LLVMIsAAddrSpaceCastInst(i) && mpl_space_of(i) == GENERIC;
    }
    if (generic) mpl_ir_infer_spaces(kernel->group, GENERIC);
  }
}

static LLVMMetadataRef scope(LLVMContextRef c, LLVMMetadataRef domain, const char *name) {
  LLVMMetadataRef operands[] = {LLVMMDStringInContext2(c, name, strlen(name)), domain};
  return LLVMMDNodeInContext2(c, operands, 2);
}

void mpl_tell_spaces_apart(struct mpl_module_ir *ir) {
  static const char name[] = "maniple", *const names[SPACES] = {"global", "constant", "local"};
  LLVMMetadataRef text = LLVMMDStringInContext2(ir->context, name, sizeof name - 1),
                  domain = LLVMMDNodeInContext2(ir->context, &text, 1), scopes[SPACES],
                  own[SPACES], others[SPACES];
  for (unsigned k = 0; k < SPACES; k++) scopes[k] = scope(ir->context, domain, names[k]);
  for (unsigned k = 0; k < SPACES; k++) {
    LLVMMetadataRef rest[] = {scopes[(k + 1) % SPACES], scopes[(k + 2) % SPACES]};
    own[k] = LLVMMDNodeInContext2(ir->context, &scopes[k], 1);
    others[k] = LLVMMDNodeInContext2(ir->context, rest, 2);
  }
  MPL_EACH_KERNEL(kernel, ir) MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
    LLVMValueRef place = mpl_accessed_place(i);
    if (!place) continue;
    unsigned space = mpl_space_of(place);
    if (space < MPL_GLOBAL_SPACE || space > MPL_LOCAL_SPACE) continue;
    mpl_set_metadata(ir, i, "alias.scope", own[space - MPL_GLOBAL_SPACE]);
    mpl_set_metadata(ir, i, "noalias", others[space - MPL_GLOBAL_SPACE]);
  }
}
