/* The table of kernels of a binary that is text: comments in front of it, a line for each fact, in
 * this order.  What can have spaces in it is the rest of its line.
 *
 *   //mpl object ABI-VERSION SIZE-OF-GLOBALS FLAGS
 *   //mpl kernel NAME            and what belongs to it, behind it; in place of it, for what
 *   //mpl construct              constructs and destroys objects of program scope, behind all others,
 *   //mpl destruct
 *   //mpl block NAME             of one that is enqueued: these are the last
 *   //mpl entry NAME             in the text
 *   //mpl sizes ARGS LOCAL PRIVATE, REQUIRED, HINT (three each), REQUIRED-SUB-GROUP FLAGS
 *   //mpl attributes TEXT
 *   //mpl arg SIZE ALIGN OFFSET POINTEE-ALIGN KIND SPACE ACCESS QUALIFIER; of C and C++, what it uses
 *   //mpl type TEXT              of the argument
 *   //mpl name TEXT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "compiler/passes.h"
#include "compiler/source/source.h"
#include "gpu.h"

/* A name may be of any length. */
static void __attribute__((format(printf, 2, 3))) say(struct mpl_module_ir *ir, const char *format,
                                                      ...) {
  char *line, *text;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&line, format, arguments) < 0 || asprintf(&text, "//mpl %s\n", line) < 0) abort();
  va_end(arguments);
  LLVMAppendModuleInlineAsm(ir->module, text, strlen(text));
  free(line);
  free(text);
}

/* In place of one argument, the block, the pointers in it that the kernel uses: to tell, when it has
 * ended in a fault, which of them were none of the GPU's (runtime/commands/given.c).  Nothing but that
 * sentence asks for more than there is room for. */
static void describe_pointers(struct mpl_module_ir *ir, const struct mpl_ir_kernel *k) {
  enum { MOST = 32 };
  uint64_t at[MOST];
  unsigned count = mpl_gpu_used_pointers(k->group, at, MOST);
  for (unsigned i = 0; i < count; i++) {
    if (at[i] < MPL_GPU_ARGS || at[i] - MPL_GPU_ARGS + 8 > k->args_size) continue;
    say(ir, "arg 8 8 %u 1 %u %u 0 0", (unsigned)(at[i] - MPL_GPU_ARGS), MPL_ARG_POINTER,
        MPL_GLOBAL_SPACE);
    say(ir, "type void*");
    say(ir, "name ");
  }
}

static void describe(struct mpl_module_ir *ir, const struct mpl_ir_kernel *k) {
  const unsigned *reqd = k->reqd_local, *hint = k->hint_local;
  if (!strcmp(k->name, MPL_CONSTRUCT))
    say(ir, "construct");
  else if (!strcmp(k->name, MPL_DESTRUCT))
    say(ir, "destruct");
  else
    say(ir, "%s %s", k->is_block ? "block" : "kernel", k->name);
  say(ir, "entry %s", LLVMGetValueName(k->group));
  say(ir, "sizes %u %llu %u %u %u %u %u %u %u %u %u", k->args_size,
      (unsigned long long)k->local_size, k->private_size, reqd[0], reqd[1], reqd[2], hint[0],
      hint[1], hint[2], k->reqd_sub_group, k->flags);
  say(ir, "attributes %s", k->attributes);
  if (ir->single_source) {
    describe_pointers(ir, k);
    return;
  }
  for (unsigned i = 0; i < k->num_args; i++) {
    const struct mpl_ir_arg *a = &k->args[i];
    say(ir, "arg %u %u %u %u %u %u %u %u", a->size, a->align, a->offset, a->pointee_align, a->kind,
        a->address_space, a->access, a->qualifier);
    say(ir, "type %s", a->type_name);
    say(ir, "name %s", a->name);
  }
}

/* A number from 1 on stands for the address of a block's kernel (abi/records.h). */
static void number_blocks(struct mpl_module_ir *ir) {
  unsigned count = 0;
  MPL_EACH_KERNEL(kernel, ir) {
    LLVMValueRef place = mpl_block_place(ir, kernel->name);
    if (!place) continue;
    LLVMReplaceAllUsesWith(place, LLVMConstIntToPtr(mpl_const64(ir, ++count), LLVMTypeOf(place)));
    LLVMDeleteGlobal(place);
    kernel->is_block = true;
  }
}

bool mpl_emit_comments(struct mpl_module_ir *ir) {
  number_blocks(ir);
  uint64_t size = 0;
  unsigned flags = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g)) {
    bool shared = mpl_space_of(g) == 3;
    if (shared || LLVMIsGlobalConstant(g) || LLVMIsDeclaration(g)) continue;
    size += LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(g));
    flags |= MPL_OBJECT_WRITES_GLOBALS;
  }
  say(ir, "object %u %llu %u", MPL_ABI_VERSION, (unsigned long long)size, flags);
  MPL_EACH_KERNEL(kernel, ir) describe(ir, kernel);
  return true;
}
