/* Loading a compiled object: dlopen from memory, one copy per module. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "runtime/options.h"
#include "runtime/write_all.h"

struct mpl_module {
  void *library;
  const struct mpl_object *object;
};

/* The sentence of the last refusal on this thread. */
static _Thread_local char reason[512];

/* The dynamic loader maps what the headers say and does not look whether it is there: a truncated
 * object would be a bus error. */
static bool is_whole(const void *object, size_t size) {
  ElfW(Ehdr) header;
  ElfW(Phdr) segment;
  if (size < sizeof header) return false;
  memcpy(&header, object, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof segment ||
      header.e_phoff > size || header.e_phnum > (size - header.e_phoff) / sizeof segment)
    return false;
  for (unsigned i = 0; i < header.e_phnum; i++) {
    memcpy(&segment, (const char *)object + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return false;
  }
  return true;
}

static void *load_file(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) snprintf(reason, sizeof reason, "the object does not load: %s", dlerror());
  return library;
}

/* dlopen takes a path that it has loaded already for the same library, and descriptor numbers come
 * again: a serial number is spelt into the path, "/" for a 0 and "/." for a 1. */
static void unique_path(char *path, size_t size, int file) {
  static atomic_uint serial;
  size_t at = (size_t)snprintf(path, size, "/proc/self/fd");
  for (unsigned bits = atomic_fetch_add(&serial, 1); bits && at + 16 < size; bits >>= 1)
    at += (size_t)snprintf(path + at, size - at, bits & 1 ? "/." : "/");
  snprintf(path + at, size - at, "/%d", file);
}

static void *load_memory(const void *object, size_t size, const char *name) {
  char path[160], label[64];
  snprintf(label, sizeof label, "maniple:%s", name ? name : "program");
  int file = memfd_create(label, MFD_CLOEXEC);
  if (file < 0) {
    snprintf(reason, sizeof reason, "no memory file for the object: %s", strerror(errno));
    return NULL;
  }
  void *library = NULL;
  if (mpl_write_all(file, object, size)) {
    unique_path(path, sizeof path, file);
    library = load_file(path);
  } else {
    snprintf(reason, sizeof reason, "the object cannot be written to memory: %s", strerror(errno));
  }
  close(file);
  return library;
}

/* With MANIPLE_DUMP the object stays in that folder, so that debuggers and profilers find its
 * symbols. */
static void *load_kept(const void *object, size_t size, const char *name) {
  static atomic_uint serial;
  const char *folder = mpl_option_text(MPL_OPTION_DUMP);
  char path[4096];
  if (!*folder) return NULL;
  int length = snprintf(path, sizeof path, "%s/%s-%d-%u.so", folder, name ? name : "program",
                        (int)getpid(), atomic_fetch_add(&serial, 1));
  if (length >= (int)sizeof path) return NULL;
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  if (file < 0) return NULL;
  bool written = mpl_write_all(file, object, size);
  close(file);
  return written ? load_file(path) : NULL;
}

/* Where memory files do not exist or may not be executed, or /proc is not there. */
static void *load_temporary(const void *object, size_t size) {
  const char *folders[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
    char path[4096];
    if (!folders[i] || !*folders[i]) continue;
    if (snprintf(path, sizeof path, "%s/maniple-XXXXXX", folders[i]) >= (int)sizeof path) continue;
    int file = mkostemp(path, O_CLOEXEC);
    if (file < 0) continue;
    bool written = mpl_write_all(file, object, size);
    close(file);
    void *library = written ? load_file(path) : NULL;
    unlink(path);
    if (library) return library;
  }
  return NULL;
}

struct mpl_module *mpl_cpu_load(struct mpl_device *device, const void *object, size_t size,
                                const char *name, const char **why) {
  *reason = 0;
  *why = reason;
  if (!is_whole(object, size)) {
    snprintf(reason, sizeof reason, "the object is damaged: not a whole ELF file");
    return NULL;
  }
  void *library = load_kept(object, size, name);
  if (!library) library = load_memory(object, size, name);
  if (!library) library = load_temporary(object, size);
  if (!library) return NULL;
  const struct mpl_object *table = dlsym(library, MPL_OBJECT_SYMBOL);
  struct mpl_module *module = malloc(sizeof *module);
  if (!table)
    snprintf(reason, sizeof reason, "the object has no table of kernels");
  else if (table->abi_version != MPL_ABI_VERSION)
    snprintf(reason, sizeof reason, "the object is for version %u of the run time, this is %u",
             table->abi_version, MPL_ABI_VERSION);
  else if (!module)
    snprintf(reason, sizeof reason, "out of memory");
  else {
    *module = (struct mpl_module){library, table};
    return module;
  }
  free(module);
  dlclose(library);
  return NULL;
}

const struct mpl_object *mpl_cpu_table(struct mpl_module *module) {
  return module->object;
}

void mpl_cpu_unload(struct mpl_module *module) {
  dlclose(module->library);
  free(module);
}
