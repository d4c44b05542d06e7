/* Runs the passes of passes.def. */
#include "passes.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/target.h"
#include "plugin.h"
#include "runtime/options.h"

enum { COMPILED = 1, SINGLE_SOURCE = 2, CHECKED = 4, GPU = 8, FILTER = 16, ALL = 31 };

static const struct pass {
  const char *name;
  unsigned who;
  bool (*run)(struct mpl_module_ir *); /* or one of these */
  bool (*on_kernel)(struct mpl_module_ir *, struct mpl_ir_kernel *);
  bool (*on_instruction)(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef);
} passes[] = {
#define MPL_PASS(name, function, who, text) {name, who, function, NULL, NULL},
#define MPL_KERNEL_PASS(name, function, who, text) {name, who, NULL, function, NULL},
#define MPL_INSTRUCTION_PASS(name, function, who, text) {name, who, NULL, NULL, function},
#include "tables/passes.def"
};

static void dump(struct mpl_module_ir *ir, unsigned step, const char *name) {
  if (!*ir->dump_dir) return;
  char path[4096], *error = NULL;
  static const char *const plans[] = {"split", "plan"}; /* split/plan/dump.c, vector/plan/dump.c */
  for (unsigned k = 0; k < 2 && !step; k++) {
    snprintf(path, sizeof path, "%s/%s.txt", ir->dump_dir, plans[k]);
    remove(path); /* of the run before */
  }
  snprintf(path, sizeof path, "%s/%02u-%s.ll", ir->dump_dir, step, name);
  if (LLVMPrintModuleToFile(ir->module, path, &error)) LLVMDisposeMessage(error);
}

static _Noreturn void give_up(const struct mpl_module_ir *ir, const char *what) {
  fprintf(stderr, "maniple: internal error: pass '%s' %s\n", ir->pass, what);
  abort();
}

static void verify(const struct mpl_module_ir *ir, bool changed, uint64_t before, uint64_t after) {
  if (!changed && before == after) return; /* what was right still is */
  char *message = NULL;
  if (LLVMVerifyModule(ir->module, LLVMReturnStatusAction, &message)) {
    fprintf(stderr, "%s\n", message);
    give_up(ir, "broke the module");
  }
  LLVMDisposeMessage(message);
  if (!changed) give_up(ir, "changed the module and does not say so");
}

static bool run_pass(struct mpl_module_ir *ir, const struct pass *pass) {
  if (pass->run) return pass->run(ir);
  bool changed = false;
  MPL_EACH_KERNEL(kernel, ir) changed |= pass->on_kernel && pass->on_kernel(ir, kernel);
  if (pass->on_kernel) return changed;
  MPL_BUILDER(b, ir->context);
  MPL_EACH_FUNCTION(f, ir->module) MPL_EACH_INSTRUCTION_OF(i, f) {
    LLVMPositionBuilderBefore(b, i);
    changed |= pass->on_instruction(ir, b, i);
  }
  return changed;
}

static void run(struct mpl_module_ir *ir, unsigned who) {
  bool check = mpl_option_number(MPL_OPTION_PASS_VERIFY) != 0;
  uint64_t before = check ? mpl_ir_fingerprint(ir->module) : 0;
  for (unsigned i = 0, step = 0; i < sizeof passes / sizeof *passes && !ir->failed; i++) {
    if (!(passes[i].who & who)) continue;
    step++;
    ir->pass = passes[i].name;
    bool changed = run_pass(ir, &passes[i]);
    dump(ir, step, ir->pass);
    if (!check || ir->failed) continue;
    uint64_t after = mpl_ir_fingerprint(ir->module);
    verify(ir, changed, before, after);
    before = after;
  }
  mpl_target_use_half_registers(ir->module);
}

static void begin(struct mpl_module_ir *ir, LLVMModuleRef module) {
  mpl_ir_begin(ir, module);
  ir->target = mpl_target_of(mpl_target_model(module));
  ir->dump_dir = mpl_option_text(MPL_OPTION_PASS_DUMP);
}

bool mpl_run_passes(LLVMModuleRef module) {
  struct mpl_module_ir ir = {.checked = mpl_option_number(MPL_OPTION_CHECK) != 0,
                             .watched = mpl_option_number(MPL_OPTION_CHECK_MEMORY) != 0,
                             .plain = mpl_option_number(MPL_OPTION_PASS_DEBUG) != 0};
  begin(&ir, module);
  ir.gpu = !strncmp(LLVMGetTarget(module), "nvptx", 5);
  ir.single_source = ir.gpu && LLVMGetNamedMetadata(module, MPL_GPU_PART, strlen(MPL_GPU_PART));
  if (ir.plain) ir.watched = false;
  if (ir.plain) ir.checked = true;
  if (ir.gpu) ir.checked = ir.watched = ir.plain = false;
  ir.filters = ir.checked && ir.watched && mpl_option_number(MPL_OPTION_PASS_FILTER);
  if (ir.filters) ir.checked = false;
  ir.by_item = ir.checked || ir.gpu;
  dump(&ir, 0, "front-end");
  run(&ir, ir.gpu ? GPU : ir.filters ? COMPILED | FILTER : ir.checked ? CHECKED : COMPILED);
  mpl_ir_drop_lines(module);
  mpl_ir_end(&ir);
  return !ir.failed;
}

bool mpl_run_record_passes(LLVMModuleRef module, const struct mpl_records *records, bool filters,
                           char why[1024], void (*take)(struct mpl_module_ir *, void *),
                           void *data) {
  struct mpl_module_ir ir = {
      .records = records, .filters = filters, .watched = filters, .why = why};
  begin(&ir, module);
  dump(&ir, 0, "front-end");
  run(&ir, filters ? SINGLE_SOURCE | FILTER : SINGLE_SOURCE);
  if (!ir.failed) take(&ir, data);
  mpl_ir_end(&ir);
  return !ir.failed;
}
