#include "other_memory.h"

#include <link.h>
#include <pthread.h>

enum { ALIGN = 16, MOST_SIZE = 64 << 20 };

struct search {
  uintptr_t address, begin, end;
};

/* The variables of one object, whole ones in front of a multiple of all that is aligned. */
static int look_in_object(struct dl_phdr_info *object, size_t size, void *data) {
  struct search *search = data;
  for (unsigned i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W) || search->address < begin ||
        search->address >= end)
      continue;
    search->begin = begin;
    search->end = end;
    return 1;
  }
  return 0;
}

/* The running thread's stack, from here up. */
static bool look_in_stack(struct search *search) {
  static _Thread_local uintptr_t top;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  pthread_attr_t attributes;
  if (!top && !pthread_getattr_np(pthread_self(), &attributes)) {
    void *low;
    size_t size;
    if (!pthread_attr_getstack(&attributes, &low, &size)) top = (uintptr_t)low + size;
    pthread_attr_destroy(&attributes);
  }
  if (search->address < here || search->address >= top) return false;
  search->begin = here;
  search->end = top;
  return true;
}

bool mpl_find_other_memory(char **low, uint64_t *size) {
  struct search search = {.address = (uintptr_t)*low};
  if (!dl_iterate_phdr(look_in_object, &search) && !look_in_stack(&search)) return false;
  uintptr_t begin = (search.begin + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
  if (search.address < begin || search.end - begin > MOST_SIZE) return false;
  *low = (char *)begin;
  *size = search.end - begin;
  return true;
}
