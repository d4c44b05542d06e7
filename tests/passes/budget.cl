// What would be too much code: fewer copies of a loop, fewer lanes, or vectors as the program has them.
// pass: widen
#define STEP(a, b, c, d, k) a = rotate(a + ((b & c) | (~b & d)) + x + k, (T)(k % 31 + 1)) + b;
#define STEPS_4(k) \
  STEP(a, b, c, d, k) STEP(d, a, b, c, k + 1) STEP(c, d, a, b, k + 2) STEP(b, c, d, a, k + 3)
#define STEPS_16(k) STEPS_4(k) STEPS_4(k + 4) STEPS_4(k + 8) STEPS_4(k + 12)
#define STEPS_64(k) STEPS_16(k) STEPS_16(k + 16) STEPS_16(k + 32) STEPS_16(k + 48)
#define STEPS_256(k) STEPS_64(k) STEPS_64(k + 64) STEPS_64(k + 128) STEPS_64(k + 192)

#define T uint
kernel void small(global T *out, global const T *in) {
  size_t i = get_global_id(0);
  T x = in[i], a = x ^ 1, b = x ^ 2, c = x ^ 3, d = x ^ 4;
  STEPS_64(0)
  out[i] = a + b + c + d;
}
kernel void large(global T *out, global const T *in) {
  size_t i = get_global_id(0);
  T x = in[i], a = x ^ 1, b = x ^ 2, c = x ^ 3, d = x ^ 4;
  STEPS_256(0)
  out[i] = a + b + c + d;
}
kernel void larger(global T *out, global const T *in) {
  size_t i = get_global_id(0);
  T x = in[i], a = x ^ 1, b = x ^ 2, c = x ^ 3, d = x ^ 4;
  STEPS_256(0) STEPS_256(256) STEPS_256(512)
  out[i] = a + b + c + d;
}

#undef T
#define T uint16
kernel void vectors(global T *out, global const T *in) {
  size_t i = get_global_id(0);
  T x = in[i], a = x ^ 1, b = x ^ 2, c = x ^ 3, d = x ^ 4;
  STEPS_64(0) STEPS_64(64)
  out[i] = a + b + c + d;
}
