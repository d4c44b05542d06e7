/* Only a kernel knows the ids of its work-items, so what asks for them is inlined (inline.c).  A
 * function that is noinline, and that asks for ids and sizes only, gets what it asks for as
 * arguments instead, and with it the functions that it calls: programs of thousands of lines, whose
 * authors say where they are cut, would else be one kernel each time. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/analysis/map.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "source.h"

/* A call of a function of the built-in library: its result is the same wherever a work-item asks.
 */
struct question {
  LLVMValueRef function, argument; /* a constant, or null: it takes none */
};
enum { MOST_QUESTIONS = 64 };

struct user {
  LLVMValueRef function;
  bool must;       /* be inlined */
  bool handed;     /* arguments */
  uint64_t asks;   /* questions, with those of what it calls */
  unsigned *calls; /* other users */
  size_t num_calls;
};

struct handing {
  struct mpl_module_ir *ir;
  struct mpl_map indices;   /* function -> its user, + 1 */
  struct mpl_map questions; /* function -> 1: it is none; 2: it is one */
  struct user *users;
  unsigned num_users, num_questions;
  struct question list[MOST_QUESTIONS];
};

/* --- questions --- */

static bool is_integer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

static bool tells_place(LLVMValueRef i) {
  const struct mpl_marker_row *row = mpl_marker_row(i);
  bool is_place =
      row->kind == MPL_KIND_LOCAL_ID || row->kind == MPL_KIND_ID || row->kind == MPL_KIND_PARAMETER;
  return is_place && row->scope != MPL_SCOPE_LANES;
}

/* Does a function of the library nothing but ask for the place? */
static bool is_question(struct handing *h, LLVMValueRef function) {
  uintptr_t known = mpl_map_get(&h->questions, function, 0);
  if (known) return known == 2;
  mpl_map_set(&h->questions, function, 1);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  bool good = is_integer(LLVMGetReturnType(type)) && count < 2 && !LLVMIsDeclaration(function) &&
              (!count || is_integer(LLVMTypeOf(LLVMGetParam(function, 0))));
  bool asks = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef callee = mpl_callee_of(i);
    if (mpl_marker_of(i)) {
      good = good && tells_place(i);
      asks = true;
    } else if (callee && good && !LLVMIsDeclaration(callee)) {
      good = is_question(h, callee);
      asks = true;
    } else {
      good = good && !LLVMIsAStoreInst(i) && (!LLVMIsACallInst(i) || !mpl_has_effect(i));
    }
  }
  mpl_map_set(&h->questions, function, good && asks ? 2 : 1);
  return good && asks;
}

/* The number of what a call asks; -1: it is no question whose answer can be handed on. */
static int question_of(struct handing *h, LLVMValueRef call) {
  LLVMValueRef function = mpl_callee_of(call);
  if (!function || !is_question(h, function)) return -1;
  LLVMValueRef argument = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  if (argument && !LLVMIsAConstantInt(argument)) return -1;
  for (unsigned k = 0; k < h->num_questions; k++)
    if (h->list[k].function == function && h->list[k].argument == argument) return (int)k;
  if (h->num_questions == MOST_QUESTIONS) return -1;
  h->list[h->num_questions] = (struct question){function, argument};
  return (int)h->num_questions++;
}

/* --- who asks --- */

static void note_call(struct handing *h, struct user *user, LLVMValueRef call) {
  LLVMValueRef callee = mpl_callee_of(call);
  int question = question_of(h, call);
  if (question >= 0) {
    user->asks |= UINT64_C(1) << question;
    return;
  }
  user->must |= mpl_marker_of(call) != MPL_NO_MARKER;
  uintptr_t index = callee ? mpl_map_get(&h->indices, callee, 0) : 0;
  if (!index) return;
  MPL_APPEND(user->calls, user->num_calls) = (unsigned)index - 1;
}

