/* The lines of a log that no rank holds alone, and a histogram of its bytes: on StarPU with MPI.
 *   mpirun -n RANKS example_cluster MEGABYTES
 *
 * The log is cut into blocks, and each rank owns consecutive ones.  A rank submits the tasks of its
 * own blocks, and those between ranks that it takes part in; the engine runs each where the data is
 * that it writes, sends what it reads, and keeps the order.
 *   count    each block: its text, how many lines end in it, its bytes' histogram
 *   blocks   each rank: lines before each of its blocks, and in all of them
 *   prefix   ranks, log2 of their number rounds: lines up to and with a rank's
 *   index    each block: where its lines begin
 *   sum      ranks, a tree: histogram and check of all */
#include <inttypes.h>
#include <starpu_mpi.h>
#include <starpu_opencl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

enum { BLOCK = 4 << 20, CELLS = BLOCK / CELL, GROUP = 256, GROUPS = CELLS / GROUP };
enum { CHECK = BINS, LINES, SUMS }; /* what stands behind the bins */

static struct starpu_opencl_program programs;

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "example_cluster: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

/* --- What a task does: kernels, one after another --- */

struct run {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_uint num_args;
  int device;
};

static struct run begin(void) {
  struct run run = {.device = starpu_worker_get_devid(starpu_worker_get_id())};
  starpu_opencl_get_queue(run.device, &run.queue);
  return run;
}

static void take(struct run *run, const char *name) {
  run->num_args = 0;
  if (starpu_opencl_load_kernel(&run->kernel, &run->queue, &programs, name, run->device))
    fail(name);
}

static void arg(struct run *run, size_t size, const void *value) {
  if (clSetKernelArg(run->kernel, run->num_args++, size, value)) fail("clSetKernelArg");
}
#define ARG(run, value) arg(run, sizeof(value), &(value))

static cl_mem buffer(void *handle) {
  return (cl_mem)STARPU_VECTOR_GET_DEV_HANDLE(handle);
}

static void launch(struct run *run, size_t global, size_t local) {
  if (clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL, &global, &local, 0, NULL, NULL))
    fail("clEnqueueNDRangeKernel");
  starpu_opencl_release_kernel(run->kernel);
}

/* Who waits for the device works for it, where the engine's thread would only look again and again
 * whether it is done. */
static void end(struct run *run) {
  if (clFinish(run->queue)) fail("clFinish");
}

/* The block's text (written), lines of its groups (written) and of the rank's blocks, sums. */
static void run_count(void *data[], void *values) {
  struct run run = begin();
  uint32_t block, place, count = GROUPS;
  starpu_codelet_unpack_args(values, &block, &place);
  cl_mem text = buffer(data[0]), groups = buffer(data[1]), blocks = buffer(data[2]),
         sums = buffer(data[3]);
  cl_ulong first_cell = (cl_ulong)block * CELLS;
  take(&run, "make");
  ARG(&run, text);
  ARG(&run, first_cell);
  launch(&run, CELLS, GROUP);
  take(&run, "count");
  ARG(&run, text);
  ARG(&run, groups);
  ARG(&run, sums);
  launch(&run, CELLS, GROUP);
  take(&run, "before");
  ARG(&run, groups);
  ARG(&run, count);
  ARG(&run, blocks);
  ARG(&run, place);
  launch(&run, GROUP, GROUP);
  end(&run);
}

/* Lines of the rank's blocks, of which it leaves those before each; of the rank; up to the rank. */
static void run_blocks(void *data[], void *values) {
  struct run run = begin();
  cl_mem blocks = buffer(data[0]), of_rank = buffer(data[1]);
  cl_uint count = (cl_uint)STARPU_VECTOR_GET_NX(data[0]), place = 0;
  take(&run, "before");
  ARG(&run, blocks);
  ARG(&run, count);
  ARG(&run, of_rank);
  ARG(&run, place);
  launch(&run, GROUP, GROUP);
  end(&run);
}

