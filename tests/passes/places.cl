// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: masked.gather|masked.scatter|load <8 x float>|icmp eq i64
/* Lanes that go down in memory: a wide access and a shuffle. */
kernel void backwards(global float *out, global const float *in, int n) {
  int i = get_global_id(0);
  out[n - 1 - i] = in[i];
}
/* A private array that lives on: the units of neighbours are side by side. */
kernel void lives_on(global float *out, global const float *in, int n) {
  float a[64];
  for (int k = 0; k < n; k++) a[k] = in[k] + (float)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int k = 0; k < n; k++) s += a[k] * k;
  out[get_global_id(0)] = s;
}
/* What must not wrap is asked of one number for all of these sums. */
kernel void one_test(global float *out, global const float *in, int n, int m) {
  int i = get_global_id(0);
  out[i] = in[i - n] + in[i + n] + in[i - m] + in[i + m];
}
/* An id that stops at a border is computed again behind a barrier: it is known how it grows. */
kernel void border(global float *out, local float *t, int n) {
  int x = get_local_id(0), next = min(x + 1, n);
  t[x] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[x] = t[next];
}
