/* A loaded program from beginning to end: its objects of program scope are constructed when it is
 * there and destroyed before it goes (OpenCL 3.0, section 5.8.1). */
#include "program.h"
#include "runtime/device.h"
#include "runtime/print/print.h"

/* With the ND-range (1, 1, 1), on this thread; false if it could not run to its end. */
static bool run(struct mpl_device *device, const struct mpl_kernel *kernel) {
  static const struct mpl_host host = {.print = mpl_print};
  struct mpl_launch launch = {.work_dim = 3, .host = &host};
  struct mpl_operation operation = {.launch = {kernel, &launch, kernel->local_size, NULL, NULL}};
  for (unsigned d = 0; d < 3; d++)
    launch.global_size[d] = launch.local_size[d] = launch.num_groups[d] = 1;
  int error = mpl_device_perform(device, &operation);
  if (kernel->flags & MPL_KERNEL_PRINTS) mpl_print_flush();
  return !error;
}

struct mpl_module *mpl_program_load(struct mpl_device *device, const void *object, size_t size,
                                    const char **why) {
  struct mpl_module *module = device->ops->load(device, object, size, "program", why);
  const struct mpl_object *table = module ? device->ops->table(module) : NULL;
  if (!table || !table->construct || run(device, table->construct)) return module;
  device->ops->unload(module);
  *why = "maniple: a constructor of an object of program scope failed";
  return NULL;
}

void mpl_program_unload(struct mpl_device *device, struct mpl_module *module) {
  const struct mpl_object *table = device->ops->table(module);
  if (table->destruct) run(device, table->destruct);
  device->ops->unload(module);
}
