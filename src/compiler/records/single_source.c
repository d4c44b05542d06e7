/* Kernels in C and C++: for each kernel record of a host module that can be compiled, a function
 * that runs a whole work-group.
 *
 * What the kernels reach is copied (extract.h); maniple's passes make group functions of it, as
 * they do of OpenCL kernels; the result is linked back, and the records are filled in.  What cannot
 * be compiled (a kernel that throws, that calls through a pointer or into another file) keeps an
 * empty record, and runs on fibres: never an error, and never another answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "compiler/passes.h"
#include "compiler/plugin.h"
#include "compiler/source/source.h"
#include "extract.h"
#include "instruction_set.h"
#include "maniple/kernel.h"
#include "record.h"
#include "runtime/options.h"

/* --- The first pass: each record's kernel --- */

/* void group(launch, group) { item(launch->args); } */
static void add_group_function(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  LLVMValueRef args;
  LLVMBuilderRef b = mpl_begin_group_function(ir, kernel, "mpl_group", &args);
  LLVMBuildCall2(b, LLVMGlobalGetValueType(kernel->source), kernel->source, &args, 1, "");
  mpl_end_group_function(kernel, b);
}

static void add_kernel(struct mpl_module_ir *ir, const struct mpl_record *record) {
  struct mpl_ir_kernel *kernel = &ir->kernels[ir->num_kernels];
  kernel->record = ir->num_kernels++;
  kernel->source = LLVMGetNamedFunction(ir->module, LLVMGetValueName(record->item));
  kernel->name = strdup(record->name);
  if (!kernel->name) abort();
  kernel->reqd_sub_group = record->reqd_sub_group;
  kernel->dims = record->dims;
  kernel->args_size = record->args_size;
  kernel->has_no_groups = record->flags & MPL_RECORD_NO_GROUPS;
  if (!kernel->has_no_groups)
    memcpy(kernel->reqd_local, record->reqd_local, sizeof kernel->reqd_local);
  kernel->sub_group = record->reqd_sub_group ? record->reqd_sub_group : MPL_RECORD_SUB_GROUP;
  add_group_function(ir, kernel);
}

bool mpl_find_records(struct mpl_module_ir *ir) {
  ir->kernels = mpl_allocate(ir->records->count, sizeof *ir->kernels);
  if (ir->records->count == 1 && !ir->filters) ir->alone = ir->records->list[0].name;
  for (unsigned i = 0; i < ir->records->count; i++) add_kernel(ir, &ir->records->list[i]);
  return ir->num_kernels > 0;
}

/* --- From the part back to the host --- */

/* Of a kernel. */
struct result {
  LLVMValueRef group; /* or the filter's variable */
  uint64_t private_size;
  uint32_t scratch_per_item, scratch_fixed, flags;
};

struct results {
  const struct mpl_records *records;
  struct result *list;
  uint32_t level;
  bool filters;
};

static void name_result(char *name, size_t room, const struct results *results, unsigned index) {
  snprintf(name, room, "%s.%u.%s", results->filters ? "mpl_filter" : "mpl_group", index,
           LLVMGetValueName(results->records->list[index].variable));
}

static bool write_down(const struct mpl_record *record, const struct result *result) {
  return mpl_record_set_number(record, MPL_RECORD_FIELD(private_size), result->private_size) &&
         mpl_record_set_number(record, MPL_RECORD_FIELD(scratch_per_item), result->scratch_per_item) &&
         mpl_record_set_number(record, MPL_RECORD_FIELD(scratch_fixed), result->scratch_fixed) &&
         mpl_record_set_number(record, MPL_RECORD_FIELD(flags), record->flags | result->flags) &&
         mpl_record_set(record, MPL_RECORD_FIELD(group), result->group);
}

