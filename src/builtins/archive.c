/* maniple_archive: cuts bitcode modules into small ones and writes them with an index (archive.h).
 *
 *   maniple_archive OUT ABI=MODULE.bc...   ABI is a letter of enum mpl_archive_abi
 *   maniple_archive OUT ABI+=MODULE.bc...  the same; functions have in them what they call of their
 *                                          own file, simplified: it is of the size that it has then
 *                                          that they are inlined (compiler/source/helpers.c)
 *   maniple_archive -l ARCHIVE LETTERS     prints the functions of these ABIs, without the letter
 *
 * Runs when maniple is built.  Functions stay in their order, so that a family shares a member.  A
 * function and the internal functions and variables that it uses stay together. */
#include "archive.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS_PER_MEMBER = 48 };

struct symbol {
  char *name; /* with the ABI's letter */
  uint32_t member;
};

static struct {
  struct symbol *symbols;
  LLVMMemoryBufferRef *members;
  uint32_t num_symbols, num_members, symbol_room, member_room;
} out;

/* The functions of the module at hand by name, and the member each goes to. */
static struct plan {
  struct symbol *functions;
  uint32_t count, first_member, num_members;
} plan;

static void die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("maniple_archive: ", stderr);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
  exit(1);
}

static void *grow(void *list, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room) return list;
  *room = *room ? *room * 2 : 256;
  list = realloc(list, *room * size);
  if (!list) die("out of memory");
  return list;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static bool is_internal(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* The functions that use a value, through constants and variables as well. */
static void collect_users(LLVMValueRef value, LLVMValueRef *users, unsigned *count, unsigned room) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && *count < room; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user))
      users[(*count)++] = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    else
      collect_users(user, users, count, room);
  }
}

static struct symbol *find(const char *name) {
  struct symbol key = {.name = (char *)name};
  return bsearch(&key, plan.functions, plan.count, sizeof key, by_name);
}

/* Everyone who uses an internal function goes to one member, with it.  Repeated until nothing
 * moves: chains of internal functions are short. */
static void join_users(LLVMModuleRef module) {
  enum { ROOM = 4096 };
  static LLVMValueRef users[ROOM];
  for (bool moved = true; moved;) {
    moved = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
      if (LLVMIsDeclaration(f) || !is_internal(f)) continue;
      unsigned count = 0;
      collect_users(f, users, &count, ROOM);
      if (count == ROOM) die("%s: too many uses of an internal function", LLVMGetValueName(f));
      struct symbol *own = find(LLVMGetValueName(f));
      for (unsigned i = 0; i < count; i++) {
        struct symbol *user = find(LLVMGetValueName(users[i]));
        if (user->member == own->member) continue;
        uint32_t member = user->member < own->member ? user->member : own->member;
        user->member = own->member = member;
        moved = true;
      }
    }
  }
}

static void make_plan(LLVMModuleRef module) {
  uint32_t room = 0;
  plan = (struct plan){.first_member = out.num_members};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    plan.functions = grow(plan.functions, plan.count, &room, sizeof *plan.functions);
    plan.functions[plan.count] = (struct symbol){
        strdup(LLVMGetValueName(f)), out.num_members + plan.count / FUNCTIONS_PER_MEMBER};
    plan.count++;
  }
  plan.num_members = (plan.count + FUNCTIONS_PER_MEMBER - 1) / FUNCTIONS_PER_MEMBER;
  qsort(plan.functions, plan.count, sizeof *plan.functions, by_name);
  join_users(module);
}

static void run(LLVMModuleRef module, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
  if (error) die("%s", LLVMGetErrorMessage(error));
  LLVMDisposePassBuilderOptions(options);
}

/* Drops what does not belong to members first to last. */
static void keep(LLVMModuleRef module, uint32_t first, uint32_t last) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || is_internal(f)) continue;
    const struct symbol *symbol = find(LLVMGetValueName(f));
    if (symbol->member < first || symbol->member > last)
      LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
  }
  run(module, "elim-avail-extern,globaldce,strip-dead-prototypes");
}

static void add_member(LLVMModuleRef module, char abi, uint32_t member) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || is_internal(f)) continue;
    const char *name = LLVMGetValueName(f);
    char *key = malloc(strlen(name) + 2);
    if (!key) die("out of memory");
    key[0] = abi;
    strcpy(key + 1, name);
    out.symbols = grow(out.symbols, out.num_symbols, &out.symbol_room, sizeof *out.symbols);
    out.symbols[out.num_symbols++] = (struct symbol){key, member};
  }
  out.members[member] = LLVMWriteBitcodeToMemoryBuffer(module);
}

