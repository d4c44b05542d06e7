/* Private arrays that are each as large as they may be, and too large together. */
#define N 400000000
kernel void k(global int *out) {
  int a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = b[i] = i ^ out[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = a[out[1]] + b[out[2]];
}
