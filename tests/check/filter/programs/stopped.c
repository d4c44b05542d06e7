/* stopped CASE: a mistake of a kernel in C, at which its filter stops, mostly late and after it has
 * written: what is said, and what the memory holds then, has to be the same without filters
 * (programs.sh).  Cases that begin with "without" are of kernels that have none. */
#include <maniple/group.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 256, GROUP = 64, LAST = COUNT - 3 };

static int *shared(size_t count) {
  int *memory = mpl_malloc(mpl_get_device(0), MPL_MEMORY_SHARED, count * sizeof *memory, sizeof(int));
  if (!memory) abort();
  for (size_t i = 0; i < count; i++) memory[i] = (int)i;
  return memory;
}

static int *heap(size_t count) {
  int *memory = malloc(count * sizeof *memory);
  if (!memory) abort();
  for (size_t i = 0; i < count; i++) memory[i] = (int)i;
  return memory;
}

static void print(const int *memory, size_t count) {
  long sum = 0, places = 0;
  for (size_t i = 0; i < count; i++) sum += memory[i], places += (long)i * memory[i];
  printf("%ld %ld\n", sum, places);
}

static void ended(int error) {
  printf("ended with %d\n", error);
}

/* Writes all of it, and then beside. */
mpl_kernel(beside, (int *) out, (int *) other, (long) by) {
  size_t i = get_global_id(0);
  out[i] += 1;
  other[i] *= 2;
  if (i == LAST) other[i] = out[(long)i + by];
}

mpl_kernel(writes_beside, (int *) out, (int *) other, (long) by) {
  size_t i = get_global_id(0);
  out[i] += 1;
  other[i] *= 2;
  if (i == LAST) out[(long)i + by] = 1;
}

#define BESIDE(name, kernel, memory, by)                                                           \
  static void test_##name(void) {                                                                  \
    int *out = memory(COUNT), *other = heap(COUNT);                                                \
    ended(mpl_launch(kernel, mpl_1d(COUNT, GROUP), out, other, by));                               \
    print(out, COUNT);                                                                             \
    print(other, COUNT);                                                                           \
  }
BESIDE(behind, beside, shared, COUNT - LAST)
BESIDE(before, beside, shared, -1 - LAST)
BESIDE(behind_heap, beside, heap, COUNT - LAST)
BESIDE(before_heap, beside, heap, -1 - LAST)
BESIDE(writes_behind, writes_beside, shared, COUNT - LAST)
BESIDE(writes_before, writes_beside, heap, -1 - LAST)

mpl_kernel(race, (int *) out, (int) by) {
  size_t i = get_global_id(0);
  out[i] += by;
  if (i == LAST) out[i] += out[i - 1];
}

static void test_race(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(race, mpl_1d(COUNT, GROUP), out, 3));
  print(out, COUNT);
}

mpl_kernel(race_of_groups, (int *) out, (int *) sum) {
  size_t i = get_global_id(0);
  out[i] += 1;
  if (get_local_id(0) == 0) *sum += (int)get_group_id(0);
}

static void test_race_of_groups(void) {
  int *out = heap(COUNT), *sum = heap(1);
  ended(mpl_launch(race_of_groups, mpl_1d(COUNT, GROUP), out, sum));
  print(out, COUNT);
  print(sum, 1);
}

static void test_race_in_variable(void) {
  static int out[COUNT];
  ended(mpl_launch(race, mpl_1d(COUNT, GROUP), out, 3));
  print(out, COUNT);
}

static void test_race_on_stack(void) {
  int out[COUNT] = {5};
  ended(mpl_launch(race, mpl_1d(COUNT, GROUP), out, 3));
  print(out, COUNT);
}

mpl_kernel(local_race, (int *) out) {
  mpl_local int tile[GROUP];
  size_t i = get_local_id(0);
  out[get_global_id(0)] += 1;
  tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) == 2 && i) tile[i] = tile[i - 1];
  out[get_global_id(0)] += tile[i] > 0;
}

static void test_local_race(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(local_race, mpl_1d(COUNT, GROUP), out));
  print(out, COUNT);
}

mpl_kernel(local_behind, (int *) out) {
  int *tile = mpl_get_local_memory();
  size_t i = get_local_id(0);
  out[get_global_id(0)] += 1;
  tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] += tile[get_group_id(0) == 2 ? i + 1 : i];
}

