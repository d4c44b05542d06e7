/* Finds the functions and variables that the kernels of a host module reach, and copies them. */
#include "extract.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/source/source.h"

/* --- Reachable functions and variables --- */

struct walk {
  struct mpl_extract *part;
  LLVMValueRef *functions; /* to look into */
  size_t count;
};

/* A constant whose bytes are known here and lead to nothing else. */
static bool is_plain(LLVMValueRef constant) {
  if (LLVMIsAGlobalValue(constant) || LLVMIsABlockAddress(constant)) return false;
  for (int i = 0; i < LLVMGetNumOperands(constant); i++)
    if (!is_plain(LLVMGetOperand(constant, (unsigned)i))) return false;
  return true;
}

static bool may_be_replaced(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage ||
         linkage == LLVMCommonLinkage || linkage == LLVMExternalWeakLinkage;
}

static void reach(struct walk *walk, LLVMValueRef value);

static void reach_global(struct walk *walk, LLVMValueRef global) {
  struct mpl_extract *part = walk->part;
  if (!mpl_map_add(&part->visited, global)) return;
  if (LLVMIsAFunction(global)) {
    if (LLVMIsDeclaration(global) || may_be_replaced(global)) return;
    mpl_map_set(&part->copied, global, 1);
    MPL_APPEND(walk->functions, walk->count) = global;
  } else if (LLVMIsAGlobalVariable(global) && LLVMIsGlobalConstant(global) &&
             !LLVMIsThreadLocal(global) && !LLVMIsDeclaration(global) && !may_be_replaced(global) &&
             (part->alone || is_plain(LLVMGetInitializer(global)))) {
    mpl_map_set(&part->copied, global, 1);
    if (part->alone) reach(walk, LLVMGetInitializer(global));
  }
}

static void reach(struct walk *walk, LLVMValueRef value) {
  if (LLVMIsAGlobalValue(value)) {
    reach_global(walk, value);
  } else if (LLVMIsAConstant(value)) {
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
      reach(walk, LLVMGetOperand(value, (unsigned)i));
  }
}

static void reach_block(struct walk *walk, LLVMBasicBlockRef block) {
  MPL_EACH_INSTRUCTION(i, block) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
      LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
      if (!LLVMValueIsBasicBlock(operand)) reach(walk, operand);
    }
  }
}

/* Depth first over the blocks, not by the ways of exceptions. */
static void reach_function(struct walk *walk, LLVMValueRef function) {
  MPL_MAP(seen);
  MPL_LIST(LLVMBasicBlockRef, stack);
  size_t depth = 0;
  MPL_APPEND(stack, depth) = LLVMGetEntryBasicBlock(function);
  while (depth) {
    LLVMBasicBlockRef block = stack[--depth];
    if (!mpl_map_add(&seen, block)) continue;
    reach_block(walk, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned count = LLVMIsAInvokeInst(end) ? 1 : LLVMGetNumSuccessors(end); /* 0: the normal one */
    for (unsigned s = 0; s < count; s++) MPL_APPEND(stack, depth) = LLVMGetSuccessor(end, s);
  }
}

/* --- Names under which copy and host agree --- */

static void hide(struct mpl_extract *part, LLVMValueRef global, const char *name) {
  size_t length;
  const char *old = LLVMGetValueName2(global, &length);
  char *kept = strndup(old, length);
  if (!kept) abort();
  MPL_APPEND(part->hidden, part->num_hidden) = (struct mpl_hidden){global, kept, LLVMGetLinkage(global)};
  LLVMSetValueName2(global, name, strlen(name));
  LLVMSetLinkage(global, LLVMExternalLinkage);
}

static bool is_local(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static void hide_all(struct mpl_extract *part) {
  char name[256];
  for (LLVMValueRef g = LLVMGetFirstGlobal(part->host); g; g = LLVMGetNextGlobal(g)) {
    if (!mpl_map_has(&part->visited, g) || !is_local(g)) continue;
    /* Alone, messages have the variable's own. */
    snprintf(name, sizeof name, MPL_EXTRACT_SHARED "%zu%s%.200s", part->num_hidden,
             part->alone ? "." : "", part->alone ? LLVMGetValueName(g) : "");
    hide(part, g, name);
  }
  if (part->alone) return;
  LLVMValueRef print = LLVMGetNamedFunction(part->host, "printf");
  if (print && LLVMIsDeclaration(print)) hide(part, print, MPL_EXTRACT_SHARED "printf");
}

void mpl_extract_find(struct mpl_extract *part, LLVMModuleRef host,
                      const struct mpl_records *records, bool alone) {
  *part = (struct mpl_extract){.host = host, .alone = alone};
  struct walk walk = {.part = part};
  for (unsigned i = 0; i < records->count; i++) reach(&walk, records->list[i].item);
  for (size_t i = 0; i < walk.count; i++) reach_function(&walk, walk.functions[i]);
  free(walk.functions);
  hide_all(part);
}

void mpl_extract_free(struct mpl_extract *part) {
  for (size_t i = 0; i < part->num_hidden; i++) {
    struct mpl_hidden *h = &part->hidden[i];
    LLVMSetValueName2(h->global, h->name, strlen(h->name));
    LLVMSetLinkage(h->global, h->linkage);
    free(h->name);
  }
  free(part->hidden);
  mpl_map_free(&part->copied);
  mpl_map_free(&part->visited);
}

/* --- The copy --- */

static bool is_copied(LLVMValueRef global, void *data) {
  struct mpl_extract *part = data;
  return mpl_map_has(&part->copied, global);
}

static void drop_unused(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (LLVMIsDeclaration(f) && !LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (!LLVMGetFirstUse(g)) LLVMDeleteGlobal(g);
  }
}

static bool forbids_unrolling(LLVMValueRef loop) {
  static const char text[] = "llvm.loop.unroll.disable";
  LLVMValueRef properties[32], name;
  unsigned count = LLVMGetMDNodeNumOperands(loop), length;
  if (count > 32) return false;
  LLVMGetMDNodeOperands(loop, properties);
  for (unsigned i = 1; i < count; i++) {
    if (!LLVMIsAMDNode(properties[i]) || !LLVMGetMDNodeNumOperands(properties[i])) continue;
    if (LLVMGetMDNodeNumOperands(properties[i]) > 1) continue;
    LLVMGetMDNodeOperands(properties[i], &name);
    const char *found = name ? LLVMGetMDString(name, &length) : NULL;
    if (found && length == sizeof text - 1 && !memcmp(found, text, length)) return true;
  }
  return false;
}

/* At -O1 clang writes at every loop that it is not to be unrolled.  Those over the dimensions of an
 * id have to be: they stand between the ids and the passes. */
static void allow_unrolling(LLVMValueRef function, unsigned kind) {
  MPL_EACH_BLOCK(block, function) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), loop = LLVMGetMetadata(end, kind);
    if (loop && forbids_unrolling(loop)) LLVMSetMetadata(end, kind, NULL);
  }
}

