/* Kernels as a GPU runs them: for each an entry function,
 *
 *   void NAME(by value: struct mpl_gpu_launch and the argument block) {
 *     struct mpl_group group = {from the processor's registers};
 *     mpl_group.NAME(&the parameter, &group);
 *   }
 *
 * into which the group function, here one of one work-item, is inlined.  The markers of places and of
 * the barrier become registers and instructions. */
#include <string.h>

#include "abi/gpu.h"
#include "abi/spir.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "gpu.h"

enum {
  /* Two halves of 32 results of 8 bytes each, and 16 bytes for what one sub-group combines of each
   * half (builtins/nvptx/group.h). */
  SCRATCH = 2 * 32 * 8 + 2 * 16,
  /* Two halves of operands of large groups (builtins/nvptx/group_staged.h). */
  STAGE = 2 * 2304,
};

struct entry {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef dynamic, scratch, stage; /* variables of shared memory; null until somebody asks */
  LLVMValueRef phase;            /* of the kernel at hand */
};

/* A register of a dimension; as 64 bits.  LLVM 21 knows the most that a processor has there, but a deep group has
 * more in z (cuda/specialise.c). */
static LLVMValueRef reg(struct entry *e, const char *name, unsigned dimension) {
  char full[64] = "llvm.nvvm.read.ptx.sreg.";
  strcat(strcat(full, name), (const char *const[]){".x", ".y", ".z"}[dimension]);
  LLVMValueRef call = mpl_call_intrinsic(e->b, full, NULL, NULL, 0);
  LLVMRemoveEnumAttributeAtIndex(LLVMGetCalledValue(call), LLVMAttributeReturnIndex, mpl_enum_attribute("range"));
  return call;
}
static LLVMValueRef place(struct entry *e, const char *name, unsigned dimension) {
  return LLVMBuildZExt(e->b, reg(e, name, dimension), e->ir->i64, "");
}

static LLVMValueRef linear_id(struct entry *e) {
  LLVMValueRef id = place(e, "tid", 2);
  for (int d = 1; d >= 0; d--) {
    id = LLVMBuildMul(e->b, id, place(e, "ntid", d), "");
    id = LLVMBuildAdd(e->b, id, place(e, "tid", d), "");
  }
  return id;
}

/* Work-items of the own sub-group: the last may be short. */
static LLVMValueRef lanes_here(struct entry *e, uint64_t size) {
  LLVMValueRef items = place(e, "ntid", 0);
  items = LLVMBuildMul(e->b, items, place(e, "ntid", 1), "");
  items = LLVMBuildMul(e->b, items, place(e, "ntid", 2), "");
  LLVMValueRef first = LLVMBuildAnd(e->b, linear_id(e), mpl_const64(e->ir, ~(size - 1)), "");
  LLVMValueRef rest = LLVMBuildSub(e->b, items, first, ""), full = mpl_const64(e->ir, size);
  LLVMValueRef is_short = LLVMBuildICmp(e->b, LLVMIntULT, rest, full, "");
  return LLVMBuildTrunc(e->b, LLVMBuildSelect(e->b, is_short, rest, full, ""), e->ir->i32, "");
}

static LLVMValueRef shared_variable(struct entry *e, LLVMValueRef *known, const char *name,
                                    uint64_t size, unsigned align) {
  if (*known) return *known;
  LLVMTypeRef type = LLVMArrayType2(e->ir->i8, size);
  *known = LLVMAddGlobalInAddressSpace(e->ir->module, type, name, MPL_LOCAL_SPACE);
  LLVMSetAlignment(*known, align);
  if (!size) return *known; /* dynamic: as large as the launch says */
  LLVMSetInitializer(*known, LLVMGetUndef(type));
  LLVMSetLinkage(*known, LLVMInternalLinkage);
  return *known;
}

/* Which half of the scratch memory the next collective uses: the same in all work-items, since all
 * meet each collective. */
static LLVMValueRef phase(struct entry *e, LLVMValueRef group) {
  if (e->phase) return e->phase;
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(group));
  MPL_BUILDER(b, e->ir->context);
  LLVMPositionBuilderBefore(b, first);
  e->phase = LLVMBuildAlloca(b, e->ir->i32, "phase");
  LLVMBuildStore(b, mpl_const32(e->ir, 0), e->phase);
  return e->phase;
}

/* The processors made for computing have units for products of matrices of doubles: compute capability
 * 8.0 and 9.0, whose code later ones run too. */
static bool has_matrices(const struct mpl_ir_kernel *kernel) {
  const char *cpu = mpl_attribute_value(kernel->group, "target-cpu");
  return !strcmp(cpu, "sm_80") || !strcmp(cpu, "sm_90");
}

