/* What every unit test uses. */
#ifndef MPL_TESTS_UNIT_H
#define MPL_TESTS_UNIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "devices/devices.h"

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                    \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

static inline struct mpl_device *unit_device(void) {
  uint32_t count;
  struct mpl_device *const *devices = mpl_devices(MPL_KIND_CPU, &count);
  CHECK(count > 0);
  return devices[0];
}

/* As /proc has it; of what is gone 'X'. */
static inline char unit_state(pid_t pid) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "r");
  if (!file) return 'X';
  bool read = fgets(text, sizeof text, file);
  fclose(file);
  const char *name_end = read ? strrchr(text, ')') : NULL;
  return name_end ? name_end[2] : '?';
}

/* Gone, or dead and not yet fetched by whoever is its parent now. */
static inline bool unit_is_dead(pid_t pid) {
  char state = unit_state(pid);
  return state == 'Z' || state == 'X';
}

static inline void *unit_read(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  CHECK(file);
  CHECK(!fseek(file, 0, SEEK_END));
  *size = (size_t)ftell(file);
  rewind(file);
  void *bytes = malloc(*size);
  CHECK(bytes && fread(bytes, 1, *size, file) == *size);
  fclose(file);
  return bytes;
}

static inline struct mpl_module *unit_load(struct mpl_device *device, const char *path) {
  size_t size;
  const char *why = NULL;
  void *bytes = unit_read(path, &size);
  struct mpl_module *module = device->ops->load(device, bytes, size, "unit", &why);
  if (!module) fprintf(stderr, "%s\n", why);
  CHECK(module);
  free(bytes);
  return module;
}

static inline const struct mpl_kernel *unit_kernel(const struct mpl_object *object,
                                                   const char *name) {
  for (uint32_t i = 0; i < object->num_kernels; i++)
    if (!strcmp(object->kernels[i].name, name)) return &object->kernels[i];
  CHECK(!"a kernel of that name");
  return NULL;
}

/* Sizes of a launch with everything else zero. */
static inline struct mpl_launch unit_launch(uint32_t dims, const uint64_t global[3],
                                            const uint64_t local[3], const void *args) {
  struct mpl_launch launch = {.work_dim = dims, .args = args};
  for (unsigned d = 0; d < 3; d++) {
    launch.global_size[d] = global[d];
    launch.local_size[d] = local[d];
    launch.num_groups[d] = (global[d] + local[d] - 1) / local[d];
  }
  return launch;
}

static inline int unit_run(struct mpl_device *device, const struct mpl_kernel *kernel,
                           const struct mpl_launch *launch, uint64_t local_size) {
  const struct mpl_operation operation = {.launch = {kernel, launch, local_size, NULL, NULL}};
  return device->ops->perform(device, &operation);
}

#endif
