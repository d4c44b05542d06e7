/* Finds the records by their annotation, reads them and fills them in. */
#include "record.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/map.h"
#include "maniple/kernel.h"

#define OFFSET(field) offsetof(struct mpl_kernel_record, field)

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
      number_at(layout, value, OFFSET(version)) != MPL_KERNEL_RECORD_VERSION)
    return false;
  LLVMValueRef item = without_casts(field_at(layout, value, OFFSET(item)));
  if (!item || !LLVMIsAFunction(item) || LLVMIsDeclaration(item)) return false;
  size_t length;
  const char *name = text_at(field_at(layout, value, OFFSET(name)), &length);
  *out = (struct mpl_record){.variable = variable, .item = item};
  out->name = length ? strndup(name, length) : strdup(LLVMGetValueName(variable));
  if (!out->name) abort();
  for (unsigned d = 0; d < 3; d++)
    out->reqd_local[d] = number_at(layout, value, OFFSET(reqd_local) + d * sizeof(uint32_t));
  out->reqd_sub_group = number_at(layout, value, OFFSET(reqd_sub_group));
  out->dims = number_at(layout, value, OFFSET(dims));
  out->flags = number_at(layout, value, OFFSET(flags));
  out->args_size = number_at(layout, value, OFFSET(args_size));
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

struct field {
  uint64_t offset;
  LLVMValueRef value;
};

static bool set_fields(LLVMModuleRef module, const struct mpl_record *record,
                       const struct field *fields, size_t count) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMValueRef value = LLVMGetInitializer(record->variable);
  for (size_t i = 0; value && i < count; i++)
    value = with_field(layout, value, fields[i].offset, fields[i].value);
  if (value) LLVMSetInitializer(record->variable, value);
  return value != NULL;
}

bool mpl_record_fill(LLVMModuleRef module, const struct mpl_record *record,
                     const struct mpl_record_result *result) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  const struct field fields[] = {
      {OFFSET(flags), LLVMConstInt(i64, record->flags | result->flags, false)},
      {OFFSET(group), result->group},
      {OFFSET(private_size), LLVMConstInt(i64, result->private_size, false)},
      {OFFSET(scratch_per_item), LLVMConstInt(i64, result->scratch_per_item, false)},
      {OFFSET(scratch_fixed), LLVMConstInt(i64, result->scratch_fixed, false)},
  };
  return set_fields(module, record, fields, sizeof fields / sizeof *fields);
}

bool mpl_record_set_filter(LLVMModuleRef module, const struct mpl_record *record,
                           LLVMValueRef filter) {
  return set_fields(module, record, &(struct field){OFFSET(filter), filter}, 1);
}

bool mpl_record_set_gpu(LLVMModuleRef module, const struct mpl_record *record,
                        LLVMValueRef variable) {
  return set_fields(module, record, &(struct field){OFFSET(gpu), variable}, 1);
}

void mpl_records_set_counting(LLVMModuleRef module, struct mpl_records *records) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  for (unsigned i = 0; i < records->count; i++) {
    struct mpl_record *record = &records->list[i];
    record->flags |= MPL_RECORD_COUNTS_TURNS;
    set_fields(module, record,
               &(struct field){OFFSET(flags), LLVMConstInt(i64, record->flags, false)}, 1);
  }
}

bool mpl_record_set_required(LLVMModuleRef module, const struct mpl_record *record) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  struct field fields[5] = {
      {OFFSET(reqd_sub_group), LLVMConstInt(i64, record->reqd_sub_group, false)},
      {OFFSET(flags), LLVMConstInt(i64, record->flags, false)}};
  for (unsigned d = 0; d < 3; d++)
    fields[d + 2] = (struct field){OFFSET(reqd_local) + d * sizeof(uint32_t),
                                   LLVMConstInt(i64, record->reqd_local[d], false)};
  return set_fields(module, record, fields, 5);
}

bool mpl_record_set_local_size(LLVMModuleRef module, const struct mpl_record *record,
                               uint64_t bytes) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  struct field size = {OFFSET(local_size), LLVMConstInt(i64, bytes, false)};
  return set_fields(module, record, &size, 1);
}
