/* Refuses what would do something by being loaded, or stand outside of code and data of the program's
 * kernels: whoever builds a program has not run it yet.
 *
 * Functions that are marked as constructors or destructors, ifuncs, sections and libraries of the
 * programmer's, assembly outside of functions, and directives in the assembly inside of them.  A
 * GPU's program is text for the driver, and its assembly needs directives (".reg").  What
 * constructs objects of program scope is clang's, and stays (lifetime.c). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/passes.h"
#include "source.h"

/* --- Marked instructions --- */

/* Of clang's own making, in C++ only; programs in C++ may take these names too: their functions are
 * then called by the same kernel as the constructors of their objects. */
static bool is_initialiser(struct mpl_module_ir *ir, const char *name) {
  return LLVMGetNamedMetadataNumOperands(ir->module, "opencl.cxx.version") &&
         (mpl_begins(name, "_GLOBAL__") || mpl_begins(name, "__cxx_global_var_init"));
}

static void check_list(struct mpl_module_ir *ir, const char *list_name, const char *kind) {
  LLVMValueRef list = LLVMGetNamedGlobal(ir->module, list_name);
  LLVMValueRef values = list ? LLVMGetInitializer(list) : NULL;
  unsigned count = values && LLVMIsAConstantArray(values) ? (unsigned)LLVMGetNumOperands(values) : 0;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetOperand(values, i), f = LLVMIsAFunction(LLVMGetOperand(entry, 1));
    const char *name = f ? LLVMGetValueName(f) : "?";
    if (is_initialiser(ir, name)) continue;
    char *readable = mpl_ir_demangle(name);
    mpl_report(ir, f ? f : list, "'%s' is marked as a %s; programs have only kernels that are run",
               readable, kind);
    LLVMDisposeMessage(readable);
  }
}

static bool is_ours(LLVMValueRef global, const char *section) {
  return !strcmp(section, "llvm.metadata") /* annotations, which nothing is made of */
         || mpl_is_own_section(section) ||
         (!strcmp(section, ".text.startup") && LLVMIsAFunction(global)); /* clang's initialisers */
}

/* The assembler reads it where assembly has it as an operand.  LLVM's own begin with '.' and are
 * private. */
static bool is_name(LLVMValueRef global) {
  const char *name = LLVMGetValueName(global);
  if (*name == 1) name++; /* in front of an assembler name, on other systems */
  if (*name == '.' && LLVMGetLinkage(global) != LLVMPrivateLinkage) return false;
  for (; *name; name++)
    if (*name == '"' || *name == '\\' || iscntrl((unsigned char)*name)) return false;
  return true;
}

/* Nobody else asks for what is internal by its name, which may be clang's (".compoundliteral") or
 * any text of SPIR-V's (LLVM's translator names strings ".str"). */
static void rename_internal(LLVMValueRef global) {
  size_t size;
  const char *old = LLVMGetValueName2(global, &size);
  char *name = malloc(size + 1);
  if (!name) abort();
  for (size_t i = 0; i < size; i++) {
    bool is_fine = isalnum((unsigned char)old[i]) || (i && old[i] == '.');
    name[i] = is_fine ? old[i] : '_';
  }
  LLVMSetValueName2(global, name, size);
  free(name);
}

/* Returns whether it has changed something. */
static bool check_global(struct mpl_module_ir *ir, LLVMValueRef global) {
  const char *section = mpl_ir_section(global), *name = LLVMGetValueName(global);
  if (section && !is_ours(global, section))
    mpl_report(ir, global, "'%s' is put into the section '%s'; programs have no sections of their own",
               name, section);
  if (is_name(global)) return false;
  bool is_internal = LLVMGetLinkage(global) == LLVMInternalLinkage;
  if (is_internal)
    rename_internal(global);
  else
    mpl_report(ir, global, "an assembler name (asm label) is not a name");
  return is_internal;
}

/* --- Assembly --- */

