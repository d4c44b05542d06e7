
// show: call|alloca
/* Structures by value and places to write to are values behind it. */
struct pair { float low, high; };
__attribute__((noinline)) static struct pair ordered(float a, float b) {
  struct pair p = {fmin(a, b), fmax(a, b)};
  return p;
}
__attribute__((noinline)) static void widened(struct pair *p, float by) {
  if (by < 0) return;
  p->low -= by;
  p->high += by;
}
kernel void all_kinds(global float *x, float by) {
  size_t i = get_global_id(0);
  struct pair p = ordered(x[2 * i], x[2 * i + 1]);
  widened(&p, by);
  x[2 * i] = p.low;
  x[2 * i + 1] = p.high;
}

/* What calls itself stays a call. */
static int turns(int x) { return x < 2 ? 0 : x & 1 ? turns(3 * x + 1) + 1 : turns(x / 2) + 1; }
kernel void recursive(global int *x) {
  size_t i = get_global_id(0);
  x[i] = turns(x[i]);
}

/* Code that grows out of hand: what is biggest stays calls. */
static float f0(float x, float y) { return x * y + 1.5f; }
#define LEVEL(n, m)                                                            \
  static float f##n(float x, float y) {                                        \
    return f##m(x, y) + f##m(y, x) * f##m(x + y, y) - f##m(x, x - y) + f##m(2 * x, y); \
  }
LEVEL(1, 0) LEVEL(2, 1)
kernel void hostile(global float *x) {
  size_t i = get_global_id(0);
  float v = x[i];
  x[i] = f2(v, 1) + f2(v, 2) + f2(v, 3) + f2(v, 4) + f2(v, 5) + f0(v, 2);
}