/* Of all work-items of the group; LLVM 21 has another name for it, and asks for the barrier's number. */
static LLVMValueRef barrier(struct entry *e) {
  static const char numbered[] = "llvm.nvvm.barrier.cta.sync.aligned.all";
  LLVMValueRef number = mpl_const32(e->ir, 0);
  if (LLVMLookupIntrinsicID(numbered, sizeof numbered - 1))
    return mpl_call_intrinsic(e->b, numbered, NULL, &number, 1);
  return mpl_call_intrinsic(e->b, "llvm.nvvm.barrier0", NULL, NULL, 0);
}

static LLVMValueRef value_of(struct entry *e, const struct mpl_ir_kernel *kernel,
                             enum mpl_marker marker) {
  struct mpl_module_ir *ir = e->ir;
  const uint64_t size = kernel->sub_group;
  switch (marker) {
  case MPL_MARK_LOCAL_ID_0:
  case MPL_MARK_LOCAL_ID_1:
  case MPL_MARK_LOCAL_ID_2:
    return place(e, "tid", marker - MPL_MARK_LOCAL_ID_0);
  case MPL_MARK_LOCAL_LINEAR_ID:
    return linear_id(e);
  case MPL_MARK_LANE_ID:
    return LLVMBuildTrunc(e->b, LLVMBuildAnd(e->b, linear_id(e), mpl_const64(ir, size - 1), ""),
                          ir->i32, "");
  case MPL_MARK_LANES_GROUP_ID:
    return LLVMBuildTrunc(e->b, LLVMBuildUDiv(e->b, linear_id(e), mpl_const64(ir, size), ""),
                          ir->i32, "");
  case MPL_MARK_LANES_HERE:
    return lanes_here(e, size);
  case MPL_MARK_BARRIER:
    return barrier(e);
  case MPL_MARK_GPU_SCRATCH:
    return shared_variable(e, &e->scratch, "mpl_scratch", SCRATCH, 16);
  case MPL_MARK_GPU_STAGE:
    return shared_variable(e, &e->stage, "mpl_stage", STAGE, 16);
  case MPL_MARK_GPU_PHASE:
    return phase(e, kernel->group);
  case MPL_MARK_GPU_SIZE_0:
  case MPL_MARK_GPU_SIZE_1:
  case MPL_MARK_GPU_SIZE_2:
    return reg(e, "ntid", marker - MPL_MARK_GPU_SIZE_0);
  case MPL_MARK_GPU_MATRICES:
    return mpl_const32(ir, has_matrices(kernel));
  default:
    return mpl_parameter_of(ir, kernel, marker);
  }
}

static void lower_markers(struct entry *e, struct mpl_ir_kernel *kernel) {
  e->phase = NULL;
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
    enum mpl_marker marker = mpl_marker_of(i);
    if (marker == MPL_NO_MARKER) continue;
    if (marker == MPL_MARK_BARRIER || marker == MPL_MARK_GPU_PHASE)
      kernel->flags |= MPL_KERNEL_HAS_SYNC;
    LLVMPositionBuilderBefore(e->b, i);
    LLVMValueRef value = value_of(e, kernel, marker);
    if (!value) {
      mpl_report(e->ir, i, "'%s' is not there on this device", LLVMGetValueName(LLVMGetCalledValue(i)));
      return;
    }
    if (marker != MPL_MARK_BARRIER) LLVMReplaceAllUsesWith(i, value);
    LLVMInstructionEraseFromParent(i);
  }
}

static void store_field(struct entry *e, LLVMValueRef group, unsigned field, unsigned index,
                        LLVMValueRef value) {
  LLVMValueRef at[] = {mpl_const32(e->ir, 0), mpl_const32(e->ir, field), mpl_const32(e->ir, index)};
  bool in_array = field == MPL_GROUP_ID || field == MPL_GROUP_SIZE;
  LLVMBuildStore(e->b, value,
                 LLVMBuildInBoundsGEP2(e->b, e->ir->group_type, group, at, in_array ? 3 : 2, ""));
}

/* struct mpl_group, whose fields become registers.  Scratch memory has no place in it. */
static LLVMValueRef describe_group(struct entry *e, LLVMValueRef launch) {
  struct mpl_module_ir *ir = e->ir;
  LLVMValueRef group = LLVMBuildAlloca(e->b, ir->group_type, "group");
  for (unsigned d = 0; d < 3; d++) {
    uint64_t first = sizeof(struct mpl_launch) + d * sizeof(uint64_t);
    LLVMValueRef id = mpl_load_behind(ir, e->b, ir->i64, launch, first);
    id = LLVMBuildAdd(e->b, id, place(e, "ctaid", d), "");
    store_field(e, group, MPL_GROUP_ID, d, id);
    store_field(e, group, MPL_GROUP_SIZE, d, place(e, "ntid", d));
  }
  LLVMValueRef shared = shared_variable(e, &e->dynamic, "mpl_dynamic", 0, MPL_LOCAL_ALIGN);
  LLVMValueRef base = LLVMBuildAddrSpaceCast(e->b, shared, ir->ptr, "");
  store_field(e, group, MPL_GROUP_LOCAL_BASE, 0, base);
  return group;
}

