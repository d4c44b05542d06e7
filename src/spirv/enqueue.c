/* Device-side enqueue (SPIR-V specification, 3.49.24): the same calls that clang makes of OpenCL
 * C's functions (builtins/enqueue.cl).  Queues and events are pointers there too.
 *
 * Where OpenCL C has a block's literal, a module has a function with the address and size of its
 * data.  The literal that the host copies (abi/enqueue.h) is made of these at the enqueue call: its
 * two numbers, and the data behind them.  A kernel for each such function calls it with the place
 * of the data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/spir.h"
#include "call.h"
#include "runtime/device.h"

static LLVMValueRef number(mpl_spirv r, uint64_t value) {
  return LLVMConstInt(r->i32, value, false);
}

static LLVMValueRef nothing(mpl_spirv r, unsigned space) {
  return LLVMConstNull(mpl_spirv_pointer(r, space));
}

/* --- ND-ranges: struct mpl_range, as a value --- */

static LLVMTypeRef range_type(mpl_spirv r) {
  LLVMTypeRef three = LLVMArrayType2(r->i64, 3), members[] = {r->i32, three, three, three};
  return LLVMStructTypeInContext(r->context, members, 4, false);
}

/* A size is a number, or an array of one for each dimension. */
static unsigned dimensions(LLVMValueRef sizes) {
  LLVMTypeRef type = LLVMTypeOf(sizes);
  return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type) : 1;
}

static LLVMValueRef size_of(mpl_spirv r, LLVMValueRef sizes, unsigned d) {
  bool array = LLVMGetTypeKind(LLVMTypeOf(sizes)) == LLVMArrayTypeKind;
  LLVMValueRef size = array ? LLVMBuildExtractValue(r->b, sizes, d, "") : sizes;
  if (LLVMGetTypeKind(LLVMTypeOf(size)) != LLVMIntegerTypeKind)
    mpl_spirv_fail("the sizes of an ND-range are not integers");
  return LLVMBuildIntCast2(r->b, size, r->i64, false, "");
}

static void build_range(mpl_spirv r, mpl_spirv_in in) {
  /* in the structure's order: offset, global and local size */
  const unsigned operands[] = {5, 3, 4}, beyond[] = {0, 1, 0};
  LLVMTypeRef type = range_type(r);
  if (mpl_spirv_type(r, mpl_spirv_word(in, 1)) != type)
    mpl_spirv_fail("an ND-range is not an integer of 32 bits and three arrays of three of 64");
  unsigned dims = dimensions(mpl_spirv_operand(r, in, 3));
  if (dims < 1 || dims > 3)
    mpl_spirv_fail("an ND-range has %u dimensions: 1 to 3 are possible", dims);
  LLVMValueRef range = LLVMBuildInsertValue(r->b, LLVMGetUndef(type), number(r, dims), 0, "");
  for (unsigned part = 0; part < 3; part++) {
    LLVMValueRef sizes = mpl_spirv_operand(r, in, operands[part]);
    LLVMValueRef three = LLVMGetUndef(LLVMArrayType2(r->i64, 3));
    if (dimensions(sizes) != dims) mpl_spirv_fail("the sizes of an ND-range differ in dimensions");
    for (unsigned d = 0; d < 3; d++) {
      LLVMValueRef one = LLVMConstInt(r->i64, beyond[part], false);
      three = LLVMBuildInsertValue(r->b, three, d < dims ? size_of(r, sizes, d) : one, d, "");
    }
    range = LLVMBuildInsertValue(r->b, range, three, part + 1, "");
  }
  mpl_spirv_result(r, in, range);
}

static LLVMValueRef range_at(mpl_spirv r, LLVMValueRef range) {
  LLVMTypeRef type = range_type(r);
  if (LLVMTypeOf(range) != type)
    mpl_spirv_fail("the range of an enqueued function is not an ND-range");
  LLVMValueRef place = mpl_spirv_scratch(r, type);
  LLVMBuildStore(r->b, range, place);
  return place;
}

/* --- Blocks: four operands, the function and its bytes with their size and alignment --- */

struct work {
  uint32_t id;
  LLVMValueRef function, bytes;
  uint64_t size, align;
};
enum { WORK_OPERANDS = 4, LITERAL_HEAD = 8 }; /* two uint32_t */

