#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "ir.h"

unsigned mpl_enum_attribute(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

bool mpl_has_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                     mpl_enum_attribute(name)) != NULL;
}

static LLVMAttributeRef make_attribute(LLVMValueRef of, const char *name, uint64_t value) {
  return LLVMCreateEnumAttribute(LLVMGetTypeContext(LLVMTypeOf(of)), mpl_enum_attribute(name), value);
}

void mpl_add_attribute(LLVMValueRef function, const char *name) {
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, make_attribute(function, name, 0));
}

void mpl_add_attribute_to(LLVMValueRef function, unsigned parameter, const char *name) {
  LLVMAddAttributeAtIndex(function, parameter, make_attribute(function, name, 0));
}

void mpl_add_attribute_to_call(LLVMValueRef call, const char *name) {
  LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, make_attribute(call, name, 0));
}

void mpl_pass_by_value(LLVMValueRef function, unsigned parameter, LLVMTypeRef type, unsigned align) {
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMAddAttributeAtIndex(function, parameter,
                          LLVMCreateTypeAttribute(context, mpl_enum_attribute("byval"), type));
  LLVMAddAttributeAtIndex(function, parameter, make_attribute(function, "align", align));
}

void mpl_take_attributes(LLVMValueRef to, LLVMValueRef from, LLVMAttributeIndex index) {
  bool of_call = LLVMIsACallInst(from);
  unsigned count = of_call ? LLVMGetCallSiteAttributeCount(from, index) : LLVMGetAttributeCountAtIndex(from, index);
  MPL_ARRAY(LLVMAttributeRef, list, count + 1);
  (of_call ? LLVMGetCallSiteAttributes : LLVMGetAttributesAtIndex)(from, index, list);
  for (unsigned k = 0; k < count; k++)
    (LLVMIsACallInst(to) ? LLVMAddCallSiteAttribute : LLVMAddAttributeAtIndex)(to, index, list[k]);
}

void mpl_drop_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, mpl_enum_attribute(name));
}

static LLVMAttributeRef find_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name,
                                       (unsigned)strlen(name));
}

const char *mpl_attribute_value(LLVMValueRef function, const char *name) {
  LLVMAttributeRef attribute = find_attribute(function, name);
  unsigned length;
  return attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
}

void mpl_set_attribute_value(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                    (unsigned)strlen(value)));
}

bool mpl_is_group_function(LLVMValueRef function) {
  return find_attribute(function, MPL_GROUP_FUNCTION);
}

void mpl_set_metadata(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind,
                      LLVMMetadataRef node) {
  LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(ir->context, kind, strlen(kind)),
                  LLVMMetadataAsValue(ir->context, node));
}

LLVMValueRef mpl_metadata_of(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind) {
  return LLVMGetMetadata(instruction, LLVMGetMDKindIDInContext(ir->context, kind, strlen(kind)));
}

void mpl_mark(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind) {
  mpl_set_metadata(ir, instruction, kind, LLVMMDNodeInContext2(ir->context, NULL, 0));
}

void mpl_note(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind, LLVMMetadataRef what) {
  mpl_set_metadata(ir, instruction, kind, LLVMMDNodeInContext2(ir->context, &what, 1));
}

void mpl_note_number(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind, uint64_t number) {
  mpl_note(ir, instruction, kind, LLVMValueAsMetadata(mpl_const64(ir, number)));
}

LLVMValueRef mpl_noted(struct mpl_module_ir *ir, LLVMValueRef value, const char *kind) {
  LLVMValueRef node = LLVMIsAInstruction(value) ? mpl_metadata_of(ir, value, kind) : NULL, what = NULL;
  if (node) LLVMGetMDNodeOperands(node, &what);
  return what;
}

uint64_t mpl_noted_number(struct mpl_module_ir *ir, LLVMValueRef value, const char *kind) {
  LLVMValueRef number = mpl_noted(ir, value, kind);
  return number ? LLVMConstIntGetZExtValue(number) : 0;
}

