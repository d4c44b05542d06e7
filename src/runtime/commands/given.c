/* When a kernel has ended in a fault: whether it was given an address of the host's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/commands/loss.h"

/* What the process has at an address, or null: nothing that it may write.  What a driver gives is
 * none of these: memory that is shared, or that only the device reaches. */
static const char *place_of(uintptr_t address) {
  char line[512], kind[8];
  FILE *maps = fopen("/proc/self/maps", "re");
  const char *what = NULL;
  while (maps && !what && fgets(line, sizeof line, maps)) {
    uintptr_t begin, end;
    unsigned long inode;
    int path = 0;
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu %n", &begin, &end, kind, &inode,
               &path) != 4 ||
        address < begin || address >= end)
      continue;
    if (strcmp(kind, "rw-p") && strcmp(kind, "rwxp")) break;
    what = inode                                ? "variables"
           : !strncmp(line + path, "[stack", 6) ? "stack"
           : !strncmp(line + path, "[heap]", 6) ? "heap"
                                                : "memory";
  }
  if (maps) fclose(maps);
  return what;
}

bool mpl_given_of_host(struct mpl_device *device, const struct mpl_operation *operation, char *text,
                       size_t size) {
  const struct mpl_kernel *kernel = operation->launch.kernel;
  const char *args = operation->launch.launch->args;
  if (!device->ops->has_given || !args) return false;
  for (uint32_t i = 0; i < kernel->num_args; i++) {
    void *pointer;
    if (kernel->args[i].kind != MPL_ARG_POINTER) continue;
    memcpy(&pointer, args + kernel->args[i].offset, sizeof pointer);
    if (!pointer || device->ops->has_given(device, pointer)) continue;
    const char *what = place_of((uintptr_t)pointer);
    if (!what) continue;
    snprintf(text, size, "kernel %.100s was given %p, of the host's %s", kernel->name, pointer,
             what);
    return true;
  }
  return false;
}