static struct work work_of(mpl_spirv r, mpl_spirv_in in, unsigned first) {
  struct work work = {.id = mpl_spirv_word(in, first),
                      .function = mpl_spirv_operand(r, in, first),
                      .bytes = mpl_spirv_operand(r, in, first + 1),
                      .size = mpl_spirv_constant(r, mpl_spirv_word(in, first + 2)),
                      .align = mpl_spirv_constant(r, mpl_spirv_word(in, first + 3))};
  enum { MOST = 1 << 16 }; /* bytes: a copy is made in the private memory of what enqueues */
  if (work.align & (work.align - 1) || work.align > MOST)
    mpl_spirv_fail("the alignment of an enqueued function's argument is not a power of 2 up to %d",
                   MOST);
  if (work.align < LITERAL_HEAD) work.align = LITERAL_HEAD;
  if (work.size > MOST)
    mpl_spirv_fail("the argument of an enqueued function has %llu bytes; %d are possible",
                   (unsigned long long)work.size, MOST);
  if (!LLVMIsAFunction(work.function))
    mpl_spirv_fail("the kernel that is enqueued is not a function");
  unsigned count = LLVMCountParams(work.function);
  bool good = count > 0 && LLVMGetReturnType(LLVMGlobalGetValueType(work.function)) == r->void_type;
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(work.function, i));
    good &= LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
            (!i || LLVMGetPointerAddressSpace(type) == SPACE_LOCAL);
  }
  if (!good)
    mpl_spirv_fail("an enqueued function has other parameters than a pointer and local memory");
  return work;
}

/* The kernel that calls the function, one for each place of the bytes. */
static LLVMValueRef kernel_of(mpl_spirv r, const struct work *work) {
  char name[160];
  LLVMTypeRef type = LLVMGlobalGetValueType(work->function);
  unsigned count = LLVMCountParams(work->function);
  snprintf(name, sizeof name, "enqueued.%u.%llu.%.100s", work->id, (unsigned long long)work->align,
           LLVMGetValueName(work->function));
  LLVMValueRef there = LLVMGetNamedFunction(r->module, name);
  if (there && LLVMGetFunctionCallConv(there) == MPL_SPIR_KERNEL) return there;
  LLVMTypeRef *types = mpl_spirv_allocate(count, sizeof *types);
  LLVMValueRef *values = mpl_spirv_allocate(count, sizeof *values);
  LLVMGetParamTypes(type, types);
  LLVMTypeRef own = types[0];
  types[0] = mpl_spirv_pointer(r, SPACE_GENERIC);
  LLVMValueRef kernel =
      LLVMAddFunction(r->module, name, LLVMFunctionType(r->void_type, types, count, false));
  LLVMSetFunctionCallConv(kernel, MPL_SPIR_KERNEL);
  LLVMSetLinkage(kernel, LLVMInternalLinkage);
  mpl_spirv_describe_function(r, kernel);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(r->b);
  LLVMPositionBuilderAtEnd(r->b, LLVMAppendBasicBlockInContext(r->context, kernel, "entry"));
  LLVMValueRef head = number(r, work->align);
  LLVMGetParams(kernel, values);
  values[0] = LLVMBuildInBoundsGEP2(r->b, r->i8, values[0], &head, 1, "");
  if (own != types[0]) values[0] = LLVMBuildAddrSpaceCast(r->b, values[0], own, "");
  LLVMValueRef made = LLVMBuildCall2(r->b, type, work->function, values, count, "");
  LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(work->function));
  LLVMBuildRetVoid(r->b);
  LLVMPositionBuilderAtEnd(r->b, here);
  free(types);
  free(values);
  return kernel;
}

/* As clang says it, for the passes to know it again (compiler/source/blocks.c). */
static LLVMValueRef code_of(mpl_spirv r, const struct work *work) {
  return LLVMConstAddrSpaceCast(kernel_of(r, work), mpl_spirv_pointer(r, SPACE_GENERIC));
}

static LLVMValueRef literal(mpl_spirv r, const struct work *work) {
  LLVMTypeRef type = LLVMArrayType2(r->i8, work->align + work->size);
  LLVMValueRef place = mpl_spirv_scratch(r, type), second = number(r, 4);
  LLVMSetAlignment(place, (unsigned)work->align);
  LLVMBuildStore(r->b, number(r, work->align + work->size), place);
  LLVMBuildStore(r->b, number(r, work->align),
                 LLVMBuildInBoundsGEP2(r->b, r->i8, place, &second, 1, ""));
  LLVMValueRef head = number(r, work->align);
  LLVMValueRef bytes = LLVMBuildInBoundsGEP2(r->b, r->i8, place, &head, 1, "");
  if (work->size)
    LLVMBuildMemCpy(r->b, bytes, (unsigned)work->align, mpl_spirv_generic(r, work->bytes), 1,
                    LLVMConstInt(r->i64, work->size, false));
  return mpl_spirv_generic(r, place);
}

