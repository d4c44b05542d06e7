/* Objects of program scope in C++ (OpenCL C++ 1.0, section 2.5.2.1; OpenCL 3.0 API, section 5.8.1):
 * what constructs them becomes one kernel, what destroys them another, which the run time runs with
 * one work-item when the program is loaded and before it is unloaded.  Being kernels they may ask
 * for sizes and ids.
 *
 * clang lists the constructors in llvm.global_ctors, and hands the destructor of each object that
 * has been constructed to atexit, as a function __dtor_OBJECT. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/passes.h"
#include "compiler/plugin.h"
#include "source.h"

static const char stub_prefix[] = "__dtor_", initialiser_prefix[] = "__cxx_global_var_init";

/* A kernel without parameters, entered and not ended; the attributes are those of `like`. */
static LLVMValueRef add_kernel(struct mpl_module_ir *ir, const char *name, LLVMValueRef like,
                               LLVMBuilderRef b) {
  LLVMValueRef kernel = mpl_begin_function(ir->module, b, name, ir->void_type, NULL, 0);
  LLVMSetFunctionCallConv(kernel, MPL_SPIR_KERNEL);
  mpl_copy_attributes(kernel, like);
  return kernel;
}

static void call(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef function) {
  LLVMValueRef made = mpl_call(b, function, ir->void_type, NULL, 0);
  LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(function));
}

/* --- Constructors --- */

struct entry {
  uint64_t priority;
  unsigned place;
  LLVMValueRef function;
};

static int compare(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* LLVM's list, which goes away, becomes calls in its order. */
static bool add_constructors(struct mpl_module_ir *ir) {
  LLVMValueRef list = LLVMGetNamedGlobal(ir->module, "llvm.global_ctors");
  if (!list) return false;
  LLVMValueRef values = LLVMGetInitializer(list);
  unsigned count = LLVMIsAConstantArray(values) ? (unsigned)LLVMGetNumOperands(values) : 0;
  MPL_ARRAY(struct entry, entries, count);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetOperand(values, i);
    entries[i] = (struct entry){LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0)), i,
                                LLVMIsAFunction(LLVMGetOperand(entry, 1))};
  }
  LLVMDeleteGlobal(list);
  qsort(entries, count, sizeof *entries, compare);
  MPL_BUILDER(b, ir->context);
  LLVMValueRef kernel = NULL;
  for (unsigned i = 0; i < count; i++) {
    if (!entries[i].function) continue;
    if (!kernel) kernel = add_kernel(ir, MPL_CONSTRUCT, entries[i].function, b);
    mpl_ir_expand_constants(entries[i].function); /* the list's entry is no use of it any more */
    LLVMSetFunctionCallConv(entries[i].function, LLVMCCallConv); /* clang's form is a kernel's */
    call(ir, b, entries[i].function);
  }
  if (kernel) LLVMBuildRetVoid(b);
  return true;
}

/* --- Destructors --- */

/* Where address spaces have numbers clang 19 calls the destructor of a null pointer; the stub's
 * name tells the object. */
static void give_object(LLVMModuleRef module, LLVMValueRef stub, LLVMValueRef object) {
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  MPL_EACH_INSTRUCTION_OF(i, stub) {
    LLVMValueRef destructor = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!destructor || !LLVMIsAFunction(destructor) || LLVMGetNumArgOperands(i) != 1 ||
        !LLVMIsAConstantPointerNull(LLVMGetOperand(i, 0)))
      continue;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(destructor, 0));
    LLVMValueRef argument = object;
    if (LLVMGetPointerAddressSpace(type) != mpl_space_of(object))
      argument = LLVMConstAddrSpaceCast(object, type);
    LLVMPositionBuilderBefore(b, i);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(destructor), destructor, &argument, 1, "");
    LLVMInstructionEraseFromParent(i);
  }
}

/* Tables of virtual bases are cast to another address space as if it were the same. */
static void mend_casts(LLVMValueRef constant) {
  MPL_EACH_USER(user, constant) {
    if (!LLVMIsAConstantExpr(user)) continue;
    if (LLVMGetConstOpcode(user) != LLVMBitCast)
      mend_casts(user);
    else if (LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind)
      LLVMReplaceAllUsesWith(user, LLVMConstAddrSpaceCast(constant, LLVMTypeOf(user)));
  }
}

/* clang stores a variable's first value at line 0; the end of the function that does it has the
 * place. */
static void give_place(LLVMValueRef initialiser) {
  LLVMBasicBlockRef last = LLVMGetLastBasicBlock(initialiser);
  LLVMMetadataRef end = LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(last));
  if (!end) return;
  MPL_EACH_INSTRUCTION_OF(i, initialiser) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
    if (place && !LLVMDILocationGetLine(place)) LLVMInstructionSetDebugLoc(i, end);
  }
}

