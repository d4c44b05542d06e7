/* Mangled names (Itanium C++ ABI, 5.1; address spaces as clang spells them) and calls by them. */
#include "call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a name that later ones refer to. */
struct mangling {
  char *text;
  char seen[2 * CALL_ARGS][64];
  unsigned num_seen;
  bool for_gpu;
};

static void append(struct mangling *m, const char *text) {
  if (strlen(m->text) + strlen(text) >= CALL_NAME)
    mpl_spirv_fail("the name '%s' is too long", m->text);
  strcat(m->text, text);
}

/* Writes a reference to what was seen before; else remembers it when its parts are written. */
static bool refer(struct mangling *m, const char *part) {
  for (unsigned i = 0; i < m->num_seen; i++) {
    if (strcmp(m->seen[i], part)) continue;
    char reference[8] = "S_";
    if (i) snprintf(reference, sizeof reference, "S%c_", i <= 10 ? '0' + i - 1 : 'A' + i - 11);
    append(m, reference);
    return true;
  }
  return false;
}

static void remember(struct mangling *m, const char *part) {
  snprintf(m->seen[m->num_seen++], sizeof *m->seen, "%.63s", part);
}

static void mangle_type(struct mangling *m, const char *type) {
  bool refers = !strncmp(type, "Dv", 2) || (*type >= '0' && *type <= '9');
  if (refers && refer(m, type)) return;
  append(m, type);
  if (refers) remember(m, type);
}

/* Address spaces as clang spells them: for a GPU by their numbers, of which 0 is nothing. */
static const char *spelled_space(const struct mangling *m, int space) {
  static const char *const names[][2] = {{"U9CLprivate", ""},
                                         {"U8CLglobal", "U3AS1"},
                                         {"U10CLconstant", "U3AS2"},
                                         {"U7CLlocal", "U3AS3"},
                                         {"U9CLgeneric", "U3AS4"}};
  return names[space][m->for_gpu];
}

static void mangle_parameter(struct mangling *m, const struct mpl_spirv_parameter *parameter) {
  char pointer[64], qualifiers[24];
  if (parameter->space < 0) {
    mangle_type(m, parameter->type);
    return;
  }
  snprintf(qualifiers, sizeof qualifiers, "%s%s", spelled_space(m, parameter->space),
           parameter->qualifier);
  snprintf(pointer, sizeof pointer, "P%s%s", qualifiers, parameter->type);
  if (refer(m, pointer)) return;
  append(m, "P");
  if (!*qualifiers) {
    mangle_type(m, parameter->type);
  } else if (!refer(m, pointer + 1)) {
    append(m, qualifiers);
    mangle_type(m, parameter->type);
    remember(m, pointer + 1);
  }
  remember(m, pointer);
}

static void mangle(mpl_spirv r, const struct mpl_spirv_call *call, char name[CALL_NAME]) {
  struct mangling m = {.text = name,
                       .for_gpu = !strncmp(LLVMGetTarget(r->module), "nvptx", strlen("nvptx"))};
  snprintf(name, CALL_NAME, "_Z%zu%.290s", strlen(call->name), call->name);
  for (unsigned i = 0; i < call->count; i++) mangle_parameter(&m, &call->parameters[i]);
  if (!call->count) append(&m, "v");
}

static void encode(LLVMTypeRef type, bool is_signed, char text[CALL_TYPE]) {
  LLVMTypeRef scalar = mpl_spirv_scalar(type);
  unsigned lanes = mpl_spirv_lanes(type);
  const char *code = "v";
  switch (LLVMGetTypeKind(scalar)) {
  case LLVMHalfTypeKind:
    code = "Dh";
    break;
  case LLVMFloatTypeKind:
    code = "f";
    break;
  case LLVMDoubleTypeKind:
    code = "d";
    break;
  case LLVMIntegerTypeKind:
    switch (LLVMGetIntTypeWidth(scalar)) {
    case 1:
      code = "b";
      break;
    case 8:
      code = is_signed ? "c" : "h";
      break;
    case 16:
      code = is_signed ? "s" : "t";
      break;
    case 32:
      code = is_signed ? "i" : "j";
      break;
    default:
      code = is_signed ? "l" : "m";
      break;
    }
    break;
  default:
    break;
  }
  if (lanes > 1)
    snprintf(text, CALL_TYPE, "Dv%u_%s", lanes, code);
  else
    snprintf(text, CALL_TYPE, "%s", code);
}

