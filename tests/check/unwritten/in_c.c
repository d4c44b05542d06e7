/* main CASE: a kernel in C that reads what nobody has written. */
#include <maniple/group.h>
#include <stdlib.h>

mpl_kernel(add, (const int *)from, (int *)to) {
  size_t i = get_global_id(0);
  to[i] = from[i] + 1;
}

/* A counter that the first work-item was to clear. */
mpl_kernel(count, (int *)to, (int)clears) {
  mpl_local int counter;
  if (clears && get_local_id(0) == 0) counter = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  to[get_global_id(0)] = counter;
}

/* A table with values, and a row of which only what is written is read. */
mpl_kernel(look_up, (int *)to) {
  static _Thread_local int table[4] = {1, 2, 3, 4};
  mpl_local int row[64];
  size_t i = get_local_id(0);
  memset(&row[i], 0, sizeof *row);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  to[get_global_id(0)] = table[i % 4] + row[31 - i];
}

enum { COUNT = 32 };

static int *block(enum mpl_memory_kind kind, int is_set) {
  int *memory = mpl_malloc(mpl_get_device(0), kind, COUNT * sizeof(int), sizeof(int));
  for (int i = 0; is_set && i < COUNT; i++) memory[i] = i;
  return memory;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  struct mpl_range range = mpl_1d(COUNT, COUNT);
  int *out = block(MPL_MEMORY_SHARED, 0);
  if (!strcmp(name, "in_c_device")) mpl_launch(add, range, block(MPL_MEMORY_DEVICE, 0), out);
  if (!strcmp(name, "in_c_shared")) mpl_launch(add, range, block(MPL_MEMORY_SHARED, 0), out);
  if (!strcmp(name, "in_c_heap")) mpl_launch(add, range, (int *)malloc(COUNT * sizeof(int)), out);
  if (!strcmp(name, "in_c_local")) mpl_launch(count, range, out, 0);
  if (!strcmp(name, "in_c_legal")) {
    mpl_launch(add, range, block(MPL_MEMORY_SHARED, 1), out);
    mpl_launch(add, range, out, block(MPL_MEMORY_DEVICE, 0));
    mpl_launch(count, range, out, 1);
    mpl_launch(look_up, mpl_1d(COUNT * 2, COUNT), malloc(2 * COUNT * sizeof(int)));
  }
  return 0;
}