/* A block's kernel is __FUNCTION_block_invoke_kernel, or with a number behind `invoke`: names that
 * begin so are not the program's. */
static bool is_of_block(const char *name) {
  const char *invoke = strstr(name, "_block_invoke"), *end = strrchr(name, '_');
  return mpl_begins(name, "__") && invoke && !strcmp(end, "_kernel");
}

bool mpl_mend_front_end(LLVMModuleRef module) {
  bool changed = false;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (mpl_begins(LLVMGetValueName(g), "_ZTT")) {
      mend_casts(g);
      changed = true;
    }
  MPL_EACH_FUNCTION(f, module) {
    const char *name = LLVMGetValueName(f);
    changed |= mpl_use_one_convention(f);
    if (LLVMIsDeclaration(f)) continue;
    if (mpl_begins(name, initialiser_prefix)) give_place(f);
    if (LLVMGetFunctionCallConv(f) == MPL_SPIR_KERNEL && is_of_block(name) &&
        LLVMGetLinkage(f) == LLVMExternalLinkage) {
      LLVMSetLinkage(f, LLVMInternalLinkage); /* of a static function's block, as that function */
      changed = true;
    }
    if (!mpl_begins(name, stub_prefix)) continue;
    LLVMValueRef object = LLVMGetNamedGlobal(module, name + sizeof stub_prefix - 1);
    if (!object) continue;
    give_object(module, f, object);
    changed = true;
  }
  return changed;
}

bool mpl_mend_objects(struct mpl_module_ir *ir) {
  bool mended = mpl_mend_front_end(ir->module);
  return mpl_unite_kernels(ir) || mended;
}

/* In place of a call of atexit: a variable says that the object is there. */
static LLVMValueRef note(struct mpl_module_ir *ir, LLVMValueRef registration) {
  LLVMValueRef zero = LLVMConstInt(ir->i8, 0, false);
  LLVMValueRef flag = mpl_add_global(ir->module, zero, "mpl.constructed", LLVMInternalLinkage, false);
  MPL_BUILDER(b, ir->context);
  LLVMPositionBuilderBefore(b, registration);
  LLVMBuildStore(b, LLVMConstInt(ir->i8, 1, false), flag);
  mpl_replace(registration, LLVMConstInt(LLVMTypeOf(registration), 0, false));
  return flag;
}

struct destruction {
  LLVMValueRef stub, flag;
};

/* All that would be destroyed at the end of a process, in the order of the functions that register
 * it. */
static size_t find_destructions(struct mpl_module_ir *ir, struct destruction **list) {
  size_t count = 0;
  LLVMValueRef at_exit = LLVMGetNamedFunction(ir->module, "atexit");
  if (!at_exit || !LLVMIsDeclaration(at_exit)) return 0;
  MPL_EACH_FUNCTION(f, ir->module) {
    MPL_EACH_INSTRUCTION_OF(i, f) {
      if (!LLVMIsACallInst(i) || LLVMGetCalledValue(i) != at_exit) continue;
      LLVMValueRef stub = LLVMIsAFunction(LLVMGetOperand(i, 0));
      if (!stub || !mpl_begins(LLVMGetValueName(stub), stub_prefix))
        continue; /* the program's own call, of a function that is not there (check.c) */
      MPL_APPEND(*list, count) = (struct destruction){stub, note(ir, i)};
    }
  }
  return count;
}

static void call_if(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef kernel,
                    const struct destruction *d) {
  LLVMBasicBlockRef destroy = LLVMAppendBasicBlockInContext(ir->context, kernel, "destroy");
  LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(ir->context, kernel, "next");
  LLVMValueRef flag = LLVMBuildLoad2(b, ir->i8, d->flag, "");
  LLVMValueRef none = LLVMConstInt(ir->i8, 0, false);
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, flag, none, ""), destroy, next);
  LLVMPositionBuilderAtEnd(b, destroy);
  call(ir, b, d->stub);
  mpl_go_on_in(b, next);
}

static bool add_destructors(struct mpl_module_ir *ir) {
  MPL_LIST(struct destruction, list);
  size_t count = find_destructions(ir, &list);
  if (count) {
    MPL_BUILDER(b, ir->context);
    LLVMValueRef kernel = add_kernel(ir, MPL_DESTRUCT, list[0].stub, b);
    for (size_t i = count; i--;) call_if(ir, b, kernel, &list[i]);
    LLVMBuildRetVoid(b);
  }
  return count > 0;
}

bool mpl_find_lifetimes(struct mpl_module_ir *ir) {
  bool constructors = add_constructors(ir);
  return add_destructors(ir) || constructors;
}
