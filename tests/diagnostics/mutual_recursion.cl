int ping(int x);
int pong(int x) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return x > 3 ? x : ping(x + 1);
}
int ping(int x) { return pong(x * 2); }
kernel void k(global int *out) { out[get_global_id(0)] = ping(1); }
