#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir.h"
#include "runtime/options.h"

void mpl_say_fibres(LLVMValueRef where, const char *kernel, const char *why) {
  char text[2048];
  long how = mpl_option_number(MPL_OPTION_PASS_FIBRES);
  if (!how) return;
  snprintf(text, sizeof text, "kernel %s runs on fibres: %s [-W%smaniple-fibres]", kernel, why,
           how > 1 ? "error=" : "");
  mpl_ir_say(where, how > 1 ? "error" : "warning", text);
}

void mpl_report(struct mpl_module_ir *ir, LLVMValueRef where, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (!ir->why)
    mpl_ir_say(where, "error", message);
  else if (!ir->failed)
    strcpy(ir->why, message);
  if (ir->alone && !ir->failed) mpl_say_fibres(where, ir->alone, message);
  ir->failed = true;
}

/* "gray" of "mpl_group.gray" and of what was made of it. */
static void kernel_name(LLVMValueRef where, char *name, size_t room) {
  if (LLVMIsAInstruction(where)) where = LLVMGetBasicBlockParent(LLVMGetInstructionParent(where));
  const char *full = LLVMGetValueName(where);
  if (!strncmp(full, "mpl_", 4) && strchr(full, '.')) full = strchr(full, '.') + 1;
  snprintf(name, room, "%.*s", (int)strcspn(full, "."), full);
}

static void remark(struct mpl_module_ir *ir, LLVMValueRef where, const char *word,
                   const char *format, va_list arguments) {
  char pass[512], message[1024], kernel[256];
  vsnprintf(message, sizeof message, format, arguments);
  kernel_name(where, kernel, sizeof kernel);
  /* More than "maniple", which every compilation asks for (toolchain/clang/command_lines.c). */
  snprintf(pass, sizeof pass, "maniple-%s:%s%s%s", ir->pass, kernel, *word ? ":" : "", word);
  mpl_ir_remark(where, pass, false, message);
}

void mpl_remark(struct mpl_module_ir *ir, LLVMValueRef where, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  remark(ir, where, "", format, arguments);
  va_end(arguments);
}

void mpl_tell(struct mpl_module_ir *ir, LLVMValueRef where, enum mpl_fact fact, const char *format,
              ...) {
  static const char *const words[] = {
#define MPL_FACT(id, word, level, meaning) word,
#include "tables/facts.def"
  };
  va_list arguments;
  va_start(arguments, format);
  remark(ir, where, words[fact], format, arguments);
  va_end(arguments);
}

FILE *mpl_open_dump(const struct mpl_module_ir *ir, const char *name) {
  char path[4096];
  if (!*ir->dump_dir) return NULL;
  snprintf(path, sizeof path, "%s/%s", ir->dump_dir, name);
  return fopen(path, "a");
}
