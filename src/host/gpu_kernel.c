/* Kernels in C and C++ on a GPU: the text that the compiler has put beside the program
 * (abi/record_gpu.h) is loaded when the first of its kernels is launched, and stays as long as the
 * process.  It is known by its address.  What has another text there since a library was unloaded
 * is told by what the text says. */
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record_gpu.h"
#include "host.h"
#include "runtime/threads/lock.h"

struct loaded {
  struct loaded *next;
  struct mpl_device *device;
  const char *text;          /* the program's, which may have been unloaded */
  char *copy;                /* what it said */
  unsigned long long checked; /* unloads() when it said so last */
  struct mpl_module *module; /* null: it could not be loaded */
  char why[400];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loaded *all;

static int read_unloads(struct dl_phdr_info *info, size_t size, void *found) {
  *(unsigned long long *)found = info->dlpi_subs;
  return 1;
}

/* How many libraries the process has unloaded. */
static unsigned long long unloads(void) {
  unsigned long long found = 0;
  dl_iterate_phdr(read_unloads, &found);
  return found;
}

static struct loaded *load(struct mpl_device *device, const struct mpl_record_gpu *gpu,
                           unsigned long long now) {
  const char *why = NULL;
  struct loaded *made = calloc(1, sizeof *made);
  char *copy = strndup(gpu->text, gpu->size);
  if (!made || !copy) {
    free(made);
    free(copy);
    return NULL;
  }
  *made = (struct loaded){.next = all, .device = device, .text = gpu->text, .copy = copy,
                          .checked = now};
  made->module = device->ops->load(device, gpu->text, gpu->size, "a program", &why);
  if (!made->module) strncpy(made->why, why ? why : "it cannot be loaded", sizeof made->why - 1);
  return all = made;
}

static bool is_of(struct loaded *loaded, const struct mpl_device *device, const char *text,
                  unsigned long long now) {
  if (loaded->device != device || loaded->text != text) return false;
  if (loaded->checked != now && strcmp(loaded->copy, text)) return false;
  loaded->checked = now;
  return true;
}

static struct loaded *find(struct mpl_device *device, const struct mpl_record_gpu *gpu) {
  const unsigned long long now = unloads();
  mpl_lock(&lock);
  struct loaded *found = all;
  while (found && !is_of(found, device, gpu->text, now)) found = found->next;
  if (!found) found = load(device, gpu, now);
  mpl_unlock(&lock);
  return found;
}

bool mpl_is_gpu(const struct mpl_device *device) {
  return !device->info.host_memory;
}

/* Null: the program was not compiled for GPUs, or by another version. */
static const struct mpl_record_gpu *gpu_of(const struct mpl_kernel_record *record) {
  const struct mpl_record_gpu *gpu = record->version > 2 ? record->gpu : NULL;
  return gpu && gpu->version && gpu->version <= MPL_RECORD_GPU_VERSION ? gpu : NULL;
}

const struct mpl_record_gpu *mpl_variables_of(const struct mpl_kernel_record *record) {
  const struct mpl_record_gpu *gpu = gpu_of(record);
  return gpu && gpu->version > 1 && gpu->num_variables ? gpu : NULL;
}

bool mpl_runs_on_gpu(const struct mpl_kernel_record *record) {
  const struct mpl_record_gpu *gpu = gpu_of(record);
  return gpu && gpu->text;
}

const struct mpl_kernel *mpl_gpu_kernel(struct mpl_device *device,
                                        const struct mpl_kernel_record *record) {
  const struct mpl_record_gpu *gpu = gpu_of(record);
  const char *name = record->name, *where = device->info.name;
  if (!gpu || !gpu->text) {
    mpl_host_fail(MPL_INVALID_KERNEL_DEFINITION, "kernel %s cannot run on %s: it %s", name, where,
                  gpu ? gpu->why : "was not compiled by `maniple c++ --target=cuda`");
    return NULL;
  }
  const struct loaded *loaded = find(device, gpu);
  if (!loaded || !loaded->module) {
    mpl_host_fail(MPL_INVALID_KERNEL_DEFINITION, "kernel %s cannot run on %s: %s", name, where,
                  loaded ? loaded->why : "there is no memory");
    return NULL;
  }
  const struct mpl_object *object = device->ops->table(loaded->module);
  for (uint32_t k = 0; k < object->num_kernels; k++)
    if (!strcmp(object->kernels[k].name, gpu->entry)) return &object->kernels[k];
  mpl_host_fail(MPL_INVALID_KERNEL_DEFINITION, "kernel %s is not in its program's text for GPUs",
                name);
  return NULL;
}