/* Halves a module until one member is left; disposes of it. */
static void cut(LLVMModuleRef module, char abi, uint32_t first, uint32_t last) {
  if (first == last) {
    add_member(module, abi, first);
    LLVMDisposeModule(module);
    return;
  }
  uint32_t middle = first + (last - first) / 2;
  LLVMModuleRef upper = LLVMCloneModule(module);
  keep(module, first, middle);
  cut(module, abi, first, middle);
  keep(upper, middle + 1, last);
  cut(upper, abi, middle + 1, last);
}

/* The kernel that a function is linked into says for which processor it is compiled. */
static void forget_processor(LLVMModuleRef module) {
  static const char *const attributes[] = {"target-cpu", "target-features", "tune-cpu"};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (unsigned i = 0; i < sizeof attributes / sizeof *attributes; i++)
      LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, attributes[i],
                                       (unsigned)strlen(attributes[i]));
  }
}

static void add_module(const char *path, char abi, bool simplified) {
  char *message;
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  LLVMContextRef context = LLVMContextCreate();
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
    die("%s: %s", path, message);
  if (LLVMParseBitcodeInContext2(context, buffer, &module)) die("%s: not bitcode", path);
  LLVMDisposeMemoryBuffer(buffer);
  if (simplified) run(module, "always-inline,function(sroa,early-cse,simplifycfg,instsimplify)");
  run(module, "function(sroa,early-cse),globaldce,strip-dead-prototypes");
  forget_processor(module);
  make_plan(module);
  uint32_t needed = out.num_members + plan.num_members;
  while (out.member_room < needed)
    out.members = grow(out.members, out.member_room, &out.member_room, sizeof *out.members);
  out.num_members = needed;
  if (plan.num_members) cut(module, abi, plan.first_member, needed - 1);
  LLVMContextDispose(context);
}

static void put(FILE *file, const void *data, size_t size) {
  if (fwrite(data, 1, size, file) != size) die("cannot write");
}

static void write_archive(const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) die("%s: cannot be written", path);
  qsort(out.symbols, out.num_symbols, sizeof *out.symbols, by_name);
  struct mpl_archive_header header = {.num_symbols = out.num_symbols,
                                      .num_members = out.num_members};
  memcpy(header.magic, MPL_ARCHIVE_MAGIC, sizeof header.magic);
  put(file, &header, sizeof header);
  uint32_t at = (uint32_t)(sizeof header + out.num_symbols * sizeof(struct mpl_archive_symbol) +
                           out.num_members * sizeof(struct mpl_archive_member));
  uint32_t names = at;
  for (uint32_t i = 0; i < out.num_members; i++) at += (uint32_t)LLVMGetBufferSize(out.members[i]);
  for (uint32_t i = 0; i < out.num_symbols; i++) {
    put(file, &(struct mpl_archive_symbol){at, out.symbols[i].member},
        sizeof(struct mpl_archive_symbol));
    at += (uint32_t)strlen(out.symbols[i].name) + 1;
  }
  at = names;
  for (uint32_t i = 0; i < out.num_members; i++) {
    uint32_t size = (uint32_t)LLVMGetBufferSize(out.members[i]);
    put(file, &(struct mpl_archive_member){at, size}, sizeof(struct mpl_archive_member));
    at += size;
  }
  for (uint32_t i = 0; i < out.num_members; i++)
    put(file, LLVMGetBufferStart(out.members[i]), LLVMGetBufferSize(out.members[i]));
  for (uint32_t i = 0; i < out.num_symbols; i++)
    put(file, out.symbols[i].name, strlen(out.symbols[i].name) + 1);
  if (fclose(file)) die("%s: cannot be written", path);
}

static void list(const char *path, const char *letters) {
  char *message;
  LLVMMemoryBufferRef buffer;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
    die("%s: %s", path, message);
  const char *file = LLVMGetBufferStart(buffer);
  const struct mpl_archive_header *header = (const void *)file;
  const struct mpl_archive_symbol *symbols = (const void *)(header + 1);
  if (LLVMGetBufferSize(buffer) < sizeof *header || memcmp(header->magic, MPL_ARCHIVE_MAGIC, 8))
    die("%s: not an archive", path);
  for (uint32_t i = 0; i < header->num_symbols; i++)
    if (strchr(letters, file[symbols[i].name])) puts(file + symbols[i].name + 1);
  LLVMDisposeMemoryBuffer(buffer);
}

int main(int argc, char **argv) {
  if (argc == 4 && !strcmp(argv[1], "-l")) {
    list(argv[2], argv[3]);
    return 0;
  }
  if (argc < 3) die("usage: maniple_archive OUT ABI[+]=MODULE.bc...");
  for (int i = 2; i < argc; i++) {
    bool simplified = argv[i][0] && argv[i][1] == '+';
    if (argv[i][0] == 0 || argv[i][1 + simplified] != '=') die("%s: not ABI=MODULE", argv[i]);
    add_module(argv[i] + 2 + simplified, argv[i][0], simplified);
  }
  write_archive(argv[1]);
  return 0;
}
