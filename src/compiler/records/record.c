/* Finds the records by their annotation, reads them and fills them in. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/map.h"

static LLVMValueRef without_casts(LLVMValueRef value) {
  while (value && LLVMIsAConstantExpr(value)) value = LLVMGetOperand(value, 0);
  return value;
}

/* The element of a constant aggregate that holds the byte at *offset, which becomes the byte in
 * it; and its number.  Null if the constant is no aggregate. */
static LLVMValueRef element_at(LLVMTargetDataRef layout, LLVMValueRef constant, uint64_t *offset,
                               unsigned *index) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    *index = LLVMElementAtOffset(layout, type, *offset);
    *offset -= LLVMOffsetOfElement(layout, type, *index);
  } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
    uint64_t size = LLVMABISizeOfType(layout, LLVMGetElementType(type));
    *index = (unsigned)(*offset / size);
    *offset %= size;
  } else {
    return NULL;
  }
  return LLVMGetAggregateElement(constant, *index);
}

static LLVMValueRef field_at(LLVMTargetDataRef layout, LLVMValueRef constant, uint64_t offset) {
  unsigned index;
  for (LLVMValueRef inside; (inside = element_at(layout, constant, &offset, &index));)
    constant = inside;
  return offset ? NULL : constant;
}

static uint32_t number_at(LLVMTargetDataRef layout, LLVMValueRef constant, uint64_t offset) {
  LLVMValueRef field = field_at(layout, constant, offset);
  return field && LLVMIsAConstantInt(field) ? (uint32_t)LLVMConstIntGetZExtValue(field) : 0;
}

static LLVMValueRef rebuild(LLVMValueRef aggregate, unsigned index, LLVMValueRef element) {
  LLVMTypeRef type = LLVMTypeOf(aggregate);
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  unsigned count =
      is_struct ? LLVMCountStructElementTypes(type) : (unsigned)LLVMGetArrayLength2(type);
  MPL_ARRAY(LLVMValueRef, list, count);
  for (unsigned i = 0; i < count; i++)
    list[i] = i == index ? element : LLVMGetAggregateElement(aggregate, i);
  if (!is_struct) return LLVMConstArray2(LLVMGetElementType(type), list, count);
  if (!LLVMIsLiteralStruct(type)) return LLVMConstNamedStruct(type, list, count);
  return LLVMConstStructInContext(LLVMGetTypeContext(type), list, count, LLVMIsPackedStruct(type));
}

/* The constant with another value at `offset`; null if there is no such field.  A number takes the
 * field's type. */
static LLVMValueRef with_field(LLVMTargetDataRef layout, LLVMValueRef constant, uint64_t offset,
                               LLVMValueRef value) {
  unsigned index;
  LLVMValueRef inside = element_at(layout, constant, &offset, &index);
  if (inside) {
    inside = with_field(layout, inside, offset, value);
    return inside ? rebuild(constant, index, inside) : NULL;
  }
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (offset || LLVMGetTypeKind(type) != LLVMGetTypeKind(LLVMTypeOf(value))) return NULL;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return value;
  return LLVMConstInt(type, LLVMConstIntGetZExtValue(value), false);
}

/* The text that a constant pointer leads to, or "". */
static const char *text_at(LLVMValueRef pointer, size_t *length) {
  LLVMValueRef global = without_casts(pointer);
  LLVMValueRef text = global && LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
  while (text && LLVMGetTypeKind(LLVMTypeOf(text)) == LLVMStructTypeKind)
    text = LLVMGetAggregateElement(text, 0);
  *length = 0;
  if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text)) return "";
  const char *start = LLVMGetAsString(text, length);
  *length = strnlen(start, *length);
  return start;
}

bool mpl_annotation_is(LLVMValueRef entry, const char *annotation) {
  size_t length;
  const char *text = text_at(LLVMGetOperand(entry, 1), &length);
  return length == strlen(annotation) && !memcmp(text, annotation, length);
}

LLVMValueRef mpl_annotated(LLVMValueRef entry) {
  return without_casts(LLVMGetOperand(entry, 0));
}

LLVMValueRef mpl_annotations(LLVMModuleRef module, unsigned *count) {
  LLVMValueRef all = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef list = all ? LLVMGetInitializer(all) : NULL;
  bool is_array = list && LLVMGetTypeKind(LLVMTypeOf(list)) == LLVMArrayTypeKind;
  *count = is_array ? (unsigned)LLVMGetArrayLength2(LLVMTypeOf(list)) : 0;
  return list;
}

static bool read_record(LLVMTargetDataRef layout, LLVMValueRef variable, struct mpl_record *out) {
  LLVMValueRef value = LLVMIsAGlobalVariable(variable) ? LLVMGetInitializer(variable) : NULL;
  if (!value || LLVMGetLinkage(variable) == LLVMAvailableExternallyLinkage ||
      LLVMABISizeOfType(layout, LLVMTypeOf(value)) < sizeof(struct mpl_kernel_record) ||
      number_at(layout, value, MPL_RECORD_FIELD(version)) != MPL_KERNEL_RECORD_VERSION)
    return false;
  LLVMValueRef item = without_casts(field_at(layout, value, MPL_RECORD_FIELD(item)));
  if (!item || !LLVMIsAFunction(item) || LLVMIsDeclaration(item)) return false;
  size_t length;
  const char *name = text_at(field_at(layout, value, MPL_RECORD_FIELD(name)), &length);
  *out = (struct mpl_record){.variable = variable, .item = item};
  out->name = length ? strndup(name, length) : strdup(LLVMGetValueName(variable));
  if (!out->name) abort();
  for (unsigned d = 0; d < 3; d++)
    out->reqd_local[d] = number_at(layout, value, MPL_RECORD_FIELD(reqd_local) + d * sizeof(uint32_t));
  out->reqd_sub_group = number_at(layout, value, MPL_RECORD_FIELD(reqd_sub_group));
  out->dims = number_at(layout, value, MPL_RECORD_FIELD(dims));
  out->flags = number_at(layout, value, MPL_RECORD_FIELD(flags));
  out->args_size = number_at(layout, value, MPL_RECORD_FIELD(args_size));
  return true;
}

struct mpl_records mpl_records_find(LLVMModuleRef module) {
  struct mpl_records records = {0};
  unsigned count;
  LLVMValueRef list = mpl_annotations(module, &count);
  MPL_MAP(seen);
  records.list = mpl_allocate(count, sizeof *records.list);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetAggregateElement(list, i);
    LLVMValueRef variable = mpl_annotated(entry);
    if (!mpl_annotation_is(entry, "maniple.kernel") || !mpl_map_add(&seen, variable)) continue;
    if (read_record(LLVMGetModuleDataLayout(module), variable, &records.list[records.count]))
      records.count++;
  }
  return records;
}

void mpl_records_free(struct mpl_records *records) {
  for (unsigned i = 0; i < records->count; i++) free(records->list[i].name);
  free(records->list);
  *records = (struct mpl_records){0};
}

bool mpl_record_set(const struct mpl_record *record, uint64_t field, LLVMValueRef value) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(record->variable));
  value = with_field(layout, LLVMGetInitializer(record->variable), field, value);
  if (value) LLVMSetInitializer(record->variable, value);
  return value != NULL;
}

bool mpl_record_set_number(const struct mpl_record *record, uint64_t field, uint64_t number) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(record->variable)));
  return mpl_record_set(record, field, LLVMConstInt(i64, number, false));
}
