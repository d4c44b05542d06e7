/* The jobs of jobs.def. */
#include "sizes.h"

kernel void fill(global float *x, global float *y, global int *a, global int *b, global uchar *bytes) {
  size_t i = get_global_id(0);
  x[i] = SCALE_FLOAT(i);
  y[i] = 1;
  a[i] = SCALE_INT(i);
  b[i] = 0;
  if (i < SCALE_BYTES) bytes[i] = SCALE_BYTE(i);
}

kernel void clear(global int *counts) {
  counts[get_global_id(0)] = 0;
}

kernel void empty(global int *x) {
}

kernel void add(global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += 0.5f * x[i];
}

kernel void sum(global const float *x, global float *sums) {
  size_t first = get_group_id(0) * FLOATS_PER_ITEM * get_local_size(0) + get_local_id(0);
  float own = 0;
  for (int i = 0; i < FLOATS_PER_ITEM; i++) own += x[first + i * get_local_size(0)];
  own = work_group_reduce_add(own);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = own;
}

kernel void scan(global const int *a, global int *b) {
  size_t i = get_global_id(0);
  b[i] = work_group_scan_inclusive_add(a[i]);
}

kernel void nbody(global const float *x, global float *forces) {
  global const float *y = x + SCALE_BODIES, *z = y + SCALE_BODIES;
  int i = get_global_id(0);
  float force = 0;
  for (int j = 0; j < SCALE_BODIES; j++) {
    float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    float inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
    force += dx * inverse * inverse * inverse;
  }
  forces[i] = force;
}

kernel void mandelbrot(global int *pixels) {
  int column = get_global_id(0), row = get_global_id(1), step = 0;
  float cr = column * (3.0f / SCALE_PIXELS) - 2, ci = row * (2.0f / SCALE_PIXELS) - 1, re = 0, im = 0;
  for (; step < SCALE_STEPS && re * re + im * im < 4; step++) {
    float next = re * re - im * im + cr;
    im = 2 * re * im + ci;
    re = next;
  }
  pixels[row * SCALE_PIXELS + column] = step;
}

kernel void histogram(global const uchar *bytes, global int *counts) {
  local int own[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t first = get_group_id(0) * BYTES_PER_ITEM * get_local_size(0) + get_local_id(0);
  for (int i = 0; i < BYTES_PER_ITEM; i++) atomic_inc(&own[bytes[first + i * get_local_size(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&counts[i], own[i]);
}

kernel void counters(global int *counts) {
  atomic_inc(&counts[get_global_id(0) & 7]);
}

kernel void stencil(global const float *x, global float *y) {
  size_t column = get_global_id(0), row = get_global_id(1), i = row * SCALE_GRID + column;
  if (row == 0 || column == 0 || row == SCALE_GRID - 1 || column == SCALE_GRID - 1) return;
  y[i] = 0.25f * (x[i - 1] + x[i + 1] + x[i - SCALE_GRID] + x[i + SCALE_GRID]);
}