static void run_add(void *data[], void *values) {
  struct run run = begin();
  cl_mem a = buffer(data[0]), b = buffer(data[1]), to = buffer(data[2]);
  take(&run, "add");
  ARG(&run, a);
  ARG(&run, b);
  ARG(&run, to);
  launch(&run, STARPU_VECTOR_GET_NX(data[2]), 1);
  end(&run);
}

static void run_add_to(void *data[], void *values) {
  struct run run = begin();
  cl_mem to = buffer(data[0]), more = buffer(data[1]);
  take(&run, "add_to");
  ARG(&run, to);
  ARG(&run, more);
  launch(&run, STARPU_VECTOR_GET_NX(data[0]), 1);
  end(&run);
}

/* Text, groups, starts (written), the rank's blocks, lines up to the rank and of it, sums. */
static void run_index(void *data[], void *values) {
  struct run run = begin();
  uint32_t block, place;
  starpu_codelet_unpack_args(values, &block, &place);
  cl_mem text = buffer(data[0]), groups = buffer(data[1]), starts = buffer(data[2]),
         blocks = buffer(data[3]), up_to_rank = buffer(data[4]), of_rank = buffer(data[5]),
         sums = buffer(data[6]);
  cl_ulong bytes_before = (cl_ulong)block * BLOCK;
  take(&run, "index");
  ARG(&run, text);
  ARG(&run, groups);
  ARG(&run, starts);
  ARG(&run, blocks);
  ARG(&run, place);
  ARG(&run, up_to_rank);
  ARG(&run, of_rank);
  ARG(&run, bytes_before);
  ARG(&run, sums);
  launch(&run, CELLS, GROUP);
  end(&run);
}

#define CODELET(task, ...)                                                                         \
  {.opencl_funcs = {run_##task},                                                                   \
   .nbuffers = sizeof((int[]){__VA_ARGS__}) / sizeof(int),                                         \
   .modes = {__VA_ARGS__},                                                                         \
   .name = #task}
static struct starpu_codelet count = CODELET(count, STARPU_W, STARPU_W, STARPU_RW, STARPU_RW),
                             blocks = CODELET(blocks, STARPU_RW, STARPU_W),
                             add = CODELET(add, STARPU_R, STARPU_R, STARPU_W),
                             add_to = CODELET(add_to, STARPU_RW, STARPU_R),
                             index_block = CODELET(index, STARPU_R, STARPU_R, STARPU_W, STARPU_R,
                                                   STARPU_R, STARPU_R, STARPU_RW);

/* --- What there is --- */

/* Of a rank, for others: made here once a task that this rank takes part in names it. */
struct part {
  starpu_data_handle_t lines, sums;
  starpu_data_handle_t up_to[2]; /* lines up to and with the rank: of the last round, of this one */
};
enum { SHARED = 4 }; /* of these handles */

/* Of this rank alone. */
struct block {
  starpu_data_handle_t text, groups, starts;
};

static int num_ranks, this_rank;
static struct part *parts;
static uint32_t first_block, num_blocks;
static struct block *own_blocks;
static starpu_data_handle_t lines_of_blocks, zero;

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) fail("out of memory");
  return memory;
}

/* Without memory: the engine allocates it where the first task writes it. */
static starpu_data_handle_t vector(size_t count, size_t size, void *memory) {
  starpu_data_handle_t handle;
  starpu_vector_data_register(&handle, memory ? STARPU_MAIN_RAM : -1, (uintptr_t)memory,
                              (uint32_t)count, size);
  return handle;
}

static starpu_data_handle_t zeros(size_t count) {
  return vector(count, sizeof(uint64_t), allocate(count, sizeof(uint64_t)));
}

/* All who have a rank's handles give them the same tags. */
static struct part *part_of(int rank) {
  struct part *part = &parts[rank];
  if (part->lines) return part;
  part->lines = vector(1, sizeof(uint64_t), NULL);
  part->sums = rank == this_rank ? zeros(SUMS) : vector(SUMS, sizeof(uint64_t), NULL);
  part->up_to[0] = vector(1, sizeof(uint64_t), NULL);
  part->up_to[1] = vector(1, sizeof(uint64_t), NULL);
  starpu_data_handle_t handles[SHARED] = {part->lines, part->sums, part->up_to[0], part->up_to[1]};
  for (int k = 0; k < SHARED; k++)
    starpu_mpi_data_register(handles[k], (starpu_mpi_tag_t)rank * SHARED + k, rank);
  return part;
}