/* --- mpl_local of <maniple/group.h> --- */

/* By kernels and the functions that they call. */
static bool is_used_by_copied(struct mpl_extract *part, LLVMValueRef value) {
  MPL_EACH_USER(user, value) {
    if (LLVMIsAInstruction(user)
            ? !mpl_map_has(&part->copied, mpl_function_of(user))
            : !LLVMIsAConstantExpr(user) || !is_used_by_copied(part, user))
      return false;
  }
  return true;
}

/* Nobody hears of what it holds when no kernel runs, and it begins with nothing. */
static bool is_of_group(struct mpl_extract *part, LLVMValueRef copy) {
  for (size_t i = 0; i < part->num_hidden; i++) {
    const struct mpl_hidden *h = &part->hidden[i];
    if (strcmp(LLVMGetValueName(h->global), LLVMGetValueName(copy)) != 0) continue;
    LLVMValueRef value = LLVMGetInitializer(h->global);
    if (part->alone && mpl_is_group_place(h->global)) return true;
    return h->linkage == LLVMInternalLinkage && value && LLVMIsNull(value) &&
           is_used_by_copied(part, h->global);
  }
  return false;
}

static void mark_local(LLVMValueRef variable) {
  LLVMSetThreadLocalMode(variable, LLVMNotThreadLocal);
  LLVMSetSection(variable, MPL_LOCAL_SECTION);
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
    LLVMValueRef call = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (!mpl_calls(call, "llvm.threadlocal.address")) continue;
    mpl_replace(call, variable);
    next = LLVMGetFirstUse(variable); /* the list has changed */
  }
}

static void mark_locals(struct mpl_extract *part, LLVMModuleRef copy) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(copy); g; g = LLVMGetNextGlobal(g))
    if (LLVMIsThreadLocal(g) && is_of_group(part, g)) mark_local(g);
}

LLVMModuleRef mpl_extract_copy(struct mpl_extract *part, bool local_variables) {
  /* Kernels are for speed: loops over the dimensions of an id have to be unrolled under -Os too. */
  static const char *const dropped[] = {"noinline", "optnone", "convergent", "optsize", "minsize"};
  LLVMModuleRef copy = mpl_ir_copy_part(part->host, is_copied, part);
  MPL_EACH_FUNCTION(f, copy) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetComdat(f, NULL);
    mpl_ir_drop_unwinding(f);
    allow_unrolling(f, LLVMGetMDKindIDInContext(LLVMGetModuleContext(copy), "llvm.loop", 9));
    for (unsigned i = 0; i < sizeof dropped / sizeof *dropped; i++)
      mpl_drop_attribute(f, dropped[i]);
    mpl_add_attribute(f, "alwaysinline");
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(copy); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g)) continue;
    LLVMSetLinkage(g, part->alone ? LLVMInternalLinkage : LLVMAvailableExternallyLinkage);
    LLVMSetComdat(g, NULL);
  }
  if (local_variables) mark_locals(part, copy);
  drop_unused(copy);
  return copy;
}
