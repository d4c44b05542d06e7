
// show: call|alloca
/* Structures by value and places to write to are values behind it. */
struct pair { float low, high; };
static struct pair ordered(float a, float b) {
  struct pair p = {fmin(a, b), fmax(a, b)};
  return p;
}
static void widened(struct pair *p, float by) {
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

/* What is to stay a call does, and gets the ids that it asks for; what it calls is inlined into it. */
static float ahead(global const float *restrict x) { return x[get_global_id(0) + 1]; }
__attribute__((noinline)) static float apart(global const float *restrict x) {
  return ahead(x) + get_local_id(1);
}
__attribute__((noinline)) static int which(int d) { return get_global_id(d); }
kernel void stays(global float *restrict x, global const float *restrict y) {
  size_t i = get_global_id(0);
  x[i] = (i & 1 ? apart(y) : y[i]) + which(i & 1);
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
LEVEL(1, 0) LEVEL(2, 1) LEVEL(3, 2) LEVEL(4, 3)
kernel void hostile(global float *x) {
  size_t i = get_global_id(0);
  float v = x[i];
  x[i] = f4(v, 1) + f4(v, 2) + f4(v, 3) + f0(v, 2);
}

/* Most of what the front end makes of structures by value and small arrays is gone behind it, and
 * does not count. */
struct three { float a, b, c; };
static struct three between(struct three l, struct three r, float by) {
#pragma OPENCL FP_CONTRACT OFF
  float left[3] = {l.a * by, l.b * by + l.a, l.c}, right[3] = {r.a * by, r.b * by + r.a, r.c};
  float low = l.a - r.b, high = l.b + r.a;
  struct three t = {left[0], left[1], left[2]};
  if (low < 0) {
    t.a = high * left[0] - low * right[0] + low * high * (r.a - l.a);
    t.b = high * left[1] - low * right[1] + low * high * (r.b - l.b);
    t.c = high * left[2] - low * right[2] + low * high * (r.c - l.c);
  }
  return t;
}
static struct three along(struct three x, global const struct three *in, float by) {
  struct three y = between(x, in[1], by), z = between(y, in[2], by), u = between(z, x, by);
  struct three v = between(u, in[3], by), w = between(v, y, by);
  return between(between(w, z, by), between(v, in[4], by), by);
}
kernel void slots(global const struct three *in, global struct three *out, float by) {
  size_t i = get_global_id(0);
  out[i] = along(along(along(along(in[i], in, by), in + 5, by), in + i, by), in + 10, by);
}
