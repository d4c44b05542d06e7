/* printf: the arguments are packed one after another as abi/kernel.h describes, then the host is
 * called. What a variadic call would do to vectors differs between compilers; this does not. */
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

#define PRINT "mpl.print"

static void mark_print(struct mpl_module_ir *ir, LLVMValueRef i) {
  if (ir->filters) mpl_mark(ir, i, PRINT);
}

bool mpl_is_of_print(struct mpl_module_ir *ir, LLVMValueRef i) {
  return mpl_metadata_of(ir, i, PRINT) != NULL;
}

/* A value as it is packed. */
static LLVMValueRef widen(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMBuildZExt(b, value, ir->i64, "");
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
    return LLVMBuildFPExt(b, value, LLVMDoubleTypeInContext(ir->context), "");
  case LLVMPointerTypeKind:
    return LLVMBuildPtrToInt(b, value, ir->i64, "");
  default:
    return value;
  }
}

/* What the format's conversion number `wanted` (1: the first) begins with, behind its %; null if there is none. */
static const char *conversion(LLVMValueRef format, unsigned wanted) {
  LLVMValueRef text = LLVMIsAGlobalVariable(format) ? LLVMGetInitializer(format) : NULL;
  size_t length;
  if (!text || !LLVMIsConstantString(text)) return NULL;
  for (const char *at = LLVMGetAsString(text, &length); (at = strchr(at, '%')); at++) {
    if (*++at == '%') continue;
    if (!--wanted) return at;
  }
  return NULL;
}

/* The vector that a conversion prints (OpenCL C, 6.15.14.2), or null. */
static LLVMTypeRef vector_of(struct mpl_module_ir *ir, const char *at) {
  char *end;
  at += strcspn(at, "vdiouxXfFeEgGaAcsp%");
  if (*at != 'v') return NULL;
  unsigned lanes = (unsigned)strtoul(at + 1, &end, 10);
  unsigned bits = !strncmp(end, "hh", 2) ? 8 : !strncmp(end, "hl", 2) ? 32 : *end == 'h' ? 16 : 64;
  return lanes ? LLVMVectorType(LLVMIntTypeInContext(ir->context, bits), lanes) : NULL;
}

/* An argument's value.  Vectors that are longer than a register come in memory: by value where C passes all large
 * ones so, else as a pointer (AAPCS64, 6.8.2), of which only the format says what it is. */
static LLVMValueRef argument(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call, unsigned i) {
  LLVMValueRef value = LLVMGetOperand(call, i);
  LLVMAttributeRef by_value =
      LLVMGetCallSiteEnumAttribute(call, i + 1, mpl_enum_attribute("byval"));
  if (by_value) return LLVMBuildLoad2(b, LLVMGetTypeAttributeValue(by_value), value, "");
  const char *at = LLVMTypeOf(value) == ir->ptr ? conversion(LLVMGetOperand(call, 0), i) : NULL;
  LLVMTypeRef vector = at ? vector_of(ir, at) : NULL;
  return vector ? LLVMBuildLoad2(b, vector, value, "") : value;
}

/* Room for the packed arguments, in the function's entry block so that it is there once. */
static LLVMValueRef buffer(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call,
                           uint64_t size) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(mpl_function_of(call));
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
  LLVMValueRef place = LLVMBuildAlloca(b, LLVMArrayType2(ir->i8, size ? size : 8), "printf");
  LLVMSetAlignment(place, 8);
  mark_print(ir, place);
  LLVMPositionBuilderBefore(b, call);
  return place;
}

static LLVMValueRef call_host(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef format,
                              LLVMValueRef place, uint64_t size) {
  LLVMValueRef launch = mpl_build_marker(ir, b, MPL_MARK_LAUNCH, ir->ptr, NULL, 0);
  LLVMValueRef host = mpl_load_field(b, ir->launch_type, launch, MPL_LAUNCH_HOST, "host");
  LLVMValueRef print = LLVMBuildLoad2(b, ir->ptr, host, "print");
  LLVMValueRef args[] = {format, place, mpl_const64(ir, size)};
  LLVMValueRef call = mpl_call(b, print, ir->i32, args, 3);
  mark_print(ir, call);
  return call;
}