static const char *skip_blanks(const char *c) {
  for (;;) {
    c += strspn(c, " \t\f\v");
    if (!mpl_begins(c, "/*")) return c;
    const char *end = strstr(c + 2, "*/");
    if (!end) return c;
    c = end + 2;
  }
}

/* With a number, as LLVM writes it for %=. */
static const char *skip_name(const char *c) {
  static const char number[] = "${:uid}";
  for (;;)
    if (isalnum((unsigned char)*c) || *c == '_' || *c == '.')
      c++;
    else if (mpl_begins(c, number))
      c += sizeof number - 1;
    else
      return c;
}

/* One statement: labels, then an instruction that begins with its name, a comment, or nothing. */
static bool is_plain(const char *c) {
  for (;;) {
    c = skip_blanks(c);
    const char *end = skip_name(c), *next = skip_blanks(end);
    if (*next == ':' && end > c && (*c != '.' || mpl_begins(c, ".L")))
      c = next + 1;
    else if (isalpha((unsigned char)*c))
      return *next != '=';
    else
      return !*c || strchr("\n\r;#", *c) || mpl_begins(c, "//") || mpl_begins(c, "$(");
  }
}

/* What goes on a statement: an alternative of "$(x$|y$)", for the two syntaxes, and what follows. */
static bool goes_on(const char *c) {
  c = skip_blanks(c);
  return !*c || !strchr(".:=\"/", *c);
}

/* Comments are looked at as well. */
static bool has_directive(const char *text) {
  bool good = is_plain(text);
  for (const char *c = text; good && *c; c++) {
    bool is_dollar = *c == '$' && c[1];
    if (strchr("\n\r;", *c)) good = is_plain(c + 1);
    if (is_dollar && strchr("(|)", c[1])) good = goes_on(c + 2);
    c += is_dollar;
  }
  return !good;
}

static void check_assembly(struct mpl_module_ir *ir, LLVMValueRef call) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(call);
  if (opcode != LLVMCall && opcode != LLVMInvoke && opcode != LLVMCallBr) return;
  LLVMValueRef assembly = LLVMIsAInlineAsm(LLVMGetCalledValue(call));
  size_t size;
  const char *text = assembly ? LLVMGetInlineAsmAsmString(assembly, &size) : "";
  if (assembly && (strlen(text) != size || has_directive(text)))
    mpl_report(ir, call, "this assembly has a directive, or another thing that is neither an "
                         "instruction nor a label; kernels have only these");
}

static void check_module_assembly(struct mpl_module_ir *ir) {
  size_t size;
  const char *text = LLVMGetModuleInlineAsm(ir->module, &size);
  if (!size) return;
  LLVMValueRef nowhere = LLVMConstNull(ir->i32);
  mpl_report(ir, nowhere, "assembly stands outside of functions: '%.*s'",
             (int)strcspn(text, "\n"), text);
}

bool mpl_refuse_unpermitted(struct mpl_module_ir *ir) {
  bool changed = false;
  check_list(ir, "llvm.global_ctors", "constructor");
  check_list(ir, "llvm.global_dtors", "destructor");
  for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(ir->module); f; f = LLVMGetNextGlobalIFunc(f))
    mpl_report(ir, f, "'%s' is chosen by code that would run when the program is loaded (an ifunc)",
               LLVMGetValueName(f));
  for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
    changed |= check_global(ir, g);
  MPL_EACH_FUNCTION(f, ir->module) {
    changed |= check_global(ir, f);
    if (ir->gpu) continue;
    MPL_EACH_INSTRUCTION_OF(i, f) check_assembly(ir, i);
  }
  check_module_assembly(ir);
  if (LLVMGetNamedMetadataNumOperands(ir->module, "llvm.dependent-libraries"))
    mpl_report(ir, LLVMConstNull(ir->i32), "a pragma asks for a library (comment lib); programs have none");
  return changed;
}
