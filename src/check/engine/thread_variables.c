/* Variables of the running thread, which <maniple/group.h> uses as local memory in kernels in C.
 * The groups that a thread runs one after another share them, like the memory of local variables in
 * OpenCL. */
#include <link.h>

#include "check/memory/memory.h"

static struct mpl_variables variables_of(const struct dl_phdr_info *info, const ElfW(Phdr) * part) {
  struct mpl_variables v = {{info->dlpi_tls_data, part->p_memsz}, .initialised = part->p_filesz};
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *code = &info->dlpi_phdr[i];
    if (code->p_type != PT_LOAD || !(code->p_flags & PF_X)) continue;
    v.code = info->dlpi_addr + code->p_vaddr;
    v.code_size = code->p_memsz;
  }
  return v;
}

static int add(struct dl_phdr_info *info, size_t size, void *data) {
  struct mpl_memory *m = data;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data &&
        m->num_variables < MPL_MOST_VARIABLES)
      m->variables[m->num_variables++] = variables_of(info, &info->dlpi_phdr[i]);
  return m->num_variables == MPL_MOST_VARIABLES;
}

void mpl_find_thread_variables(struct mpl_memory *m) {
  m->num_variables = 0;
  if (mpl_accesses_are_told) dl_iterate_phdr(add, m);
}
