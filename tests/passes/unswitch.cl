// Loops that ask for what is the same for all, and known before them.
// show: switch i32
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