static void fill(const struct results *results, unsigned index) {
  char text[512];
  const struct mpl_record *record = &results->records->list[index];
  struct result *result = &results->list[index];
  result->flags |= results->level;
  LLVMSetLinkage(result->group, LLVMInternalLinkage);
  bool filled = results->filters ? mpl_record_set(record, MPL_RECORD_FIELD(filter), result->group)
                                 : write_down(record, result);
  snprintf(text, sizeof text, "kernel %s %s", record->name,
           !filled            ? "has a record of an unknown form: its work-items are fibres"
           : results->filters ? "has a filter"
                              : "is compiled");
  mpl_ir_remark(record->item, "maniple", !filled, text);
}

static void fill_all(LLVMModuleRef host, struct results *results) {
  char name[4096];
  for (unsigned i = 0; i < results->records->count; i++) {
    name_result(name, sizeof name, results, i);
    results->list[i].group =
        results->filters ? LLVMGetNamedGlobal(host, name) : LLVMGetNamedFunction(host, name);
    if (results->list[i].group) fill(results, i); /* what has no filter has none */
  }
}

/* The passes are done with these kernels. */
static void take_kernels(struct mpl_module_ir *ir, void *data) {
  struct results *results = data;
  char name[4096];
  MPL_EACH_KERNEL(kernel, ir) {
    struct result *result = &results->list[kernel->record];
    name_result(name, sizeof name, results, kernel->record);
    if (results->filters) {
      mpl_record_filter_make(ir, kernel, results->level, name);
      continue;
    }
    result->private_size = kernel->private_size;
    result->scratch_per_item = kernel->scratch_per_item;
    result->scratch_fixed = kernel->scratch_fixed;
    result->flags = kernel->flags & MPL_KERNEL_HAS_SYNC ? MPL_RECORD_HAS_SYNC : 0;
    if (kernel->uses_lanes) result->flags |= kernel->sub_group << MPL_RECORD_SUB_GROUP_SHIFT;
    result->flags |= kernel->widest << MPL_RECORD_LANES_SHIFT;
    LLVMSetValueName2(kernel->group, name, strlen(name));
    LLVMSetLinkage(kernel->group, LLVMExternalLinkage);
  }
}

/* All such jumps of a function are one instruction, which no line has: a branch that leads to it. */
static LLVMValueRef jump_in_source(LLVMBasicBlockRef block) {
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
  if (LLVMGetDebugLocLine(jump)) return jump;
  MPL_EACH_USER(user, LLVMBasicBlockAsValue(block))
  if (LLVMIsABranchInst(user) && LLVMGetDebugLocLine(user)) return user;
  return jump;
}

/* Labels have addresses in the host's functions, and no others: in a copy they would lead back. */
static LLVMValueRef jump_to_address(LLVMModuleRef copy) {
  MPL_EACH_FUNCTION(f, copy)
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    if (LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(b)))
      return jump_in_source(b);
  return NULL;
}

/* Only the checking engine wants to know them. */
static void leave_out_scopes(LLVMModuleRef copy) {
  LLVMValueRef told = LLVMGetNamedFunction(copy, "mpl_told_scope");
  if (!told) return;
  MPL_EACH_USER(user, told)
  if (LLVMIsACallInst(user)) LLVMInstructionEraseFromParent(user);
}

/* Says why none of the kernels that are compiled together can be. */
static void refuse(const struct mpl_records *records, bool filters, char why[1024],
                   const char *what, LLVMValueRef where) {
  strcpy(why, what);
  if (records->count == 1 && !filters)
    mpl_say_fibres(where ? where : records->list[0].item, records->list[0].name, what);
}

/* False, with the reason in `why`, if one of the kernels cannot be compiled; nothing is changed
 * then. */
