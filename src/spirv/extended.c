/* The extended instruction set OpenCL.std: calls of OpenCL C's functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "reader.h"

static const struct {
  unsigned number;
  const char *function, *signs;
} rows[] = {
#define MPL_SPIRV_EXTENDED(number, instruction, function, signs) {number, #function, signs},
#include "tables/spirv_extended.def"
};

#define ROOT_ULP 3.0 /* OpenCL C, "Relative Error as ULPs" */
/* Those that read and write memory, by the numbers of the specification of OpenCL.std. */
enum {
  VLOADN = 171,
  VSTOREN,
  VLOAD_HALF,
  VLOAD_HALFN,
  VSTORE_HALF,
  VSTORE_HALF_R,
  VSTORE_HALFN,
  VSTORE_HALFN_R,
  VLOADA_HALFN,
  VSTOREA_HALFN,
  VSTOREA_HALFN_R,
  PRINTF = 184,
  PREFETCH,
};

enum { FIRST = 5 }; /* the first operand's word */

static void add(mpl_spirv r, struct mpl_spirv_call *call, mpl_spirv_in in, unsigned word,
                const char *qualifier, bool is_signed) {
  LLVMValueRef value = mpl_spirv_operand(r, in, word);
  uint32_t type_id = mpl_spirv_at(r, in->words[word])->type_id;
  if (!mpl_spirv_type_def(r, type_id, SpvOpTypePointer)) {
    mpl_spirv_call_add(call, value, is_signed);
    return;
  }
  LLVMTypeRef pointee = mpl_spirv_type(r, mpl_spirv_pointee(r, type_id));
  mpl_spirv_call_add_pointer(r, call, value, qualifier, pointee, is_signed);
}

static void add_offset(mpl_spirv r, struct mpl_spirv_call *call, mpl_spirv_in in, unsigned word) {
  LLVMValueRef value = mpl_spirv_operand(r, in, word);
  mpl_spirv_call_add(call, LLVMBuildIntCast2(r->b, value, r->i64, false, ""), false);
}

static LLVMValueRef end(mpl_spirv r, struct mpl_spirv_call *call, mpl_spirv_in in, bool is_signed,
                        enum mpl_spirv_effect effect) {
  return mpl_spirv_call_end(r, call, mpl_spirv_type(r, mpl_spirv_word(in, 1)), is_signed, effect);
}

static LLVMValueRef plain(mpl_spirv r, mpl_spirv_in in, const char *function, const char *signs) {
  struct mpl_spirv_call call;
  bool writes = false;
  const char *sign = signs;
  mpl_spirv_call_begin(&call, "%s", function);
  for (unsigned word = FIRST; word < in->count; word++, sign += sign[1] != 0) {
    add(r, &call, in, word, "", *sign == 'S');
    writes |= call.parameters[call.count - 1].space >= 0;
  }
  return end(r, &call, in, *signs == 'S', writes ? CALL_WRITES : CALL_PURE);
}

static LLVMValueRef load(mpl_spirv r, mpl_spirv_in in, const char *name, bool has_count) {
  struct mpl_spirv_call call;
  char count[12] = "";
  if (has_count && mpl_spirv_word(in, FIRST + 2) > 1)
    snprintf(count, sizeof count, "%u", in->words[FIRST + 2]);
  mpl_spirv_call_begin(&call, "%s%s", name, count);
  add_offset(r, &call, in, FIRST);
  add(r, &call, in, FIRST + 1, "K", true);
  return end(r, &call, in, true, CALL_WRITES);
}

static LLVMValueRef store(mpl_spirv r, mpl_spirv_in in, const char *name, bool rounds) {
  static const char *const suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  struct mpl_spirv_call call;
  char count[12] = "";
  unsigned lanes = mpl_spirv_lanes(LLVMTypeOf(mpl_spirv_operand(r, in, FIRST)));
  uint32_t mode = rounds ? mpl_spirv_word(in, FIRST + 3) : 0;
  if (mode > 3) mpl_spirv_fail("%s has an unknown rounding mode", name);
  if (lanes > 1) snprintf(count, sizeof count, "%u", lanes);
  mpl_spirv_call_begin(&call, "%s%s%s", name, count, rounds ? suffixes[mode] : "");
  add(r, &call, in, FIRST, "", true);
  add_offset(r, &call, in, FIRST + 1);
  add(r, &call, in, FIRST + 2, "", true);
  return end(r, &call, in, true, CALL_WRITES);
}

static LLVMValueRef prefetch(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_call call;
  mpl_spirv_call_begin(&call, "prefetch");
  add(r, &call, in, FIRST, "K", true);
  add_offset(r, &call, in, FIRST + 1);
  return end(r, &call, in, true, CALL_WRITES);
}

/* A variadic function: numbers are promoted as C does. */
static LLVMValueRef print(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef format = mpl_spirv_pointer(r, SPACE_CONSTANT);
  LLVMTypeRef type = LLVMFunctionType(r->i32, &format, 1, true);
  LLVMValueRef function = LLVMGetNamedFunction(r->module, "printf");
  if (!function) function = LLVMAddFunction(r->module, "printf", type);
  unsigned count = in->count - FIRST;
  LLVMValueRef *values = mpl_spirv_allocate(count + 1, sizeof *values);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef value = mpl_spirv_operand(r, in, FIRST + i);
    LLVMTypeRef of = LLVMTypeOf(value);
    if (of == r->half || of == r->f32) value = LLVMBuildFPExt(r->b, value, r->f64, "");
    if (of == r->i8 || of == r->i16) value = LLVMBuildSExt(r->b, value, r->i32, "");
    values[i] = value;
  }
  if (count && LLVMTypeOf(values[0]) != format)
    values[0] = LLVMBuildAddrSpaceCast(r->b, values[0], format, "");
  LLVMValueRef made = LLVMBuildCall2(r->b, type, function, values, count, "");
  free(values);
  return made;
}

static LLVMValueRef read(mpl_spirv r, mpl_spirv_in in, unsigned number) {
  switch (number) {
  case VLOADN:
    return load(r, in, "vload", true);
  case VLOAD_HALF:
    return load(r, in, "vload_half", false);
  case VLOAD_HALFN:
    return load(r, in, "vload_half", true);
  case VLOADA_HALFN:
    return load(r, in, "vloada_half", true);
  case VSTOREN:
    return store(r, in, "vstore", false);
  case VSTORE_HALF:
  case VSTORE_HALFN:
    return store(r, in, "vstore_half", false);
  case VSTORE_HALF_R:
  case VSTORE_HALFN_R:
    return store(r, in, "vstore_half", true);
  case VSTOREA_HALFN:
    return store(r, in, "vstorea_half", false);
  case VSTOREA_HALFN_R:
    return store(r, in, "vstorea_half", true);
  case PREFETCH:
    return prefetch(r, in);
  case PRINTF:
    return print(r, in);
  default:
    break;
  }
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].number == number) {
      LLVMValueRef value = plain(r, in, rows[i].function, rows[i].signs);
      if (!strcmp(rows[i].function, "sqrt")) mpl_spirv_allow_error(r, value, ROOT_ULP);
      return value;
    }
  mpl_spirv_fail("OpenCL.std has no instruction %u", number);
}

bool mpl_spirv_extended(mpl_spirv r, mpl_spirv_in in) {
  if (in->opcode != SpvOpExtInst) return false;
  if (mpl_spirv_word(in, 3) != r->extended_set) return true; /* says something for debuggers */
  mpl_spirv_result(r, in, read(r, in, mpl_spirv_word(in, 4)));
  return true;
}
