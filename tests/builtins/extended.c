/* Functions of extensions: copies of blocks, clocks, atomics of floating point. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/evaluate.h"

static cl_program program;

/* kernel(out, in), with what is in `out` to begin with. */
static void launch(const char *name, size_t global, size_t local, void *out, size_t out_size,
                   const void *in, size_t in_size) {
  const struct host *host = host_open();
  cl_int code;
  cl_kernel kernel = clCreateKernel(program, name, &code);
  CL(code);
  cl_mem mems[2];
  mems[0] = clCreateBuffer(host->context, CL_MEM_COPY_HOST_PTR, out_size, out, &code);
  CL(code);
  mems[1] = clCreateBuffer(host->context, CL_MEM_COPY_HOST_PTR, in_size, (void *)in, &code);
  CL(code);
  for (cl_uint i = 0; i < 2; i++) CL(clSetKernelArg(kernel, i, sizeof *mems, &mems[i]));
  CL(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(host->queue, mems[0], CL_TRUE, 0, out_size, out, 0, NULL, NULL));
  for (int i = 0; i < 2; i++) CL(clReleaseMemObject(mems[i]));
  CL(clReleaseKernel(kernel));
}

static void copy_block(unsigned char *to, size_t to_row, size_t to_plane, const unsigned char *from,
                       size_t from_row, size_t from_plane, int planes, unsigned char change) {
  for (int z = 0; z < planes; z++)
    for (int y = 0; y < 4; y++)
      for (size_t x = 0; x < 21; x++)
        to[3 * (z * to_plane + y * to_row) + x] =
            from[3 * (z * from_plane + y * from_row) + x] ^ change;
}

static void blocks(void) {
  unsigned char in[400], out[800] = {0}, wanted[800] = {0};
  for (unsigned i = 0; i < sizeof in; i++) in[i] = (unsigned char)(i * 37 + i / 7);
  launch("blocks", 8, 8, out, sizeof out, in, sizeof in);
  copy_block(wanted + 3, 9, 45, in + 15, 11, 50, 2, 0x55);
  copy_block(wanted + 300, 10, 0, in + 15, 11, 0, 1, 0x55);
  memcpy(wanted + 600, in + 2, 6);
  for (unsigned i = 0; i < sizeof out; i++)
    if (out[i] != wanted[i]) wrong("blocks: byte %u is %u, not %u", i, out[i], wanted[i]);
}

/* Readings of a work-item go up, and one launch's are not behind the next one's. */
static void clocks(void) {
  enum { ITEMS = 64 };
  static cl_ulong out[3 * ITEMS];
  cl_ulong latest = 0;
  int n = 5;
  for (int round = 0; round < 3; round++) {
    cl_ulong before = latest;
    launch("clocks", ITEMS, 16, out, sizeof out, &n, sizeof n);
    for (int i = 0; i < ITEMS; i++) {
      if (!out[3 * i + 2] || out[3 * i] < before || out[3 * i + 1] < out[3 * i])
        wrong("clocks: item %d read %lu to %lu behind %lu", i, out[3 * i], out[3 * i + 1], before);
      if (out[3 * i + 1] > latest) latest = out[3 * i + 1];
    }
  }
}

#define ATOMICS(T)                                                                                 \
  static void atomics_##T(void) {                                                                  \
    enum { ITEMS = 1000, LOCAL = 50 };                                                             \
    T in[ITEMS], out[7] = {0, 0, 0, 0, 0, 1e9, -1e9}, wanted[7] = {0, 0, 0, 0, 0, 1e9, -1e9};      \
    uint64_t seed = 7;                                                                             \
    for (int i = 0; i < ITEMS; i++) {                                                              \
      T x = in[i] = (T)((int)(random_next(&seed) % 2001) - 1000);                                  \
      wanted[0] += x;                                                                              \
      wanted[1] -= x;                                                                              \
      wanted[4] += x - 1;                                                                          \
      if (x < wanted[2]) wanted[2] = x;                                                            \
      if (x > wanted[3]) wanted[3] = x;                                                            \
      if (x < wanted[5]) wanted[5] = x;                                                            \
      if (x > wanted[6]) wanted[6] = x;                                                            \
    }                                                                                              \
    launch("atomics_" #T, ITEMS, LOCAL, out, sizeof out, in, sizeof in);                           \
    for (int k = 0; k < 7; k++)                                                                    \
      if (out[k] != wanted[k])                                                                     \
        wrong("atomics_" #T ": result %d is %g, not %g", k, (double)out[k], (double)wanted[k]);    \
  }
ATOMICS(float)
ATOMICS(double)

int main(void) {
  static const char *const standards[] = {"-cl-std=CL3.0", "-cl-std=CLC++2021"};
  for (int s = 0; s < 2; s++) {
    program = build_file("extended.cl", standards[s]);
    blocks();
    clocks();
    atomics_float();
    atomics_double();
    CL(clReleaseProgram(program));
  }
  return verdict();
}