static void lay_out(uint32_t all) {
  uint64_t ranks = (uint64_t)num_ranks, rank = (uint64_t)this_rank;
  first_block = (uint32_t)(all * rank / ranks);
  num_blocks = (uint32_t)(all * (rank + 1) / ranks) - first_block;
  parts = allocate((size_t)num_ranks, sizeof *parts);
  own_blocks = allocate(num_blocks, sizeof *own_blocks);
  lines_of_blocks = zeros(num_blocks);
  zero = zeros(1);
  for (uint32_t k = 0; k < num_blocks; k++)
    own_blocks[k] = (struct block){vector(BLOCK, 1, NULL), vector(GROUPS, sizeof(uint64_t), NULL),
                                   vector(CELLS, sizeof(uint32_t), NULL)};
}

static void give_back(void) {
  for (int rank = 0; rank < num_ranks; rank++) {
    struct part *part = &parts[rank];
    if (!part->lines) continue;
    starpu_data_unregister(part->lines);
    starpu_data_unregister(part->sums);
    for (int k = 0; k < 2; k++) starpu_data_unregister_no_coherency(part->up_to[k]);
  }
  for (uint32_t k = 0; k < num_blocks; k++) {
    starpu_data_unregister_no_coherency(own_blocks[k].text);
    starpu_data_unregister_no_coherency(own_blocks[k].groups);
    starpu_data_unregister_no_coherency(own_blocks[k].starts);
  }
  starpu_data_unregister(lines_of_blocks);
  starpu_data_unregister(zero);
}

/* --- The tasks --- */

/* What is of this rank alone only it knows of. */
#define OWN_TASK(codelet, ...) starpu_task_insert(&(codelet), __VA_ARGS__, 0)
/* One that others take part in: all of them insert it, in the same order as others. */
#define TASK(codelet, ...) starpu_mpi_task_insert(MPI_COMM_WORLD, &(codelet), __VA_ARGS__, 0)

static void submit_counts(void) {
  struct part *part = part_of(this_rank);
  for (uint32_t k = 0; k < num_blocks; k++) {
    uint32_t block = first_block + k;
    OWN_TASK(count, STARPU_W, own_blocks[k].text, STARPU_W, own_blocks[k].groups, STARPU_RW,
             lines_of_blocks, STARPU_RW, part->sums, STARPU_VALUE, &block, sizeof block,
             STARPU_VALUE, &k, sizeof k);
  }
  OWN_TASK(blocks, STARPU_RW, lines_of_blocks, STARPU_W, part->lines);
}

/* Lines up to the rank, and those up to the one so far before it. */
static void add_from(int rank, int far, int round) {
  int from = round % 2, to = (round + 1) % 2;
  if (rank >= num_ranks || (rank != this_rank && rank - far != this_rank)) return;
  if (rank >= far)
    TASK(add, STARPU_R, part_of(rank)->up_to[from], STARPU_R, part_of(rank - far)->up_to[from],
         STARPU_W, part_of(rank)->up_to[to]);
  else if (rank == this_rank)
    OWN_TASK(add, STARPU_R, part_of(rank)->up_to[from], STARPU_R, zero, STARPU_W,
             part_of(rank)->up_to[to]);
}

/* In each round a rank adds what one so far before it knows.  Returns the number of rounds. */
static int submit_prefix(void) {
  struct part *own = part_of(this_rank);
  int round = 0;
  OWN_TASK(add, STARPU_R, own->lines, STARPU_R, zero, STARPU_W, own->up_to[0]);
  for (int far = 1; far < num_ranks; far *= 2, round++) {
    add_from(this_rank, far, round);
    add_from(this_rank + far, far, round);
  }
  return round;
}

