/* Loading a compiled object: dlopen from memory, one copy per module. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "cpu/object.h"
#include "cpu/records.h"
#include "cpu/stack.h"
#include "runtime/options.h"
#include "runtime/print/write_all.h"
#include "runtime/threads/lock.h"

struct mpl_module {
  void *library;
  struct mpl_object object; /* a copy, with what is known of its kernels' stacks */
  struct mpl_kernel *kernels;
  int file; /* open with it, or -1 */
};

/* The sentence of a refusal on this thread.  Not in the thread's own memory: of that there is
 * little where the library is loaded late, since a part of it (check/engine) asks for a fixed
 * place. */
enum { REASONS = 16, REASON_SIZE = 512 };
static char reasons[REASONS][REASON_SIZE];
static _Thread_local char *reason;

static void begin_reason(void) {
  static atomic_uint next;
  reason = reasons[atomic_fetch_add(&next, 1) % REASONS];
  *reason = 0;
}

static void *load_file(const char *path) {
  mpl_fork_hold(); /* the loader's own lists are not whole in between */
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  mpl_fork_let();
  if (!library) snprintf(reason, REASON_SIZE, "the object does not load: %s", dlerror());
  return library;
}

/* The file is open as long as the object is loaded, so that its name tells every process the same:
 * debuggers open it, and would read whatever the application opens under its number later.  The
 * number of files that a process may have open is the application's, so only a part is taken. */
static bool may_stay_open(int file) {
  struct rlimit most;
  return getrlimit(RLIMIT_NOFILE, &most) || (rlim_t)file < most.rlim_cur / 4 * 3;
}

static void *load_memory(const void *object, size_t size, const char *name, int *kept) {
  char path[64], label[64];
  snprintf(label, sizeof label, "maniple:%s", name ? name : "program");
  int file = memfd_create(label, MFD_CLOEXEC);
  if (file < 0) {
    snprintf(reason, REASON_SIZE, "no memory file for the object: %s", strerror(errno));
    return NULL;
  }
  void *library = NULL;
  if (!mpl_write_all(file, object, size))
    snprintf(reason, REASON_SIZE, "the object cannot be written to memory: %s%s", strerror(errno),
             errno == EFBIG ? "; `ulimit -f` sets how large a file may be" : "");
  else if (may_stay_open(file)) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    library = load_file(path);
  }
  if (library)
    *kept = file;
  else
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

static void unload(void *library, int file) {
  mpl_fork_hold();
  dlclose(library);
  mpl_fork_let();
  if (file >= 0) close(file);
}

/* How far above its addresses it is loaded. */
static uintptr_t bias(void *library) {
  struct link_map *map;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) ? 0 : (uintptr_t)map->l_addr;
}

/* Copies the sound table; construct, destruct and the blocks come behind the kernels.  False if
 * there is no memory. */
static bool copy_table(struct mpl_module *module, const struct mpl_object *table,
                       const void *object, size_t size) {
  size_t count = table->num_kernels;
  struct mpl_kernel *kernels = calloc(count + 2 + table->num_blocks, sizeof *kernels);
  if (!kernels) return false;
  if (count) memcpy(kernels, table->kernels, count * sizeof *kernels);
  module->object = *table;
  module->object.kernels = module->kernels = kernels;
  if (table->construct) {
    kernels[count] = *table->construct;
    module->object.construct = &kernels[count++];
  }
  if (table->destruct) {
    kernels[count] = *table->destruct;
    module->object.destruct = &kernels[count++];
  }
  module->object.blocks = &kernels[count];
  if (table->num_blocks)
    memcpy(&kernels[count], table->enqueued, table->num_blocks * sizeof *kernels);
  count += table->num_blocks;
  mpl_stack_measure(object, size, bias(module->library), kernels, count);
  return true;
}

struct mpl_module *mpl_cpu_load(struct mpl_device *device, const void *object, size_t size,
                                const char *name, const char **why) {
  int file = -1;
  begin_reason();
  *why = reason;
  if (!mpl_object_is_sound(object, size, reason, REASON_SIZE)) return NULL;
  void *library = load_kept(object, size, name);
  if (!library) library = load_memory(object, size, name, &file);
  if (!library) library = load_temporary(object, size);
  if (!library) return NULL;
  const struct mpl_object *table = dlsym(library, MPL_OBJECT_SYMBOL);
  struct mpl_module *module = calloc(1, sizeof *module);
  if (!table || (uintptr_t)table % _Alignof(struct mpl_object))
    snprintf(reason, REASON_SIZE, "the object has no table of kernels");
  else if (table->abi_version != MPL_ABI_VERSION)
    snprintf(reason, REASON_SIZE, "the object is for version %u of the run time, this is %u",
             table->abi_version, MPL_ABI_VERSION);
  else if (!mpl_records_are_sound(table, object, size, bias(library)))
    snprintf(reason, REASON_SIZE, "the object's table of kernels is damaged");
  else {
    if (module) *module = (struct mpl_module){.library = library, .file = file};
    if (module && copy_table(module, table, object, size)) return module;
    snprintf(reason, REASON_SIZE, "no memory for the table of kernels");
  }
  free(module);
  unload(library, file);
  return NULL;
}

const struct mpl_object *mpl_cpu_table(struct mpl_module *module) {
  return &module->object;
}

void mpl_cpu_unload(struct mpl_module *module) {
  unload(module->library, module->file);
  free(module->kernels);
  free(module);
}
