// Loops that ask for what is the same for all, and known before them.
// show: switch i32|call .*@__mpl_sync
#define CASES(x) \
  switch (kind) { \
  case 1: sum += in[x] * 3; break; \
  case 2: sum ^= in[x]; break; \
  case 7: sum = max(sum, in[x]); break; \
  default: sum -= in[x]; \
  }
kernel void nest(global int *out, global const int *in, int kind, int w, int h) {
  size_t i = get_global_id(0);
  int sum = out[i];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) CASES(i + y * w + x);
  out[i] = sum;
}

// Not what work-items take differently, what changes in the loop, two cases, nor a loop that waits.
kernel void varying(global int *out, global const int *in, int w) {
  size_t i = get_global_id(0);
  int sum = out[i], kind = out[i];
  for (int x = 0; x < w; x++) CASES(i + x);
  out[i] = sum;
}
kernel void changing(global int *out, global const int *in, int w) {
  size_t i = get_global_id(0);
  int sum = out[i];
  for (int x = 0; x < w; x++) {
    int kind = in[x];
    CASES(i + x);
  }
  out[i] = sum;
}
kernel void two(global int *out, global const int *in, int kind, int w) {
  size_t i = get_global_id(0);
  int sum = out[i];
  for (int x = 0; x < w; x++) sum += kind == 1 ? in[i + x] : -in[x];
  out[i] = sum;
}
kernel void waits(global int *out, global const int *in, int kind, int w) {
  size_t i = get_global_id(0);
  int sum = out[i];
  for (int x = 0; x < w; x++) {
    CASES(i + x);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  out[i] = sum;
}

// Where no loop is around.
// The kernel asks once, each case is a region.
kernel void kernel_of_one(global float *out, int how) {
  size_t i = get_global_id(0);
  float v = out[i];
  switch (how) {
  case 1: v = v * 2; break;
  case 2: v = v + 1; break;
  case 3: v = sqrt(v); break;
  default: v = 0;
  }
  out[i] = v;
}
// All combinations.
kernel void kernel_of_two(global const float *in, global float *out, int a, int b) {
  size_t i = get_global_id(0);
  float v = in[i];
  switch (a) {
  case 1: v = v * 2; break;
  case 2: v = v + 1; break;
  case 3: v = sqrt(v); break;
  default: v = 0;
  }
  switch (b) {
  case 1: out[i] = v; break;
  case 2: out[2 * i] = v; break;
  case 3: out[i / 2] = v; break;
  }
}
// Too many: the same case of all.
kernel void kernel_of_three(global float *out, int a, int b, int c) {
  size_t i = get_global_id(0);
  float v = out[i];
  switch (a) {
  case 1: v = v * 2; break;
  case 2: v = v + 1; break;
  case 3: v = sqrt(v); break;
  }
  switch (b) {
  case 1: v = v * 3; break;
  case 2: v = v + 4; break;
  case 3: v = exp2(v); break;
  }
  switch (c) {
  case 1: v = v * 5; break;
  case 2: v = v + 6; break;
  case 3: v = fabs(v); break;
  }
  out[i] = v;
}
// Not: there are regions already; what is asked for varies.
kernel void kernel_that_meets(global float *out, local float *t, int how) {
  size_t i = get_local_id(0);
  t[i] = out[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = t[i ^ 1];
  switch (how) {
  case 1: v = v * 2; break;
  case 2: v = v + 1; break;
  case 3: v = sqrt(v); break;
  }
  out[i] = v;
}
kernel void kernel_that_varies(global float *out, global const int *how) {
  size_t i = get_global_id(0);
  float v = out[i];
  switch (how[i]) {
  case 1: v = v * 2; break;
  case 2: v = v + 1; break;
  case 3: v = sqrt(v); break;
  }
  out[i] = v;
}