static void add_entry(struct entry *e, struct mpl_ir_kernel *kernel) {
  struct mpl_module_ir *ir = e->ir;
  LLVMValueRef function = mpl_begin_function(ir->module, e->b, "", ir->void_type, &ir->ptr, 1);
  LLVMValueRef group = kernel->group;
  LLVMSetFunctionCallConv(function, MPL_PTX_KERNEL);
  LLVMAttributeRef kept[] = {
      LLVMGetStringAttributeAtIndex(group, LLVMAttributeFunctionIndex, "target-cpu", 10),
      LLVMGetStringAttributeAtIndex(group, LLVMAttributeFunctionIndex, "target-features", 15)};
  for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
    if (kept[i]) LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, kept[i]);
  mpl_add_attribute(function, "convergent");
  mpl_add_attribute(function, "nounwind");
  uint64_t size = MPL_GPU_ARGS + (kernel->args_size + 15) / 16 * 16;
  mpl_pass_by_value(function, 1, LLVMArrayType2(ir->i8, size), 16);
  LLVMValueRef launch = LLVMGetParam(function, 0);
  LLVMValueRef values[] = {launch, describe_group(e, launch)};
  mpl_call(e->b, group, ir->void_type, values, 2);
  LLVMBuildRetVoid(e->b);
  LLVMSetLinkage(group, LLVMInternalLinkage);
  mpl_add_attribute(group, "alwaysinline");
  kernel->group = function;
}

/* The kernel's own name, or one like it that PTX can spell. */
static void name_entry(struct mpl_ir_kernel *kernel) {
  char name[512];
  size_t length = 0;
  for (; kernel->name[length] && length < sizeof name - 1; length++)
    name[length] = kernel->name[length] == '.' ? '_' : kernel->name[length];
  LLVMSetValueName2(kernel->group, name, length);
}

bool mpl_make_entries(struct mpl_module_ir *ir) {
  MPL_BUILDER(b, ir->context);
  struct entry e = {.ir = ir, .b = b};
  /* LLVM 19's takes the 58 of p[(char)(x + 58)] out of the conversion. */
  mpl_set_llvm_option(ir, "-disable-separate-const-offset-from-gep");
  mpl_set_llvm_option(ir, "-disable-lsr"); /* strides.cpp does it */
  for (unsigned k = 0; k < ir->num_kernels && !ir->failed; k++) lower_markers(&e, &ir->kernels[k]);
  for (unsigned k = 0; k < ir->num_kernels && !ir->failed; k++) add_entry(&e, &ir->kernels[k]);
  if (!ir->failed && ir->num_kernels) mpl_run_llvm_passes(ir, "always-inline,globaldce");
  for (unsigned k = 0; k < ir->num_kernels && !ir->failed; k++) name_entry(&ir->kernels[k]);
  return ir->num_kernels > 0;
}

static void mark_restricted(const struct mpl_ir_kernel *kernel) {
  for (unsigned n = 0; n < kernel->num_args; n++) {
    const struct mpl_ir_arg *arg = &kernel->args[n];
    if (arg->address_space == MPL_GLOBAL_SPACE && arg->qualifier & MPL_TYPE_RESTRICT)
      mpl_gpu_mark_read_only(kernel->group, MPL_GPU_ARGS + arg->offset);
  }
}

/* The front end numbers address spaces so that names tell them apart (-ffake-address-space-map).  The
 * target has no constant pointers like OpenCL's, whose memory is a buffer as any other: they are
 * global ones.  Private pointers are generic there.
 *
 * A global pointer may hold what is local in OpenCL C++ programs with local variables of program
 * scope, which clang took for global ones (source/local.c).  Then global pointers are generic too,
 * and LLVM finds out which of them are global or local all the same. */
bool mpl_use_target_spaces(struct mpl_module_ir *ir) {
  unsigned to[] = {0, ir->local_as_global ? 0 : 1, 1, 3, 0};
  for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
    mpl_ir_expand_constants(g);
  mpl_gpu_mark_loads(ir->module, MPL_CONSTANT_SPACE);
  mpl_gpu_move_spaces(ir->module, to, sizeof to / sizeof *to);
  if (ir->num_kernels) mpl_run_llvm_passes(ir, "function(sroa,infer-address-spaces,early-cse)");
  MPL_EACH_KERNEL(kernel, ir) mark_restricted(kernel);
  /* Registers hold one component each, and accesses side by side become wide ones again.  As vectors
   * LLVM 19 takes those of chars for aligned, and those of halves it cannot compare. */
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!LLVMIsDeclaration(f)) mpl_ir_scalarize(f);
  }
  /* Before LLVM's passes put one of them where it alone is used. */
  if (ir->num_kernels) mpl_run_llvm_passes(ir, "function(load-store-vectorizer)");
  return true;
}
