/* Places for messages: those of OpLine, else the number of the instruction, which is its line in
 * `spirv-dis --no-header`. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "reader.h"

static LLVMMetadataRef file_of(mpl_spirv r, const char *name) {
  return LLVMDIBuilderCreateFile(r->lines.builder, name, strlen(name), "", 0);
}

void mpl_spirv_begin_lines(mpl_spirv r) {
  static const char maker[] = "maniple", whole[] = "<SPIR-V>";
  if (!r->lines.wanted) return;
  r->lines.builder = LLVMCreateDIBuilder(r->module);
  r->lines.file = file_of(r, whole);
  r->lines.place = MPL_SPIRV_HEADER;
  LLVMDIBuilderCreateCompileUnit(r->lines.builder, LLVMDWARFSourceLanguageC99, r->lines.file, maker,
                                 sizeof maker - 1, true, "", 0, 0, "", 0, LLVMDWARFEmissionNone, 0,
                                 false, false, "", 0, "", 0);
  LLVMMetadataRef version =
      LLVMValueAsMetadata(LLVMConstInt(r->i32, LLVMDebugMetadataVersion(), false));
  LLVMAddModuleFlag(r->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18, version);
}

void mpl_spirv_end_lines(mpl_spirv r) {
  if (!r->lines.builder) return;
  LLVMDIBuilderFinalize(r->lines.builder);
  LLVMDisposeDIBuilder(r->lines.builder);
}

void mpl_spirv_begin_function_lines(mpl_spirv r) {
  LLVMDIBuilderRef b = r->lines.builder;
  if (!b) return;
  size_t length;
  const char *name = LLVMGetValueName2(r->function, &length);
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(b, r->lines.file, NULL, 0, 0);
  r->lines.function =
      LLVMDIBuilderCreateFunction(b, r->lines.file, name, length, "", 0, r->lines.file, 1, type,
                                  true, true, 1, LLVMDIFlagZero, true);
  LLVMSetSubprogram(r->function, r->lines.function);
  r->lines.in = NULL;
  r->lines.line = 0;
  LLVMSetCurrentDebugLocation2(
      r->b, LLVMDIBuilderCreateDebugLocation(r->context, 0, 0, r->lines.function, NULL));
}

static unsigned number_of(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_instruction passed;
  size_t end = (size_t)(in->words - r->binary.words);
  while (r->lines.place <= end && mpl_spirv_next(&r->binary, &r->lines.place, &passed))
    r->lines.number++;
  return r->lines.number;
}

/* OpLine holds until the block ends, another comes, or OpNoLine. */
static void follow(mpl_spirv r, mpl_spirv_in in) {
  if (in->opcode == SpvOpNoLine || in->opcode == SpvOpLabel) r->lines.line = 0;
  if (in->opcode != SpvOpLine) return;
  mpl_spirv_in file = &mpl_spirv_at(r, mpl_spirv_word(in, 1))->def;
  const char *name = file->words && file->opcode == SpvOpString ? mpl_spirv_text(file, 2) : "?";
  r->lines.in =
      LLVMDIBuilderCreateLexicalBlockFile(r->lines.builder, r->lines.function, file_of(r, name), 0);
  r->lines.line = mpl_spirv_word(in, 2);
  r->lines.column = mpl_spirv_word(in, 3);
}

void mpl_spirv_at_line(mpl_spirv r, mpl_spirv_in in) {
  if (!r->lines.builder) return;
  follow(r, in);
  bool is_said = r->lines.line;
  LLVMMetadataRef location = LLVMDIBuilderCreateDebugLocation(
      r->context, is_said ? r->lines.line : number_of(r, in), is_said ? r->lines.column : 0,
      is_said ? r->lines.in : r->lines.function, NULL);
  LLVMSetCurrentDebugLocation2(r->b, location);
}
