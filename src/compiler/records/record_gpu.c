/* What the records of kernels lead to that are compiled for GPUs (abi/record_gpu.h): the kernel's
 * text, or the reason for which there is none. */
#include "abi/record_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "compiler/analysis/ir.h"
#include "compiler/analysis/shim.h"
#include "gpu_part.h"

/* Comments of the pass `lacks`: "//mpl without NAME REASON". */
static const char without[] = "//mpl without ";
static const char variable[] = "//mpl variable "; /* gpu_variables.c */

struct made {
  LLVMModuleRef host;
  LLVMContextRef context;
  LLVMTypeRef i8, i32, i64, ptr;
};

static LLVMValueRef constant(const struct made *m, LLVMValueRef value, const char *name) {
  return mpl_add_global(m->host, value, name, LLVMInternalLinkage, true);
}

static LLVMValueRef text_constant(const struct made *m, const char *text, const char *name) {
  if (!text) return LLVMConstNull(m->ptr);
  return constant(m, LLVMConstStringInContext2(m->context, text, strlen(text), false), name);
}

static void set(const struct made *m, const struct mpl_record *record, const char *text,
                const char *entry, const char *why, LLVMValueRef variables,
                unsigned num_variables) {
  LLVMValueRef fields[] = {LLVMConstInt(m->i32, MPL_RECORD_GPU_VERSION, false),
                           LLVMConstInt(m->i32, text ? strlen(text) + 1 : 0, false),
                           text_constant(m, text, "mpl_gpu_text"),
                           text_constant(m, entry, "mpl_gpu_entry"),
                           text_constant(m, why, "mpl_gpu_why"),
                           LLVMConstInt(m->i64, num_variables, false),
                           num_variables ? constant(m, variables, "mpl_gpu_variables")
                                         : LLVMConstNull(m->ptr)};
  LLVMValueRef value =
      LLVMConstStructInContext(m->context, fields, sizeof fields / sizeof *fields, false);
  mpl_record_set(record, MPL_RECORD_FIELD(gpu), constant(m, value, "mpl_gpu"));
  char message[2048];
  snprintf(message, sizeof message, "kernel %s %s%s", record->name,
           why ? "is not compiled for GPUs: it " : "is compiled for GPUs", why ? why : "");
  mpl_ir_remark(record->item, "maniple-gpu", why != NULL, message);
}

static bool is_name(const char *text, const char *name, char end) {
  return mpl_begins(text, name) && text[strlen(name)] == end;
}

/* The reason for which the text has no such kernel; null: it has it. */
static char *reason_of(const char *text, const char *name) {
  char line[64];
  for (const char *at = text; (at = strstr(at, without)); at++) {
    const char *own = at + strlen(without);
    if (!is_name(own, name, ' ')) continue;
    own += strlen(name) + 1;
    char *why = strndup(own, strcspn(own, "\n"));
    if (!why) abort();
    return why;
  }
  snprintf(line, sizeof line, "//mpl kernel %s\n", name);
  return strstr(text, line) ? NULL : strdup("calls itself and a group or work-item function");
}

/* The text of one kernel: what is of others goes, their lines of the table and their entries.  The
 * driver's compiler takes its time for each entry when it loads a text. */
static char *text_of_one(const char *text, const char *name) {
  static const char mine[] = "//mpl kernel ", table[] = "//mpl ", entry[] = ".visible .entry ";
  char *made = malloc(strlen(text) + 1), *to = made;
  bool in_table = false, in_entry = false; /* of another */
  size_t line;
  if (!made) abort();
  for (; *text; text += line) {
    line = strcspn(text, "\n");
    line += text[line] == '\n';
    if (mpl_begins(text, mine))
      in_table = !is_name(text + strlen(mine), name, '\n');
    else if (!mpl_begins(text, table))
      in_table = false;
    if (mpl_begins(text, entry)) in_entry = !is_name(text + strlen(entry), name, '(');
    bool is_note = mpl_begins(text, without) || mpl_begins(text, variable);
    if (!in_table && !in_entry && !is_note) to = (char *)memcpy(to, text, line) + line;
    if (in_entry && *text == '}') in_entry = false;
  }
  *to = 0;
  return made;
}

static void set_all(const struct made *m, const struct mpl_records *records, const char *text) {
  char name[32];
  for (unsigned i = 0; i < records->count; i++) {
    snprintf(name, sizeof name, MPL_GPU_KERNEL, i);
    LLVMValueRef variables = NULL;
    unsigned count = 0;
    char *why = reason_of(text, name);
    if (!why && !mpl_gpu_variables(m->host, text, name, &variables, &count))
      why = strdup("uses a device_global that the host's part has under no name of up to 511 bytes");
    char *own = why ? NULL : text_of_one(text, name);
    set(m, &records->list[i], own, why ? NULL : name, why, variables, count);
    free(own);
    free(why);
  }
}

/* All together, or if that fails each by itself. */
static void compile(const struct made *m, const struct mpl_records *records) {
  char why[1024];
  if (!records->count) return;
  LLVMMemoryBufferRef bitcode = mpl_gpu_part(m->host, records);
  char *text = mpl_gpu_text(bitcode, why, sizeof why);
  LLVMDisposeMemoryBuffer(bitcode);
  if (text) {
    set_all(m, records, text);
  } else if (records->count == 1) {
    char full[1200];
    snprintf(full, sizeof full, "is refused by the compiler for GPUs: %s", why);
    set(m, records->list, NULL, NULL, full, NULL, 0);
  } else {
    for (unsigned i = 0; i < records->count; i++)
      compile(m, &(struct mpl_records){&records->list[i], 1});
  }
  free(text);
}

/* What is known of a kernel before it is compiled, or null. */
static const char *reason_before(const struct mpl_record *record) {
  enum { MOST = MPL_GPU_PARAMETER - MPL_GPU_ARGS };
  if (record->reqd_sub_group > MPL_GPU_LANES) return "requires sub-groups of more than 32";
  if ((record->args_size + 15u) / 16 * 16 > MOST)
    return "captures more than a GPU's kernel may (3.9 KB)";
  return NULL;
}

void mpl_records_compile_for_gpu(LLVMModuleRef host, const struct mpl_records *records) {
  LLVMContextRef context = LLVMGetModuleContext(host);
  struct made m = {host, context, LLVMInt8TypeInContext(context), LLVMInt32TypeInContext(context),
                   LLVMInt64TypeInContext(context),
                   LLVMPointerTypeInContext(context, 0)};
  struct mpl_records good = {mpl_allocate(records->count, sizeof *good.list), 0};
  for (unsigned i = 0; i < records->count; i++) {
    const char *why = reason_before(&records->list[i]);
    if (why)
      set(&m, &records->list[i], NULL, NULL, why, NULL, 0);
    else
      good.list[good.count++] = records->list[i];
  }
  compile(&m, &good);
  free(good.list);
}
