/* Kernels in C on a GPU: memory of mpl_malloc, local memory of both sorts, group and sub-group
 * functions, math, and queues; compared with loops, and with the CPU. */
#include <maniple/group.h>
#include <maniple/maniple.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition) && ++failures <= 20)                                                          \
      printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, mpl_error_text());                \
  } while (0)

enum { GROUPS = 5, SIZE = 96, COUNT = GROUPS * SIZE };

mpl_kernel(normalise, (float *)x) {
  size_t i = get_global_id(0);
  float sum = work_group_reduce_add(x[i]);
  x[i] /= sum;
}

/* Neighbours change places by way of both sorts of local memory. */
mpl_kernel(turn, (const int *)from, (int *)to) {
  mpl_local int tile[SIZE];
  int *more = mpl_get_local_memory();
  size_t i = get_local_id(0), last = get_local_size(0) - 1;
  tile[i] = from[get_global_id(0)];
  more[last - i] = 2 * from[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  to[get_global_id(0)] = tile[last - i] + more[i];
}

mpl_kernel(waves, (float *)x, (double *)y, (uint32_t *)lanes) {
  size_t i = get_global_id(0);
  x[i] = sinf((float)i) + powf(1.5f, (float)(i % 7));
  y[i] = exp(-(double)i / 100) * fma(2, (double)i, 1);
  lanes[i] = sub_group_scan_inclusive_add(1u) + 100 * get_sub_group_size();
}

mpl_kernel(count, (int *)sums) {
  __atomic_fetch_add(&sums[get_global_id(0) % 3], 1, __ATOMIC_RELAXED);
}

static int hosts;
mpl_kernel(of_host) {
  hosts++;
}

/* The host does not reach a GPU's own memory. */
static void copy(struct mpl_device *device, void *to, const void *from, size_t size) {
  struct mpl_queue *queue = mpl_create_queue(device, 0);
  EXPECT(queue && !mpl_submit_copy(queue, to, from, size, NULL, 0, NULL));
  mpl_finish(queue);
  mpl_release_queue(queue);
}

static void run_all(struct mpl_device *device) {
  float *x = mpl_malloc(device, MPL_MEMORY_SHARED, COUNT * sizeof *x, 0);
  double *y = mpl_malloc(device, MPL_MEMORY_SHARED, COUNT * sizeof *y, 0);
  int *from = mpl_malloc(device, MPL_MEMORY_HOST, COUNT * sizeof *from, 0);
  int *to = mpl_malloc(device, MPL_MEMORY_DEVICE, COUNT * sizeof *to, 0);
  uint32_t *lanes = mpl_malloc(device, MPL_MEMORY_SHARED, COUNT * sizeof *lanes, 0);
  struct mpl_device_properties about;
  mpl_describe_device(device, &about, sizeof about);
  for (int i = 0; i < COUNT; i++) x[i] = (float)(i % 50), from[i] = i;
  mpl_use_device(device);
  EXPECT(!mpl_launch(normalise, mpl_1d(COUNT, SIZE), x));
  for (int g = 0; g < GROUPS; g++) {
    float sum = 0;
    for (int i = 0; i < SIZE; i++) sum += (float)((g * SIZE + i) % 50);
    for (int i = g * SIZE; i < (g + 1) * SIZE; i++) EXPECT(x[i] == (float)(i % 50) / sum);
  }
  EXPECT(!mpl_launch(turn, mpl_with_local(mpl_1d(COUNT, SIZE), SIZE * sizeof(int)), from, to));
  static int seen[COUNT];
  copy(device, seen, to, sizeof seen);
  for (int i = 0; i < COUNT; i++) EXPECT(seen[i] == 3 * (i / SIZE * SIZE + SIZE - 1 - i % SIZE));
  EXPECT(!mpl_launch(waves, mpl_1d(COUNT, SIZE), x, y, lanes));
  for (int i = 0; i < COUNT; i++) {
    double wave = sin((double)(float)i) + pow(1.5, i % 7);
    EXPECT(fabs((double)x[i] - wave) < 2e-5);
    EXPECT(fabs(y[i] - exp(-(double)i / 100) * (2.0 * i + 1)) < 1e-12 * (2.0 * i + 1));
    int lane = i % SIZE % (int)about.sub_group_size;
    EXPECT(lanes[i] == 100 * about.sub_group_size + (uint32_t)lane + 1);
  }
  memset(seen, 0, sizeof seen);
  copy(device, to, seen, 3 * sizeof *to);
  EXPECT(!mpl_launch(count, mpl_1d(COUNT, 0), to));
  copy(device, seen, to, 3 * sizeof *to);
  EXPECT(seen[0] == COUNT / 3 && seen[1] == COUNT / 3 && seen[2] == COUNT / 3);
  mpl_use_device(NULL);
  EXPECT(!mpl_free(x) && !mpl_free(y) && !mpl_free(from) && !mpl_free(to) && !mpl_free(lanes));
}

static void refuse(struct mpl_device *device) {
  mpl_use_device(device);
  EXPECT(mpl_launch(of_host, mpl_1d(1, 1)) < 0);
  EXPECT(strstr(mpl_error_text(), "kernel of_host cannot run on"));
  EXPECT(strstr(mpl_error_text(), "it uses the host's variable 'hosts'"));
  mpl_use_device(NULL);
  EXPECT(!mpl_launch(of_host, mpl_1d(1, 1)) && hosts == 1);
}

int main(void) {
  EXPECT(mpl_count_devices() >= 2);
  run_all(mpl_get_device(0));
  run_all(mpl_get_device(1));
  refuse(mpl_get_device(1));
  if (failures) printf("%d failed\n", failures);
  return failures != 0;
}