static bool compile(struct mpl_extract *part, const struct mpl_records *records, bool filters,
                    char why[1024]) {
  LLVMModuleRef copy = mpl_extract_copy(part, filters);
  leave_out_scopes(copy);
  uint32_t level = mpl_choose_instruction_set(copy);
  struct results results = {records, mpl_allocate(records->count, sizeof *results.list),
                            filters ? level >> MPL_RECORD_LEVEL_SHIFT : level, filters};
  LLVMValueRef jump = jump_to_address(copy);
  bool good = !jump;
  if (good)
    good = mpl_run_record_passes(copy, records, filters, why, take_kernels, &results);
  else
    refuse(records, filters, why, "it jumps to the address of a label", jump);
  if (good) {
    good = mpl_ir_link(part->host, copy);
    if (!good) refuse(records, filters, why, "it cannot be linked", NULL);
  } else {
    LLVMDisposeModule(copy);
  }
  if (good) fill_all(part->host, &results);
  free(results.list);
  return good;
}

/* All together, or if that fails each half by itself: each attempt copies the module, and of many
 * kernels few fail.  False if some are not compiled. */
static bool compile_all(LLVMModuleRef host, const struct mpl_records *records, bool filters) {
  char why[1024];
  struct mpl_extract part;
  mpl_extract_find(&part, host, records, false);
  bool good = compile(&part, records, filters, why);
  mpl_extract_free(&part);
  if (good) return true;
  if (records->count == 1) {
    char text[2048];
    snprintf(text, sizeof text, "kernel %s %s: %s", records->list[0].name,
             filters ? "has no filter" : "runs on fibres", why);
    mpl_ir_remark(records->list[0].item, "maniple", true, text);
    return false;
  }
  unsigned half = records->count / 2;
  good = compile_all(host, &(struct mpl_records){records->list, half}, filters);
  good &= compile_all(host, &(struct mpl_records){records->list + half, records->count - half}, filters);
  return good;
}

/* Its accesses will be told of, as they are in what is not optimised: then all of them, also those
 * that no filter would have. */
static bool is_watched(const struct mpl_record *record) {
  return mpl_has_attribute(record->item, "sanitize_thread");
}

static bool is_as_written(const struct mpl_records *records) {
  for (unsigned i = 0; i < records->count; i++)
    if (mpl_has_attribute(records->list[i].item, "optnone")) return true;
  return false;
}

bool mpl_is_opencl(LLVMModuleRef module) {
  return LLVMGetNamedMetadata(module, "opencl.ocl.version", strlen("opencl.ocl.version")) ||
         LLVMGetNamedMetadata(module, "opencl.cxx.version", strlen("opencl.cxx.version"));
}

/* Those that are for GPUs alone go. */
static void keep_own(struct mpl_records *records) {
  unsigned count = records->count;
  records->count = 0;
  for (unsigned i = 0; i < count; i++) {
    if (records->list[i].flags & MPL_RECORD_GPU_ONLY)
      free(records->list[i].name);
    else
      records->list[records->count++] = records->list[i];
  }
}

/* The program has GPUs among its devices: with -D__MANIPLE_CUDA__=1 the header says so. */
static bool is_for_gpus(LLVMModuleRef module) {
  return LLVMGetNamedFunction(module, "mpl_offer_gpus");
}

bool mpl_compile_records(LLVMModuleRef module) {
  if (mpl_is_opencl(module)) return false;
  struct mpl_records records = mpl_records_find(module);
  mpl_records_require(module, &records);
  mpl_records_tell_variables(module, &records);
  mpl_records_place(module);
  mpl_records_count_places(module, &records);
  for (unsigned i = 0; i < records.count; i++) {
    records.list[i].flags |= MPL_RECORD_COUNTS_TURNS; /* items/turns.c */
    mpl_record_set_number(&records.list[i], MPL_RECORD_FIELD(flags), records.list[i].flags);
  }
  bool filters = records.count && is_watched(&records.list[0]);
  if (records.count && is_for_gpus(module) && !filters) mpl_records_compile_for_gpu(module, &records);
  keep_own(&records);
  bool compiles =
      records.count && mpl_is_own_target(module) && !(filters && is_as_written(&records));
  if (compiles && !compile_all(module, &records, filters) && !filters &&
      mpl_option_number(MPL_OPTION_PASS_FIBRES) > 1)
    exit(1); /* which and why is said by now */
  mpl_records_free(&records);
  mpl_count_turns_of_host(module);
  return true;
}
