/* Variables of the running thread: what <maniple/group.h> makes of local memory in kernels in C.
 * The groups that a thread runs one after another share them, as they do the memory of OpenCL's
 * local variables. */
#include <link.h>

#include "check/memory/memory.h"

static int add(struct dl_phdr_info *info, size_t size, void *data) {
  struct mpl_memory *m = data;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data &&
        m->num_variables < MPL_MOST_VARIABLES)
      m->variables[m->num_variables++] =
          (struct mpl_block){info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz};
  return m->num_variables == MPL_MOST_VARIABLES;
}

void mpl_find_thread_variables(struct mpl_memory *m) {
  m->num_variables = 0;
  if (mpl_accesses_are_told) dl_iterate_phdr(add, m);
}
