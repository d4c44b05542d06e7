/* Links what a program uses of the built-in library (src/builtins/archive.h, beside the plugin).
 *
 * A program's undefined functions are looked up; the modules that define them are linked, and what
 * those leave undefined is looked up in turn.  Linked functions become internal and are compiled
 * for the program's processor. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtins/archive.h"
#include "compiler/analysis/target.h"
#include "compiler/analysis/target_abilities.h"
#include "compiler/passes.h"

/* The library's functions are not more than a few calls deep. */
enum { MOST_ROUNDS = 32 };

struct library {
  const char *file;
  size_t size;
  const struct mpl_archive_header *header;
  const struct mpl_archive_symbol *symbols;
  const struct mpl_archive_member *members;
  char abi;
};

static bool fits(const struct library *library, uint64_t offset, uint64_t size) {
  return offset <= library->size && size <= library->size - offset;
}

/* The file beside this plugin, mapped for the rest of the process. */
static bool open_library(struct library *library) {
  Dl_info info;
  char path[PATH_MAX];
  errno = 0;
  if (!dladdr((void *)mpl_link_library, &info) || !info.dli_fname) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  int folder = slash ? (int)(slash - info.dli_fname + 1) : 0;
  int length = snprintf(path, sizeof path, "%.*s%s", folder, info.dli_fname, MPL_ARCHIVE_NAME);
  if (length < 0 || (size_t)length >= sizeof path) return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd < 0) return false;
  void *file = MAP_FAILED;
  if (!fstat(fd, &status) && (size_t)status.st_size >= sizeof *library->header)
    file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (file == MAP_FAILED) return false;
  library->file = file;
  library->size = (size_t)status.st_size;
  library->header = file;
  library->symbols = (const void *)(library->header + 1);
  library->members = (const void *)(library->symbols + library->header->num_symbols);
  uint64_t index = (uint64_t)library->header->num_symbols * sizeof *library->symbols +
                   (uint64_t)library->header->num_members * sizeof *library->members;
  return !memcmp(library->header->magic, MPL_ARCHIVE_MAGIC, sizeof library->header->magic) &&
         fits(library, sizeof *library->header, index) && library->file[library->size - 1] == 0;
}

/* The member that defines a function for an ABI, or -1. */
static int64_t find_for(const struct library *library, char abi, const char *name) {
  uint32_t low = 0, high = library->header->num_symbols;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    uint32_t at = library->symbols[middle].name;
    if (at >= library->size) return -1;
    const char *symbol = library->file + at;
    int order = abi - symbol[0];
    if (!order) order = strcmp(name, symbol + 1);
    if (!order) {
      uint32_t member = library->symbols[middle].member;
      return member < library->header->num_members ? (int64_t)member : -1;
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return -1;
}

static int64_t find_member(const struct library *library, const char *name, bool widened) {
  int64_t member = find_for(library, library->abi - 'a' + 'A', name);
  if (widened) return member;
  return member >= 0 ? member : find_for(library, library->abi, name);
}

/* Is there any function for an ABI?  Symbols are sorted by its letter first. */
static bool has_any(const struct library *library, char abi) {
  uint32_t low = 0, high = library->header->num_symbols;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, at = library->symbols[middle].name;
    if (at >= library->size) return false;
    if (library->file[at] == abi) return true;
    if (abi < library->file[at])
      high = middle;
    else
      low = middle + 1;
  }
  return false;
}

static bool report(struct mpl_module_ir *ir, enum mpl_linked problem) {
  const char *text = problem == MPL_LINK_DAMAGED
                         ? "%s is damaged: install maniple again"
                         : "%s has no functions for this processor: install the maniple that was built for it";
  mpl_report(ir, mpl_target_model(ir->module), text, MPL_ARCHIVE_NAME);
  return false;
}

static enum mpl_linked link_member(struct mpl_module_ir *ir, const struct library *library,
                                   uint32_t index) {
  const struct mpl_archive_member *member = &library->members[index];
  if (!fits(library, member->offset, member->size)) return MPL_LINK_DAMAGED;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      library->file + member->offset, member->size, MPL_ARCHIVE_NAME, false);
  return mpl_ir_link_needed(ir->module, buffer);
}

