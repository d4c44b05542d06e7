/* The pipeline. */
#include "passes.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/options.h"

struct pass {
  const char *name;
  void (*run)(struct mpl_module_ir *);
};

static const struct pass pipeline[] = {
    {"lifetime", mpl_find_lifetimes}, /* what makes and ends program-scope objects: two kernels */
    {"library", mpl_link_library},    /* built-in functions: those that the program uses */
    {"divide", mpl_guard_divisions},  /* integer division by zero does not trap */
    {"find", mpl_find_kernels},       /* a group function for every kernel, calling it */
    {"printf", mpl_lower_printf},     /* printf: arguments packed, the host called */
    {"inline", mpl_inline},           /* what reaches a sync point or an id goes into its kernel */
    {"check", mpl_check_calls},       /* no call to a function that does not exist */
    {"launch", mpl_hoist_launch},     /* arguments and sizes are read once, at the top */
    {"atomics", mpl_lower_local_atomics}, /* atomics on local memory need no bus lock */
    {"local", mpl_place_local_memory},    /* local variables become places in the group's memory */
    {"hoist", mpl_hoist_uniform},         /* uniform arithmetic leaves varying branches */
    {"pack", mpl_compact_stores}, /* conditional stores to consecutive places: one operation */
    {"peel", mpl_peel_loops},  /* first turns, where what is carried round is uniform after them */
    {"interchange",
     mpl_interchange_loops},           /* the work-item loop innermost, where that vectorises */
    {"leader", mpl_set_one_item_apart}, /* what one work-item does is no part of the loop */
    {"yield", mpl_let_spinning_yield}, /* a sub-group that waits for another lets it run */
    {"split", mpl_split_kernels},      /* regions between sync points become work-item loops */
    {"table", mpl_emit_table},         /* what the run time reads */
};

/* For the checking engine: kernels stay functions of one work-item. */
static const struct pass checked[] = {
    {"calls", mpl_name_calls}, /* which collectives are called, and where */
    {"lifetime", mpl_find_lifetimes}, {"library", mpl_link_library},
    {"divide", mpl_guard_divisions},  {"find", mpl_find_kernels},
    {"printf", mpl_lower_printf},
    {"keep", mpl_keep_accesses}, /* no load where the program has none */
    {"inline", mpl_inline},
    {"check", mpl_check_calls},       {"local", mpl_place_local_memory},
    {"accesses", mpl_watch_accesses}, /* the engine hears of accesses to shared memory */
    {"items", mpl_make_items}, /* ids and collectives become calls of the engine */
    {"table", mpl_emit_table},
};

/* For kernels in C and C++. */
static const struct pass single_source[] = {
    {"math", mpl_free_math}, /* math functions only compute */
    {"library", mpl_link_library},
    {"divide", mpl_guard_divisions},
    {"records", mpl_find_records}, /* a group function for every record, calling its item */
    {"inline", mpl_inline},
    {"check", mpl_check_records}, /* no call that might throw or call a group function */
    {"launch", mpl_hoist_launch},
    {"atomics", mpl_lower_local_atomics},
    {"hoist", mpl_hoist_uniform},
    {"pack", mpl_compact_stores},
    {"peel", mpl_peel_loops},
    {"interchange", mpl_interchange_loops},
    {"leader", mpl_set_one_item_apart},
    {"yield", mpl_let_spinning_yield},
    {"split", mpl_split_kernels},
    {"marks", mpl_mark_math_calls}, /* what is known of math functions goes to their calls */
};

static void dump(struct mpl_module_ir *ir, unsigned step, const char *name) {
  if (!*ir->dump_dir) return;
  char path[4096], *error = NULL;
  snprintf(path, sizeof path, "%s/%02u-%s.ll", ir->dump_dir, step, name);
  if (LLVMPrintModuleToFile(ir->module, path, &error)) LLVMDisposeMessage(error);
}

static void verify(struct mpl_module_ir *ir, const char *pass) {
  char *message = NULL;
  if (LLVMVerifyModule(ir->module, LLVMReturnStatusAction, &message)) {
    fprintf(stderr, "maniple: internal error: the module is not valid after pass '%s':\n%s\n", pass,
            message);
    abort();
  }
  LLVMDisposeMessage(message);
}

static void begin(struct mpl_module_ir *ir, LLVMModuleRef module) {
  mpl_ir_begin(ir, module);
  ir->dump_dir = mpl_option_text(MPL_OPTION_PASS_DUMP);
  dump(ir, 0, "front-end");
}

static void run(struct mpl_module_ir *ir, const struct pass *passes, unsigned count) {
  bool check = mpl_option_number(MPL_OPTION_PASS_VERIFY) != 0;
  for (unsigned i = 0; i < count && !ir->failed; i++) {
    passes[i].run(ir);
    dump(ir, i + 1, passes[i].name);
    if (check && !ir->failed) verify(ir, passes[i].name);
  }
}

#define RUN(ir, passes) run(ir, passes, sizeof passes / sizeof *passes)

bool mpl_run_passes(LLVMModuleRef module) {
  struct mpl_module_ir ir = {.checked = mpl_option_number(MPL_OPTION_CHECK) != 0,
                             .watched = mpl_option_number(MPL_OPTION_CHECK_MEMORY) != 0};
  begin(&ir, module);
  if (ir.checked)
    RUN(&ir, checked);
  else
    RUN(&ir, pipeline);
  mpl_ir_end(&ir);
  return !ir.failed;
}

bool mpl_run_record_passes(LLVMModuleRef module, const struct mpl_records *records, char why[1024],
                           void (*take)(struct mpl_module_ir *, void *), void *data) {
  struct mpl_module_ir ir = {.records = records, .why = why};
  begin(&ir, module);
  RUN(&ir, single_source);
  if (!ir.failed) take(&ir, data);
  mpl_ir_end(&ir);
  return !ir.failed;
}

