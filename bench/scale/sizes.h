/* Sizes of the jobs and their data, in C and in OpenCL C. */
#ifndef BENCH_SCALE_SIZES_H
#define BENCH_SCALE_SIZES_H

enum {
  SCALE_ELEMENTS = 1 << 26,
  SCALE_SMALL = 1 << 16,
  SCALE_CACHED = 1 << 20,
  SCALE_SCANNED = 1024,
  SCALE_BODIES = 1 << 14,
  SCALE_PIXELS = 2048, /* each way */
  SCALE_BYTES = 1 << 25,
  SCALE_INCREMENTS = 1 << 22,
  SCALE_GRID = 8192, /* each way */
  SCALE_STEPS = 1000,
  /* Of the kernels. */
  GROUP = 256,
  FLOATS_PER_ITEM = 64,
  BYTES_PER_ITEM = 128,
};

/* Element i of the inputs. */
#define SCALE_FLOAT(i) ((float)((i) % 7))
#define SCALE_INT(i)   ((int)((i) % 5))
#define SCALE_BYTE(i)  ((unsigned char)((unsigned)(i) * 2654435761u >> 24))

#endif