/* Sizes of local arguments, numbers of 64 bits in memory. */
static LLVMValueRef local_sizes(mpl_spirv r, mpl_spirv_in in, unsigned first, unsigned count) {
  if (!count) return nothing(r, SPACE_PRIVATE);
  LLVMTypeRef type = LLVMArrayType2(r->i64, count);
  LLVMValueRef place = mpl_spirv_scratch(r, type);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef index = number(r, i), size = mpl_spirv_operand(r, in, first + i);
    LLVMBuildStore(r->b, LLVMBuildIntCast2(r->b, size, r->i64, false, ""),
                   LLVMBuildInBoundsGEP2(r->b, r->i64, place, &index, 1, ""));
  }
  return place;
}

static void enqueue(mpl_spirv r, mpl_spirv_in in) {
  enum { WORK = 9, LOCALS = WORK + WORK_OPERANDS };
  struct work work = work_of(r, in, WORK);
  unsigned count = in->count > LOCALS ? in->count - LOCALS : 0;
  LLVMValueRef values[] = {mpl_spirv_operand(r, in, 3),
                           mpl_spirv_operand(r, in, 4),
                           range_at(r, mpl_spirv_operand(r, in, 5)),
                           mpl_spirv_operand(r, in, 6),
                           mpl_spirv_generic(r, mpl_spirv_operand(r, in, 7)),
                           mpl_spirv_generic(r, mpl_spirv_operand(r, in, 8)),
                           code_of(r, &work),
                           literal(r, &work),
                           number(r, count),
                           local_sizes(r, in, LOCALS, count)};
  mpl_spirv_result(r, in,
                   mpl_spirv_direct_call(r, "__enqueue_kernel_events_varargs", r->i32, values, 10));
}

/* --- Queries --- */

static LLVMValueRef ask(mpl_spirv r, const char *name, LLVMValueRef range,
                        const struct work *work) {
  LLVMValueRef values[3];
  unsigned count = 0;
  if (range) values[count++] = range;
  values[count++] = code_of(r, work);
  values[count++] = nothing(r, SPACE_GENERIC);
  return mpl_spirv_direct_call(r, name, r->i32, values, count);
}

static LLVMValueRef ask_for_range(mpl_spirv r, mpl_spirv_in in, const char *name) {
  struct work work = work_of(r, in, 4);
  return ask(r, name, range_at(r, mpl_spirv_operand(r, in, 3)), &work);
}

static LLVMValueRef query(mpl_spirv r, mpl_spirv_in in) {
  static const char *const group_size = "__get_kernel_work_group_size_impl",
                           *const multiple = "__get_kernel_preferred_work_group_size_multiple_impl";
  struct work work;
  LLVMValueRef sub_group, most, wanted, items;
  switch ((SpvOp)in->opcode) {
  case SpvOpGetKernelNDrangeSubGroupCount:
    return ask_for_range(r, in, "__get_kernel_sub_group_count_for_ndrange_impl");
  case SpvOpGetKernelNDrangeMaxSubGroupSize:
    return ask_for_range(r, in, "__get_kernel_max_sub_group_size_for_ndrange_impl");
  case SpvOpGetKernelWorkGroupSize:
  case SpvOpGetKernelPreferredWorkGroupSizeMultiple:
    work = work_of(r, in, 3);
    return ask(r, in->opcode == SpvOpGetKernelWorkGroupSize ? group_size : multiple, NULL, &work);
  case SpvOpGetKernelMaxNumSubgroups:
    work = work_of(r, in, 3);
    sub_group = ask(r, multiple, NULL, &work);
    return LLVMBuildUDiv(r->b, ask(r, group_size, NULL, &work), sub_group, "");
  case SpvOpGetKernelLocalSizeForSubgroupCount: /* 0: no local size has as many */
    wanted = mpl_spirv_operand(r, in, 3);
    work = work_of(r, in, 4);
    sub_group = ask(r, multiple, NULL, &work);
    most = LLVMBuildUDiv(r->b, ask(r, group_size, NULL, &work), sub_group, "");
    items = LLVMBuildMul(r->b, wanted, sub_group, "");
    return LLVMBuildSelect(r->b, LLVMBuildICmp(r->b, LLVMIntULE, wanted, most, ""), items,
                           number(r, 0), "");
  default:
    return NULL;
  }
}

bool mpl_spirv_enqueue(mpl_spirv r, mpl_spirv_in in) {
  if (r->lacks & MPL_OFFERS_ENQUEUE) return false;
  if (in->opcode == SpvOpBuildNDRange)
    build_range(r, in);
  else if (in->opcode == SpvOpEnqueueKernel)
    enqueue(r, in);
  else {
    LLVMValueRef answer = query(r, in);
    if (!answer) return false;
    mpl_spirv_result(r, in, answer);
  }
  return true;
}