static void test_local_behind(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(local_behind, mpl_with_local(mpl_1d(COUNT, GROUP), GROUP * sizeof(int)), out));
  print(out, COUNT);
}

mpl_kernel(local_unwritten, (int *) out) {
  mpl_local int tile[GROUP];
  size_t i = get_local_id(0);
  out[get_global_id(0)] += 1;
  if (i != 5) tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] += get_group_id(0) == 3 && tile[GROUP - 1 - i] > 100;
}

static void test_local_unwritten(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(local_unwritten, mpl_1d(COUNT, GROUP), out));
  print(out, COUNT);
}

mpl_kernel(uses, (int *) out, (const int *) in) {
  size_t i = get_global_id(0);
  out[i] += 1;
  if (i == LAST) out[i] += in[i] > 100;
}

static void test_unwritten(void) {
  int *out = shared(COUNT);
  int *in = mpl_malloc(mpl_get_device(0), MPL_MEMORY_DEVICE, COUNT * sizeof *in, 0);
  ended(mpl_launch(uses, mpl_1d(COUNT, GROUP), out, in));
  print(out, COUNT);
}

static void test_null(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(uses, mpl_1d(COUNT, GROUP), out, NULL));
  print(out, COUNT);
}

/* Before any group runs: the filter is not fit. */
static void test_unfit_freed(void) {
  int *out = shared(COUNT), *in = shared(COUNT);
  mpl_free(in);
  ended(mpl_launch(uses, mpl_1d(COUNT, GROUP), out, in));
  print(out, COUNT);
}

mpl_kernel(half_atomic, (int *) out, (int *) sum) {
  size_t i = get_global_id(0);
  out[i] += 1;
  __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
  if (i == LAST) out[i] += *sum;
}

static void test_half_atomic(void) {
  int *out = shared(COUNT), *sum = shared(1);
  ended(mpl_launch(half_atomic, mpl_1d(COUNT, GROUP), out, sum));
  print(sum, 1);
}

mpl_kernel(lanes_part, (int *) out) {
  size_t i = get_global_id(0);
  out[i] += 1;
  if (get_sub_group_local_id() < 5 || get_group_id(0) < 2) out[i] += sub_group_reduce_add(1);
}

static void test_lanes_part(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(lanes_part, mpl_1d(COUNT, GROUP), out));
}

mpl_kernel(broadcast, (int *) out, (size_t) from) {
  size_t i = get_global_id(0);
  out[i] += 1;
  out[i] += work_group_broadcast(out[i], from);
}

static void test_broadcast(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(broadcast, mpl_1d(COUNT, GROUP), out, GROUP));
}

/* --- Without a filter --- */

mpl_kernel(parts, (int *) out) {
  size_t i = get_local_id(0);
  if (i < 5) out[i] = work_group_reduce_add(1);
}

static void test_without_parts(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(parts, mpl_1d(COUNT, GROUP), out));
}

mpl_kernel(prints, (int *) out) {
  size_t i = get_global_id(0);
  if (i == 5) printf("five\n");
  out[0] += 1;
}

static void test_without_prints(void) {
  int *out = shared(COUNT);
  ended(mpl_launch(prints, mpl_1d(GROUP, GROUP), out));
}

struct node { struct node *next; int *data; };
mpl_kernel(follows, (struct node *) list, (int *) out) {
  size_t i = get_global_id(0);
  for (; list->next; list = list->next) list->data[i] += 1;
  out[i / 2] = 1 + (int)i;
}

static void test_without_list(void) {
  struct node last = {NULL, shared(COUNT)}, first = {&last, shared(COUNT)};
  int *out = heap(COUNT);
  ended(mpl_launch(follows, mpl_1d(COUNT, GROUP), &first, out));
  print(first.data, COUNT);
}

/* -------------------------------------------------------------------------------------------- */

#define CASES(of)                                                                                  \
  of(behind) of(before) of(behind_heap) of(before_heap) of(writes_behind) of(writes_before)        \
      of(race) of(race_of_groups) of(race_in_variable) of(race_on_stack) of(local_race)            \
          of(local_behind) of(local_unwritten) of(unwritten) of(null) of(unfit_freed)              \
              of(half_atomic) of(lanes_part) of(broadcast) of(without_parts) of(without_prints)    \
                  of(without_list)
#define CASE(name) {#name, test_##name},
static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {CASES(CASE)};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc < 2) puts(cases[i].name);
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) cases[i].run();
  }
  return 0;
}