static void find_users(struct handing *h) {
  unsigned count = 0;
  MPL_EACH_FUNCTION(f, h->ir->module) count++;
  h->users = mpl_allocate(count, sizeof *h->users);
  MPL_EACH_FUNCTION(f, h->ir->module) {
    if (LLVMIsDeclaration(f)) continue;
    h->users[h->num_users++].function = f;
    mpl_map_set(&h->indices, f, h->num_users);
  }
  for (unsigned k = 0; k < h->num_users; k++) {
    MPL_EACH_INSTRUCTION_OF(i, h->users[k].function) {
      if (LLVMIsACallInst(i)) note_call(h, &h->users[k], i);
    }
  }
}

static bool is_called_only(LLVMValueRef function) {
  MPL_EACH_USER(user, function) {
    if (mpl_callee_of(user) != function ||
        LLVMGetCalledFunctionType(user) != LLVMGlobalGetValueType(function))
      return false;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(user); k++)
      if (LLVMGetOperand(user, k) == function) return false;
  }
  return true;
}

/* `needed`: what has other reasons to be inlined than that it asks or calls who does. */
static void find_musts(struct handing *h, struct mpl_map *needed) {
  MPL_EACH_KERNEL(kernel, h->ir) {
    const LLVMValueRef of_kernel[] = {kernel->source, kernel->group};
    for (unsigned n = 0; n < 2; n++) {
      uintptr_t index = mpl_map_get(&h->indices, of_kernel[n], 0);
      if (index) h->users[index - 1].must = true;
    }
  }
  for (unsigned k = 0; k < h->num_users; k++)
    h->users[k].must |= mpl_map_has(needed, h->users[k].function);
  for (bool again = true; again;) {
    again = false;
    for (unsigned k = 0; k < h->num_users; k++) {
      struct user *user = &h->users[k];
      struct user before = *user;
      for (size_t n = 0; n < user->num_calls; n++) {
        user->must |= h->users[user->calls[n]].must;
        user->asks |= h->users[user->calls[n]].asks;
      }
      again |= user->must != before.must || user->asks != before.asks;
    }
  }
}

/* Of those that stay calls, and of what they call; false if one of them cannot be. */
static bool choose(struct handing *h) {
  bool any = false, good = true;
  for (unsigned k = 0; k < h->num_users; k++) {
    struct user *user = &h->users[k];
    user->handed = !user->must && user->asks && mpl_has_attribute(user->function, "noinline");
    any |= user->handed;
  }
  for (bool again = any; again;) {
    again = false;
    for (unsigned k = 0; k < h->num_users; k++)
      for (size_t n = 0; h->users[k].handed && n < h->users[k].num_calls; n++) {
        struct user *callee = &h->users[h->users[k].calls[n]];
        if (!callee->asks || callee->handed) continue;
        callee->handed = again = true;
      }
  }
  for (unsigned k = 0; k < h->num_users; k++)
    good &= !h->users[k].handed || is_called_only(h->users[k].function);
  return any && good;
}

/* --- the change --- */

