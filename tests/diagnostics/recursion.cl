int sum(int x, int depth) {
  int total = work_group_reduce_add(x);
  if (depth == 0) return total;
  return total + sum(x + 1, depth - 1);
}
kernel void k(global int *out) { out[get_global_id(0)] = sum(1, 3); }
