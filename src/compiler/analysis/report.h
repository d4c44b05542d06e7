/* What the passes tell: errors, warnings, remarks. */
#ifndef MPL_COMPILER_REPORT_H
#define MPL_COMPILER_REPORT_H

#include <llvm-c/Core.h>
#include <stdio.h>

struct mpl_module_ir;

/* Reports at `where` (an instruction or a function) and marks the module as failed. */
void mpl_report(struct mpl_module_ir *, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says, where -Wmaniple-fibres asks for it, that a kernel of a C or C++ program is not compiled, and
 * why; `where` is the call, or the kernel's function. */
void mpl_say_fibres(LLVMValueRef where, const char *kernel, const char *why);

/* Says that the pass did something at `where`: for -Rpass=maniple, named maniple-PASS:KERNEL. */
void mpl_remark(struct mpl_module_ir *, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of what a line became, named maniple-PASS:KERNEL:WORD. */
enum mpl_fact {
#define MPL_FACT(id, word, level, meaning) MPL_FACT_##id,
#include "tables/facts.def"
};
void mpl_tell(struct mpl_module_ir *, LLVMValueRef where, enum mpl_fact, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Where passes are dumped: a text in that folder, to which is added; else null.  To be closed. */
FILE *mpl_open_dump(const struct mpl_module_ir *, const char *name);

#endif
