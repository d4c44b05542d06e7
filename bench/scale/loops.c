/* bench_scale_loops: the jobs as loops in C with OpenMP, on OMP_NUM_THREADS threads. */
#include "jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *x, *y, *forces;
static int *a, *b, *pixels, counts[256];
static unsigned char *bytes;

static void *memory(size_t size) {
  void *made = malloc(size);
  if (!made) exit(2);
  return made;
}

static void make_data(void) {
  x = memory(sizeof *x * SCALE_ELEMENTS);
  y = memory(sizeof *y * SCALE_ELEMENTS);
  a = memory(sizeof *a * SCALE_ELEMENTS);
  b = memory(sizeof *b * SCALE_ELEMENTS);
  bytes = memory(SCALE_BYTES);
  forces = memory(sizeof *forces * SCALE_BODIES);
  pixels = memory(sizeof *pixels * SCALE_PIXELS * SCALE_PIXELS);
#pragma omp parallel for
  for (size_t i = 0; i < SCALE_ELEMENTS; i++) {
    x[i] = SCALE_FLOAT(i);
    y[i] = 1;
    a[i] = SCALE_INT(i);
    b[i] = 0;
    if (i < SCALE_BYTES) bytes[i] = SCALE_BYTE(i);
  }
}

static double empty(void) {
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  return 0;
}

static double add(size_t count) {
#pragma omp parallel for
  for (size_t i = 0; i < count; i++) y[i] += 0.5f * x[i];
  return y[3];
}
static double small(void) { return add(SCALE_SMALL); }
static double saxpy(void) { return add(SCALE_ELEMENTS); }

static double sum_of(size_t count) {
  float all = 0;
#pragma omp parallel for reduction(+ : all)
  for (size_t i = 0; i < count; i++) all += x[i];
  return all;
}
static double sum(void) { return sum_of(SCALE_ELEMENTS); }
static double cached(void) { return sum_of(SCALE_CACHED); }

static double scan(void) {
#pragma omp parallel for
  for (size_t group = 0; group < SCALE_ELEMENTS / SCALE_SCANNED; group++) {
    int all = 0;
    for (size_t i = group * SCALE_SCANNED; i < (group + 1) * SCALE_SCANNED; i++) b[i] = all += a[i];
  }
  return b[SCALE_SCANNED - 1];
}

static double nbody(void) {
  const float *px = x, *py = x + SCALE_BODIES, *pz = x + 2 * SCALE_BODIES;
#pragma omp parallel for
  for (int i = 0; i < SCALE_BODIES; i++) {
    float force = 0;
    for (int j = 0; j < SCALE_BODIES; j++) {
      float dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
      float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      force += dx * inverse * inverse * inverse;
    }
    forces[i] = force;
  }
  return forces[5];
}

static int steps(int column, int row) {
  float cr = (float)column * (3.0f / SCALE_PIXELS) - 2, ci = (float)row * (2.0f / SCALE_PIXELS) - 1, re = 0, im = 0;
  int step = 0;
  for (; step < SCALE_STEPS && re * re + im * im < 4; step++) {
    float next = re * re - im * im + cr;
    im = 2 * re * im + ci;
    re = next;
  }
  return step;
}

static double mandelbrot(void) {
#pragma omp parallel for schedule(dynamic)
  for (int row = 0; row < SCALE_PIXELS; row++)
    for (int column = 0; column < SCALE_PIXELS; column++) pixels[row * SCALE_PIXELS + column] = steps(column, row);
  return pixels[SCALE_PIXELS * SCALE_PIXELS / 2 + 5];
}

static double histogram(void) {
  memset(counts, 0, sizeof counts);
#pragma omp parallel
  {
    int own[256] = {0};
#pragma omp for nowait
    for (size_t i = 0; i < SCALE_BYTES; i++) own[bytes[i]]++;
#pragma omp critical
    for (int i = 0; i < 256; i++) counts[i] += own[i];
  }
  return counts[9];
}

static double counters(void) {
  memset(counts, 0, sizeof counts);
#pragma omp parallel for
  for (int i = 0; i < SCALE_INCREMENTS; i++) __atomic_fetch_add(&counts[i & 7], 1, __ATOMIC_RELAXED);
  return counts[3];
}

static double stencil(void) {
#pragma omp parallel for
  for (size_t row = 1; row < SCALE_GRID - 1; row++)
    for (size_t i = row * SCALE_GRID + 1; i < (row + 1) * SCALE_GRID - 1; i++)
      y[i] = 0.25f * (x[i - 1] + x[i + 1] + x[i - SCALE_GRID] + x[i + SCALE_GRID]);
  return y[SCALE_GRID + 5];
}

static void measure(const char *name, int rounds, double (*job)(void)) {
  double best = 0, answer = 0;
  for (int round = 0; round < rounds; round++) {
    double begin = scale_microseconds();
    answer = job();
    double took = scale_microseconds() - begin;
    if (!round || took < best) best = took;
  }
  scale_row(name, best, answer);
}

int main(void) {
  make_data();
#define SCALE_JOB(name, rounds, what) measure(#name, rounds, name);
#include "jobs.def"
  return 0;
}