static void submit_index(int round) {
  struct part *part = part_of(this_rank);
  for (uint32_t k = 0; k < num_blocks; k++) {
    uint32_t block = first_block + k;
    OWN_TASK(index_block, STARPU_R, own_blocks[k].text, STARPU_R, own_blocks[k].groups, STARPU_W,
             own_blocks[k].starts, STARPU_R, lines_of_blocks, STARPU_R, part->up_to[round % 2],
             STARPU_R, part->lines, STARPU_RW, part->sums, STARPU_VALUE, &block, sizeof block,
             STARPU_VALUE, &k, sizeof k);
  }
}

/* A tree, whose root is rank 0. */
static void submit_sum(void) {
  for (int far = 1; far < num_ranks; far *= 2) {
    int to = this_rank / (2 * far) * 2 * far, from = to + far;
    if (from < num_ranks && (this_rank == to || this_rank == from))
      TASK(add_to, STARPU_RW, part_of(to)->sums, STARPU_R, part_of(from)->sums);
  }
}

/* --- The program --- */

static void print_device(void) {
  cl_device_id device;
  cl_uint units;
  char name[256];
  int id = starpu_worker_get_devid(starpu_worker_get_by_type(STARPU_OPENCL_WORKER, 0));
  starpu_opencl_get_device(id, &device);
  if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL) ||
      clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL))
    fail("clGetDeviceInfo");
  fprintf(stderr, "rank %d of %d: %s, %u compute units\n", this_rank, num_ranks, name, units);
}

/* As log_plain prints it. */
static void print_result(void) {
  starpu_data_handle_t sums = part_of(0)->sums;
  starpu_data_acquire(sums, STARPU_R);
  const uint64_t *values = starpu_data_get_local_ptr(sums);
  printf("%" PRIu64 " lines, check %016" PRIx64 "\n", values[LINES], values[CHECK]);
  for (int i = 0; i < BINS; i++)
    printf("bytes from %3d to %3d: %" PRIu64 "\n", 16 * i, 16 * i + 15, values[i]);
  starpu_data_release(sums);
}

int main(int argc, char **argv) {
  uint32_t all = argc == 2 ? (uint32_t)(strtoull(argv[1], NULL, 0) / (BLOCK >> 20)) : 0;
  if (!all) {
    fputs("usage: example_cluster MEGABYTES, a multiple of 4\n", stderr);
    return 2;
  }
  if (starpu_mpi_init_conf(&argc, &argv, 1, MPI_COMM_WORLD, NULL)) return 1;
  starpu_mpi_comm_rank(MPI_COMM_WORLD, &this_rank);
  starpu_mpi_comm_size(MPI_COMM_WORLD, &num_ranks);
  if (!starpu_opencl_worker_get_count())
    fail("the engine sees no OpenCL device: STARPU_OPENCL_ON_CPUS=1 has to be set");
  if (starpu_opencl_load_opencl_from_file(EXAMPLE_DIR "/cluster/log.cl", &programs,
                                          "-cl-std=CL3.0 -I" EXAMPLE_DIR "/cluster"))
    fail("log.cl does not build");
  print_device();
  if (all < (uint32_t)num_ranks) fail("each rank needs a block of 4 MB at least");
  lay_out(all);
  starpu_mpi_barrier(MPI_COMM_WORLD);
  double start = starpu_timing_now();
  submit_counts();
  starpu_task_wait_for_all(); /* so far nothing is sent, and who expects data polls for it */
  int round = submit_prefix();
  submit_index(round);
  starpu_task_wait_for_all();
  submit_sum();
  starpu_mpi_wait_for_all(MPI_COMM_WORLD);
  starpu_mpi_barrier(MPI_COMM_WORLD);
  double time = (starpu_timing_now() - start) / 1e6;
  if (!this_rank) print_result();
  if (!this_rank)
    fprintf(stderr, "%u MB in %.3f s on %d ranks: %.2f GB/s\n", all * (BLOCK >> 20), time,
            num_ranks, (double)all * BLOCK / time / 1e9);
  give_back();
  starpu_opencl_unload_opencl(&programs);
  fflush(NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  starpu_mpi_shutdown();
  return 0;
}