void mpl_set_weights(struct mpl_module_ir *ir, LLVMValueRef branch, unsigned first,
                     unsigned second) {
  LLVMMetadataRef weights[] = {LLVMMDStringInContext2(ir->context, "branch_weights", 14),
                               LLVMValueAsMetadata(mpl_const32(ir, first)),
                               LLVMValueAsMetadata(mpl_const32(ir, second))};
  mpl_set_metadata(ir, branch, "prof", LLVMMDNodeInContext2(ir->context, weights, 3));
}

static LLVMValueRef *operands_of(LLVMValueRef node, unsigned *count) {
  *count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
  LLVMValueRef *operands = mpl_allocate(*count + 1, sizeof *operands);
  if (node) LLVMGetMDNodeOperands(node, operands);
  return operands;
}

/* Is it a node that begins with a name which begins so? */
static bool is_property(LLVMValueRef node, const char *begin) {
  unsigned count, length = 0;
  if (!node || !LLVMIsAMDNode(node)) return false;
  MPL_FREED(mpl_release) LLVMValueRef *operands = operands_of(node, &count);
  const char *text = "";
  if (count && operands[0] && LLVMIsAMDString(operands[0]))
    text = LLVMGetMDString(operands[0], &length);
  return length >= strlen(begin) && !memcmp(text, begin, strlen(begin));
}

bool mpl_has_loop_property(struct mpl_module_ir *ir, LLVMValueRef latch, const char *begin) {
  unsigned count;
  MPL_FREED(mpl_release)
  LLVMValueRef *operands = operands_of(mpl_metadata_of(ir, latch, "llvm.loop"), &count);
  for (unsigned k = 1; k < count; k++)
    if (is_property(operands[k], begin)) return true;
  return false;
}

/* The loop's properties, but those of that name, and `property`, if it is not null; the first operand is the
 * node itself, as LLVM wants it. */
static void set_property(struct mpl_module_ir *ir, LLVMValueRef latch, const char *name,
                         LLVMMetadataRef property) {
  LLVMContextRef c = ir->context;
  unsigned old, count = 1;
  MPL_FREED(mpl_release)
  LLVMValueRef *values = operands_of(mpl_metadata_of(ir, latch, "llvm.loop"), &old);
  MPL_ARRAY(LLVMMetadataRef, all, old + 2);
  LLVMMetadataRef self = LLVMTemporaryMDNode(c, NULL, 0);
  all[0] = self;
  for (unsigned k = 1; k < old; k++)
    if (values[k] && !is_property(values[k], name)) all[count++] = LLVMValueAsMetadata(values[k]);
  if (property) all[count++] = property;
  LLVMMetadataRef loop = LLVMMDNodeInContext2(c, all, count);
  mpl_set_metadata(ir, latch, "llvm.loop", loop);
  LLVMMetadataReplaceAllUsesWith(self, loop);
}

void mpl_set_loop_property(struct mpl_module_ir *ir, LLVMValueRef latch, const char *name,
                           bool on) {
  LLVMMetadataRef text = LLVMMDStringInContext2(ir->context, name, strlen(name));
  if (!on && !mpl_has_loop_property(ir, latch, name)) return;
  set_property(ir, latch, name, on ? LLVMMDNodeInContext2(ir->context, &text, 1) : NULL);
}

void mpl_keep_from_vectorizer(struct mpl_module_ir *ir, LLVMValueRef latch) {
  static const char name[] = "llvm.loop.vectorize.enable";
  LLVMMetadataRef node[] = {LLVMMDStringInContext2(ir->context, name, sizeof name - 1),
                            LLVMValueAsMetadata(LLVMConstInt(ir->i1, 0, false))};
  set_property(ir, latch, name, LLVMMDNodeInContext2(ir->context, node, 2));
}