void mpl_spirv_call_begin(struct mpl_spirv_call *call, const char *format, ...) {
  va_list list;
  call->count = 0;
  va_start(list, format);
  vsnprintf(call->name, sizeof call->name, format, list);
  va_end(list);
}

static struct mpl_spirv_parameter *add(struct mpl_spirv_call *call, LLVMValueRef value, int space) {
  if (call->count == CALL_ARGS)
    mpl_spirv_fail("'%s' is called with too many arguments", call->name);
  struct mpl_spirv_parameter *parameter = &call->parameters[call->count];
  call->values[call->count++] = value;
  *parameter = (struct mpl_spirv_parameter){.space = space, .qualifier = ""};
  return parameter;
}

void mpl_spirv_call_add(struct mpl_spirv_call *call, LLVMValueRef value, bool is_signed) {
  struct mpl_spirv_parameter *parameter = add(call, value, -1);
  parameter->is_signed = is_signed;
  encode(LLVMTypeOf(value), is_signed, parameter->type);
}

void mpl_spirv_call_add_pointer(mpl_spirv r, struct mpl_spirv_call *call, LLVMValueRef value,
                                const char *qualifier, LLVMTypeRef pointee, bool is_signed) {
  int space = (int)LLVMGetPointerAddressSpace(LLVMTypeOf(value));
  struct mpl_spirv_parameter *parameter = add(call, value, space);
  parameter->qualifier = qualifier;
  encode(pointee, is_signed, parameter->type);
}

void mpl_spirv_call_add_named(struct mpl_spirv_call *call, LLVMValueRef value, int space,
                              const char *type) {
  snprintf(add(call, value, space)->type, CALL_TYPE, "%s", type);
}

/* Small integers are passed in a register whose rest the callee relies on. */
static const char *extension(LLVMTypeRef type, bool is_signed) {
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= 32) return NULL;
  return is_signed ? "signext" : "zeroext";
}

LLVMValueRef mpl_spirv_call_end(mpl_spirv r, struct mpl_spirv_call *call, LLVMTypeRef result,
                                bool is_signed, enum mpl_spirv_effect effect) {
  char name[CALL_NAME];
  LLVMTypeRef types[CALL_ARGS];
  mangle(r, call, name);
  for (unsigned i = 0; i < call->count; i++) types[i] = LLVMTypeOf(call->values[i]);
  bool is_new = !LLVMGetNamedFunction(r->module, name);
  LLVMValueRef function = mpl_spirv_c_function(r, name, result, types, call->count);
  if (is_new) {
    unsigned whole = (unsigned)LLVMAttributeFunctionIndex;
    bool in_memory = LLVMCountParams(function) > call->count;
    for (unsigned i = 0; i < call->count; i++) {
      const char *how = extension(types[i], call->parameters[i].is_signed);
      if (how) mpl_spirv_add_attribute(r, function, i + 1 + in_memory, how, 0);
    }
    const char *how = extension(result, is_signed);
    if (how) mpl_spirv_add_attribute(r, function, 0, how, 0);
    if (effect == CALL_CONVERGENT) mpl_spirv_add_attribute(r, function, whole, "convergent", 0);
    mpl_spirv_add_attribute(r, function, whole, "nounwind", 0);
    bool passes_memory = in_memory;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
      passes_memory |=
          LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind;
    if (effect == CALL_PURE) {
      mpl_spirv_add_attribute(r, function, whole, "willreturn", 0);
      if (!passes_memory) mpl_spirv_add_attribute(r, function, whole, "memory", 0);
    }
  }
  return mpl_spirv_c_call(r, function, result, call->values, call->count);
}
