#include "source_place.h"

#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

static LLVMMetadataRef file_of(LLVMMetadataRef location) {
  return LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
}

/* A part of a file's name, which LLVM does not end with a 0. */
static void copy_name(const char *name, unsigned length, char *out, size_t room) {
  snprintf(out, room, "%.*s", name ? (int)length : 0, name ? name : "");
}

static bool is_own_header(LLVMMetadataRef file) {
  char name[PATH_MAX], folder[PATH_MAX];
  unsigned length = 0;
  const char *text = LLVMDIFileGetFilename(file, &length);
  copy_name(text, length, name, sizeof name);
  text = LLVMDIFileGetDirectory(file, &length);
  copy_name(text, length, folder, sizeof folder);
  return strstr(name, "/opencl_cpp/") || strstr(folder, "/opencl_cpp");
}

/* Maniple's own headers are no place that a programmer knows: the line that called them is. */
static LLVMMetadataRef visible_location(LLVMMetadataRef location) {
  LLVMMetadataRef caller;
  while (is_own_header(file_of(location)) && (caller = LLVMDILocationGetInlinedAt(location)))
    location = caller;
  return location;
}

static LLVMValueRef text(struct mpl_module_ir *ir, const char *value, unsigned length) {
  LLVMValueRef file = mpl_text(ir, value, length, "mpl.file");
  LLVMSetUnnamedAddress(file, LLVMGlobalUnnamedAddr); /* one for all who say the same */
  return file;
}

/* One line of a source that the debug information holds; null if it does not. */
static LLVMValueRef line_text(struct mpl_module_ir *ir, LLVMMetadataRef file, unsigned line) {
  unsigned length = 0;
  const char *source = LLVMDIFileGetSource(file, &length);
  const char *end = source ? source + length : NULL, *newline = NULL;
  for (; source; source = newline ? newline + 1 : NULL) {
    newline = memchr(source, '\n', (size_t)(end - source));
    if (!--line) break;
  }
  if (!source) return LLVMConstNull(ir->ptr);
  return text(ir, source, (unsigned)((newline ? newline : end) - source));
}

LLVMValueRef mpl_source_place(struct mpl_module_ir *ir, LLVMValueRef call) {
  static const char given_as_text[] = "<source>";
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(call);
  LLVMValueRef file = LLVMConstNull(ir->ptr), source = file;
  unsigned line = 0, column = 0, length = 0;
  if (location) {
    location = visible_location(location);
    line = LLVMDILocationGetLine(location);
    column = LLVMDILocationGetColumn(location);
    const char *name = LLVMDIFileGetFilename(file_of(location), &length);
    bool unnamed = !name || (length >= 6 && !memcmp(name, "/proc/", 6));
    file = unnamed ? text(ir, given_as_text, sizeof given_as_text - 1) : text(ir, name, length);
    if (unnamed && line) source = line_text(ir, file_of(location), line);
  }
  LLVMValueRef fields[] = {file, source, mpl_const32(ir, line), mpl_const32(ir, column)};
  return LLVMConstStructInContext(ir->context, fields, 4, false);
}
