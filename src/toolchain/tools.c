#include "tools.h"

#include "builtins/archive.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/kernel.h"
#include "compile.h"
#include "runtime/options.h"
#include "tables/clang.h"

static struct mpl_tools tools;
static char identity[8192];
static pthread_once_t tools_once = PTHREAD_ONCE_INIT, identity_once = PTHREAD_ONCE_INIT;

/* PATH_MAX bounds every path that can be opened: a longer one is as good as absent. */
static void join(char out[PATH_MAX], const char *folder, const char *name) {
  if (snprintf(out, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) out[0] = 0;
}

static void cut_name(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) *slash = 0;
}

static bool find_on_path(const char *name, char out[PATH_MAX]) {
  const char *path = getenv("PATH");
  char folder[PATH_MAX];
  for (const char *p = path ? path : "/usr/local/bin:/usr/bin:/bin"; *p;) {
    size_t length = strcspn(p, ":");
    if (length && length < sizeof folder) {
      memcpy(folder, p, length);
      folder[length] = 0;
      join(out, folder, name);
      if (out[0] && access(out, X_OK) == 0) return true;
    }
    p += length + (p[length] == ':');
  }
  out[0] = 0;
  return false;
}

/* The tools that an installation brings itself, as the wheel does (wheel/make.py): in a folder
 * of the folder `maniple`. */
static bool find_own(const char *data, const char *name, char out[PATH_MAX]) {
  char folder[PATH_MAX];
  join(folder, data, "toolchain/bin");
  join(out, folder, name);
  if (out[0] && access(out, X_OK) == 0) return true;
  out[0] = 0;
  return false;
}

static void find_clang(const char *data) {
  const char *asked = mpl_option_text(MPL_OPTION_CLANG);
  if (*asked && strchr(asked, '/'))
    snprintf(tools.clang, sizeof tools.clang, "%s", asked);
  else if (*asked)
    find_on_path(asked, tools.clang);
  else if (!find_own(data, MPL_CLANG, tools.clang) && !find_on_path(MPL_CLANG, tools.clang))
    strcpy(tools.clang, "/usr/lib/llvm-" MPL_LLVM "/bin/clang");
  if (tools.clang[0] && access(tools.clang, X_OK)) tools.clang[0] = 0;
}

/* GNU ld, which clang's package depends on, starts in half of the time of LLVM's, which an installation
 * may bring. */
static void find_linker(const char *data) {
  char real[PATH_MAX];
  if (find_own(data, "ld.lld", tools.linker) || find_on_path("ld.bfd", tools.linker)) return;
  if (tools.clang[0] && realpath(tools.clang, real)) {
    cut_name(real);
    join(tools.linker, real, "ld.lld");
    if (tools.linker[0] && access(tools.linker, X_OK) == 0) return;
  }
  if (!find_on_path("ld.lld-" MPL_LLVM, tools.linker)) find_on_path("ld.lld", tools.linker);
}

static void folder_of(void *function, char out[PATH_MAX]) {
  Dl_info info;
  out[0] = 0;
  if (!dladdr(function, &info) || !info.dli_fname || !realpath(info.dli_fname, out)) out[0] = 0;
  cut_name(out);
}

/* By name: the address of one of its functions is the executable's in programs that are loaded at a
 * fixed place and take it too. */
static void find_libraries(void) {
  struct link_map *map;
  void *handle = dlopen("libm.so.6", RTLD_LAZY);
  if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) || !realpath(map->l_name, tools.libraries))
    tools.libraries[0] = 0;
  cut_name(tools.libraries);
  if (handle) dlclose(handle);
}

static void find_tools(void) {
  char folder[PATH_MAX], data[PATH_MAX];
  folder_of((void *)find_tools, folder);
  join(data, folder, "maniple");
  find_clang(data);
  find_linker(data);
  join(tools.plugin, data, "passes.so");
  join(tools.attributes, data, "attributes.so");
  if (access(tools.attributes, R_OK)) tools.attributes[0] = 0;
  if (!find_own(data, "spirv-val", tools.spirv_validator)) find_on_path("spirv-val", tools.spirv_validator);
  join(tools.spirv_reader, data, "spirv-reader");
  if (access(tools.spirv_reader, X_OK)) tools.spirv_reader[0] = 0;
  join(tools.warm, data, "warm.so");
  if (access(tools.warm, R_OK)) tools.warm[0] = 0;
  join(tools.builtins, data, MPL_ARCHIVE_NAME);
  join(tools.header, data, "opencl.h");
  join(tools.cxx_headers, data, "opencl_cpp");
  find_libraries();
}

const struct mpl_tools *mpl_tools(void) {
  pthread_once(&tools_once, find_tools);
  return &tools;
}

const char *mpl_tools_missing(void) {
  const struct mpl_tools *t = mpl_tools();
  if (!t->clang[0])
    return "maniple: " MPL_CLANG_NAME " was not found: install the package " MPL_CLANG ", or set "
           "MANIPLE_CLANG to it";
  if (!t->linker[0]) return "maniple: no linker was found: install the package binutils or lld-" MPL_LLVM;
  if (access(t->plugin, R_OK) || access(t->builtins, R_OK) || access(t->header, R_OK))
    return "maniple: passes.so, " MPL_ARCHIVE_NAME
           " or opencl.h is missing in the folder 'maniple' beside "
           "libmaniple: install maniple again";
  return NULL;
}

static size_t describe(size_t at, const char *path) {
  struct stat status = {0};
  if (stat(path, &status)) status.st_size = -1;
  int n = snprintf(identity + at, sizeof identity - at, "%s %lld %lld.%09ld;", path,
                   (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                   (long)status.st_mtim.tv_nsec);
  return n > 0 && (size_t)n < sizeof identity - at ? at + (size_t)n : at;
}

static void make_identity(void) {
  const struct mpl_tools *t = mpl_tools();
  char real[PATH_MAX];
  int n = snprintf(identity, 1024, "maniple %s abi %u;", MPL_VERSION, MPL_ABI_VERSION);
  size_t at = n < 0 ? 0 : (size_t)n < 1024 ? (size_t)n : 1023;
  at = describe(at, realpath(t->clang, real) ? real : t->clang);
  at = describe(at, t->linker);
  at = describe(at, t->plugin);
  at = describe(at, t->builtins);
  at = describe(at, t->header);
  at = describe(at, t->spirv_reader);
  describe(at, t->spirv_validator);
}

const char *mpl_compiler_identity(void) {
  pthread_once(&identity_once, make_identity);
  return identity;
}