static void lower(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMPositionBuilderBefore(b, call);
  MPL_ARRAY(LLVMValueRef, values, count);
  MPL_ARRAY(uint64_t, offsets, count);
  uint64_t size = 0;
  for (unsigned i = 1; i < count; i++) {
    values[i] = widen(ir, b, argument(ir, b, call, i));
    offsets[i] = size;
    size = (size + LLVMStoreSizeOfType(ir->layout, LLVMTypeOf(values[i])) + 7) / 8 * 8;
  }
  LLVMValueRef place = buffer(ir, b, call, size);
  for (unsigned i = 1; i < count; i++) {
    LLVMValueRef at = mpl_offset(ir, b, place, mpl_const64(ir, offsets[i]));
    mpl_aligned_store(b, values[i], at, 8);
  }
  LLVMValueRef format = LLVMBuildAddrSpaceCast(b, LLVMGetOperand(call, 0), ir->ptr, "");
  if (ir->gpu && size > MPL_GPU_PRINTS)
    mpl_report(ir, call, "more than %u bytes of arguments to printf", MPL_GPU_PRINTS);
  mpl_replace(call, ir->gpu ? mpl_gpu_print(ir, b, format, place, size)
                            : call_host(ir, b, format, place, size));
}

/* C++ for OpenCL mangles its name as any other's: where the constant address space has no number
 * of a target's, and where it has, as on a GPU. */
static void use_c_name(struct mpl_module_ir *ir) {
  static const char *const names[] = {"_Z6printfPU10CLconstantKcz", "_Z6printfPU3AS2Kcz"};
  for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
    LLVMValueRef mangled = LLVMGetNamedFunction(ir->module, names[n]);
    LLVMValueRef plain = LLVMGetNamedFunction(ir->module, "printf");
    if (mangled && plain)
      LLVMReplaceAllUsesWith(mangled, plain);
    else if (mangled) {
      LLVMSetValueName2(mangled, "printf", strlen("printf"));
      *mpl_ir_note(mangled) = 0; /* a pass may have asked which marker its other name is */
    }
  }
}

/* --- Which kernels may print --- */

struct printing {
  struct mpl_map functions; /* that call printf, or one that does */
  bool anywhere;            /* the address of one is taken */
};

static void note_callers(struct printing *p, LLVMValueRef function) {
  MPL_EACH_USER(user, function) {
    if (mpl_callee_of(user) != function) {
      p->anywhere = true;
      continue;
    }
    LLVMValueRef caller = mpl_function_of(user);
    if (!mpl_map_add(&p->functions, caller)) continue;
    note_callers(p, caller);
  }
}

/* On a GPU they are waited for, and then the output is flushed. */
static void mark_kernels(struct mpl_module_ir *ir) {
  LLVMValueRef function = LLVMGetNamedFunction(ir->module, "printf");
  struct printing p = {0};
  if (!function) return;
  note_callers(&p, function);
  MPL_EACH_KERNEL(kernel, ir)
  if (p.anywhere || mpl_map_has(&p.functions, kernel->group)) kernel->flags |= MPL_KERNEL_PRINTS;
  mpl_map_free(&p.functions);
}

bool mpl_lower_printf(struct mpl_module_ir *ir) {
  bool changed = false;
  use_c_name(ir);
  MPL_BUILDER(b, ir->context);
  mark_kernels(ir);
  MPL_EACH_FUNCTION(f, ir->module) {
    MPL_EACH_INSTRUCTION_OF(i, f) {
      if (mpl_marker_of(i) != MPL_MARK_PRINTF) continue;
      lower(ir, b, i);
      changed = true;
    }
  }
  return changed;
}
