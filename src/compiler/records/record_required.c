/* [[sycl::reqd_work_group_size(...)]], [[sycl::reqd_sub_group_size(...)]], [[sycl::device_has(...)]].
 *
 * attributes.cpp has put a call into the body of each function with such an attribute, of an empty
 * function whose annotation has the sizes, or whether there is such a device
 * (include/sycl/kernel_properties.hpp).  A kernel requires what it calls does. */
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/map.h"
#include "compiler/analysis/ir.h"
#include "maniple/kernel.h"
#include "record.h"

struct search {
  LLVMValueRef annotations;
  struct mpl_map entries; /* empty function -> its annotation's number + 1 */
  struct mpl_map seen;
  LLVMValueRef *stack; /* functions to look into */
  size_t depth;
};

static const char work_group[] = "maniple.reqd_work_group_size";
static const char sub_group[] = "maniple.reqd_sub_group_size";
static const char device_has[] = "maniple.device_has";

static void find_entries(struct search *s, LLVMModuleRef module) {
  unsigned count;
  s->annotations = mpl_annotations(module, &count);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetAggregateElement(s->annotations, i);
    if (mpl_annotation_is(entry, work_group) || mpl_annotation_is(entry, sub_group) ||
        mpl_annotation_is(entry, device_has))
      mpl_map_set(&s->entries, mpl_annotated(entry), i + 1);
  }
}

/* A plain range, a task or a hierarchy has no groups of the engine's: their sizes are for the headers
 * alone, which ask what the device may have and what a hierarchy is launched with. */
static void set(struct mpl_record *record, LLVMValueRef entry) {
  LLVMValueRef holder = LLVMGetOperand(entry, 4);
  LLVMValueRef list = LLVMIsAGlobalVariable(holder) ? LLVMGetInitializer(holder) : NULL;
  unsigned count = list ? LLVMCountStructElementTypes(LLVMTypeOf(list)) : 0;
  uint32_t sizes[3] = {1, 1, 1};
  if (!count || count > 3) return;
  for (unsigned i = 0; i < count; i++) { /* the last one is dimension 0 */
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(list, i));
    sizes[count - 1 - i] = (uint32_t)size;
    if (size >= UINT32_MAX) record->flags |= MPL_RECORD_NO_DEVICE;
  }
  if (mpl_annotation_is(entry, device_has))
    record->flags |= sizes[0] ? 0 : MPL_RECORD_NO_DEVICE;
  else if (mpl_annotation_is(entry, sub_group))
    record->reqd_sub_group = sizes[0];
  else if (record->flags & MPL_RECORD_EVEN)
    memcpy(record->reqd_local, sizes, sizeof sizes);
}

static void push(struct search *s, LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || !mpl_map_add(&s->seen, function)) return;
  MPL_APPEND(s->stack, s->depth) = function;
}

static void look_at(struct search *s, struct mpl_record *record, LLVMValueRef i) {
  if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) return;
  LLVMValueRef callee = LLVMGetCalledValue(i);
  if (!LLVMIsAFunction(callee)) return;
  uintptr_t entry = mpl_map_get(&s->entries, callee, 0);
  if (entry)
    set(record, LLVMGetAggregateElement(s->annotations, (unsigned)entry - 1));
  else
    push(s, callee);
}

static void write_down(const struct mpl_record *record) {
  mpl_record_set_number(record, MPL_RECORD_FIELD(reqd_sub_group), record->reqd_sub_group);
  mpl_record_set_number(record, MPL_RECORD_FIELD(flags), record->flags);
  for (unsigned d = 0; d < 3; d++)
    mpl_record_set_number(record, MPL_RECORD_FIELD(reqd_local) + d * sizeof(uint32_t), record->reqd_local[d]);
}

static void search_kernel(struct search *s, struct mpl_record *record) {
  push(s, record->item);
  while (s->depth) {
    LLVMValueRef function = s->stack[--s->depth];
    MPL_EACH_INSTRUCTION_OF(i, function) look_at(s, record, i);
  }
  mpl_map_free(&s->seen);
}

void mpl_records_require(LLVMModuleRef module, struct mpl_records *records) {
  struct search search = {0};
  find_entries(&search, module);
  for (unsigned i = 0; i < records->count && search.entries.count; i++) {
    search_kernel(&search, &records->list[i]);
    write_down(&records->list[i]);
  }
  free(search.stack);
  mpl_map_free(&search.entries);
}
