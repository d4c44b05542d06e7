// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: atomicrmw|vector.reduce|call .*@(far|turned)|cttz|volatile
/* All at one place: combined first, then one atomic for a chunk. */
kernel void counted(global int *x, global const int *y) {
  atomic_add(x, y[get_global_id(0)]);
  if (y[get_global_id(0)] > 3) atomic_min(x + 1, y[get_global_id(0)]);
}

/* Who asks what was there before, and who goes to a place of its own: lane by lane. */
kernel void tickets(global int *x, global int *y) {
  size_t i = get_global_id(0);
  y[i] = atomic_inc(x);
  atomic_inc(&x[y[i] & 7]);
}

/* A function that cannot be inlined: lane by lane; those that are there. */
int far(int a) { return a > 9 ? far(a >> 3) * a : a * a; }
kernel void called(global int *x) {
  size_t i = get_global_id(0);
  if (x[i] > 0) x[i] = far(x[i]);
}

/* Components are vectors of lanes, also where a function takes and gives them. */
int4 turned(int4 a, int k) { return k > 1 ? turned(a.wxyz, k >> 1) : a.zwxy; }
kernel void vectors(global int4 *x) {
  size_t i = get_global_id(0);
  x[i] = turned(x[i], (int)i) + 1;
}

/* Bytes of a number: the components of a lane side by side. */
kernel void bytes(global uint *x) {
  size_t i = get_global_id(0);
  x[i] = as_uint(as_uchar4(x[i]).wzyx);
}

kernel void watched(volatile global int *x) { x[get_global_id(0)] += 1; }

/* A private array whose accesses are not of one size: one array for each lane. */
kernel void punned(global uint *x) {
  union { uint w[4]; uchar b[16]; } u;
  size_t i = get_global_id(0);
  for (int k = 0; k < 4; k++) u.w[k] = x[i] * k;
  u.b[x[i] & 15] = 1;
  x[i] = u.w[0] + u.w[1] + u.w[2] + u.w[3];
}

/* Not: who waits at a lock for one that has left the loop would wait forever. */
kernel void locked(global int *x) {
  while (atomic_xchg(x, 1)) {}
  x[1]++;
  atomic_xchg(x, 0);
}