static void copy_attributes(LLVMValueRef to, LLVMValueRef from, unsigned params) {
  mpl_take_attributes(to, from, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  for (unsigned at = 0; at <= params; at++) mpl_take_attributes(to, from, at);
}

/* The same function with more parameters, in its place but for its calls. */
static LLVMValueRef with_answers(struct handing *h, struct user *user) {
  LLVMValueRef old = user->function;
  LLVMTypeRef type = LLVMGlobalGetValueType(old);
  unsigned count = LLVMCountParams(old), total = count;
  MPL_ARRAY(LLVMTypeRef, types, count + MOST_QUESTIONS);
  LLVMGetParamTypes(type, types);
  for (unsigned q = 0; q < h->num_questions; q++)
    if (user->asks >> q & 1)
      types[total++] = LLVMGetReturnType(LLVMGlobalGetValueType(h->list[q].function));
  LLVMValueRef new = LLVMAddFunction(
      h->ir->module, "", LLVMFunctionType(LLVMGetReturnType(type), types, total, false));
  LLVMSetLinkage(new, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(new, LLVMGetFunctionCallConv(old));
  copy_attributes(new, old, count);
  LLVMSetSubprogram(new, LLVMGetSubprogram(old));
  LLVMSetSubprogram(old, NULL);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(old); b; b = LLVMGetFirstBasicBlock(old)) {
    LLVMRemoveBasicBlockFromParent(b);
    LLVMAppendExistingBasicBlock(new, b);
  }
  for (unsigned k = 0; k < count; k++)
    LLVMReplaceAllUsesWith(LLVMGetParam(old, k), LLVMGetParam(new, k));
  return new;
}

/* In the caller: its own argument, or a question of its own. */
static LLVMValueRef answer_in(struct handing *h, LLVMBuilderRef b, LLVMValueRef caller,
                              unsigned question) {
  uintptr_t index = mpl_map_get(&h->indices, caller, 0);
  const struct question *q = &h->list[question];
  LLVMTypeRef type = LLVMGlobalGetValueType(q->function);
  struct user *user = index ? &h->users[index - 1] : NULL;
  if (!user || !user->handed) {
    LLVMValueRef arguments[] = {q->argument};
    return LLVMBuildCall2(b, type, q->function, arguments, q->argument != NULL, "");
  }
  unsigned at = LLVMCountParams(caller);
  for (unsigned k = question; k < h->num_questions; k++) at -= user->asks >> k & 1;
  return LLVMGetParam(caller, at);
}

static void call_with_answers(struct handing *h, LLVMBuilderRef b, LLVMValueRef call,
                              const struct user *callee, LLVMValueRef function) {
  unsigned count = LLVMGetNumArgOperands(call), total = count;
  MPL_ARRAY(LLVMValueRef, arguments, count + MOST_QUESTIONS);
  LLVMPositionBuilderBefore(b, call);
  for (unsigned k = 0; k < count; k++) arguments[k] = LLVMGetOperand(call, k);
  for (unsigned q = 0; q < h->num_questions; q++)
    if (callee->asks >> q & 1) arguments[total++] = answer_in(h, b, mpl_function_of(call), q);
  LLVMValueRef new =
      LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, total, "");
  copy_attributes(new, call, count);
  LLVMSetInstructionCallConv(new, LLVMGetInstructionCallConv(call));
  if (LLVMCanValueUseFastMathFlags(call)) LLVMSetFastMathFlags(new, LLVMGetFastMathFlags(call));
  mpl_replace(call, new);
}

/* Its calls, and then itself. */
static void replace(struct handing *h, LLVMBuilderRef b, const struct user *user,
                    LLVMValueRef old) {
  for (LLVMUseRef use = LLVMGetFirstUse(old); use; use = LLVMGetFirstUse(old))
    call_with_answers(h, b, LLVMGetUser(use), user, user->function);
  mpl_ir_take_name(user->function, old);
  LLVMDeleteFunction(old);
}

static void answer_own(struct handing *h, LLVMBuilderRef b, const struct user *user) {
  MPL_EACH_INSTRUCTION_OF(i, user->function) {
    int question = LLVMIsACallInst(i) ? question_of(h, i) : -1;
    if (question < 0) continue;
    LLVMPositionBuilderBefore(b, i);
    mpl_replace(i, answer_in(h, b, user->function, (unsigned)question));
  }
}

void mpl_hand_ids(struct mpl_module_ir *ir, struct mpl_map *needed) {
  struct handing h = {.ir = ir};
  MPL_BUILDER(b, ir->context);
  find_users(&h);
  find_musts(&h, needed);
  if (choose(&h)) {
    MPL_ARRAY(LLVMValueRef, old, h.num_users);
    for (unsigned k = 0; k < h.num_users; k++) {
      if (!h.users[k].handed) continue;
      old[k] = h.users[k].function;
      h.users[k].function = with_answers(&h, &h.users[k]);
      mpl_map_set(&h.indices, h.users[k].function, k + 1);
    }
    for (unsigned k = 0; k < h.num_users; k++)
      if (h.users[k].handed) answer_own(&h, b, &h.users[k]);
    for (unsigned k = 0; k < h.num_users; k++)
      if (h.users[k].handed) replace(&h, b, &h.users[k], old[k]);
  }
  for (unsigned k = 0; k < h.num_users; k++) free(h.users[k].calls);
  free(h.users);
  mpl_map_free(&h.indices);
  mpl_map_free(&h.questions);
}