/* One round over what is undefined; false if nothing new was linked.  `widened`: only what is there
 * for widened programs, before a member that is linked for something else defines the same too. */
static bool link_round(struct mpl_module_ir *ir, const struct library *library, bool *linked,
                       bool widened) {
  bool found = false, missing = false;
  memset(linked, 0, library->header->num_members);
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || !LLVMGetFirstUse(f)) continue;
    int64_t member = find_member(library, LLVMGetValueName(f), widened);
    if (member >= 0) found = linked[member] = true;
    missing |= member < 0;
  }
  if (missing && !widened && !has_any(library, library->abi)) return report(ir, MPL_LINK_FOREIGN);
  for (uint32_t i = 0; i < library->header->num_members; i++) {
    enum mpl_linked problem = linked[i] ? link_member(ir, library, i) : MPL_LINKED;
    if (problem != MPL_LINKED) return report(ir, problem);
  }
  return found;
}

/* Functions without a processor came from the library. */
static void adopt(struct mpl_module_ir *ir, LLVMValueRef model) {
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMIsDeclaration(f)) continue;
    if (mpl_target_adopt(f, model)) LLVMSetLinkage(f, LLVMInternalLinkage);
    mpl_target_use_whole_registers(ir->target, f);
  }
}

static void replace_calls(LLVMValueRef function, LLVMValueRef value) {
  for (LLVMUseRef use; (use = LLVMGetFirstUse(function));) {
    LLVMValueRef call = LLVMGetUser(use);
    mpl_replace(call, value);
  }
  LLVMDeleteFunction(function);
}

/* A function of the library becomes the intrinsic, which the program may call too. */
static void become(struct mpl_module_ir *ir, LLVMValueRef function, const char *intrinsic) {
  LLVMValueRef there = LLVMGetNamedFunction(ir->module, intrinsic);
  if (!there) {
    LLVMSetValueName2(function, intrinsic, strlen(intrinsic));
    return;
  }
  LLVMReplaceAllUsesWith(function, there);
  LLVMDeleteFunction(function);
}

/* The library's question about the processor, and the function that it calls only after a yes. */
static void answer(struct mpl_module_ir *ir, LLVMValueRef model) {
  for (unsigned i = 0; i < MPL_NUM_ABILITIES; i++) {
    const struct mpl_ability_question *row = &mpl_abilities[i];
    bool yes = mpl_target_can(model, i);
    if (ir->gpu) yes = i == MPL_ABILITY_FUSED; /* it has none of the host's instructions */
    LLVMValueRef question = LLVMGetNamedFunction(ir->module, row->question);
    if (question) replace_calls(question, LLVMConstInt(ir->i1, yes, false));
    LLVMValueRef function = *row->function ? LLVMGetNamedFunction(ir->module, row->function) : NULL;
    if (function && !yes) /* behind a false */
      replace_calls(function, LLVMGetPoison(LLVMGetReturnType(LLVMGlobalGetValueType(function))));
    else if (function && *row->intrinsic)
      become(ir, function, row->intrinsic);
  }
}

bool mpl_link_library(struct mpl_module_ir *ir) {
  static struct library library;
  LLVMValueRef model = mpl_target_model(ir->module);
  if (!model) return false; /* nothing is defined, so nothing is called */
  if (!library.file && !open_library(&library)) {
    if (errno == ENOMEM) mpl_out_of_memory();
    mpl_report(ir, model, "%s is missing or damaged: install maniple again", MPL_ARCHIVE_NAME);
    return false;
  }
  library.abi = ir->gpu ? MPL_ARCHIVE_NVPTX : ir->target->vector_abi;
  bool *linked = malloc(library.header->num_members + 1);
  bool changed = false;
  for (int round = 0; linked && round < MOST_ROUNDS; round++) {
    bool widened = link_round(ir, &library, linked, true);
    if (!link_round(ir, &library, linked, false) && !widened) break;
    changed = true;
  }
  free(linked);
  adopt(ir, model);
  answer(ir, model);
  if (ir->by_item) mpl_lower_target_math(ir); /* nothing will be widened */
  return changed;
}
