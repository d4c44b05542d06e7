// Uniform arithmetic leaves varying branches.
// show: br i1|mul |sdiv |udiv
kernel void uniform_factor(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int m = in[0], n = in[1];
  if (in[i] > m + n)
    out[i + m * n] = 1;
}

// Not what varies, not what may trap, not where all work-items go the same way.
kernel void varying_factor(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int m = in[0], n = in[i];
  if (n > 3)
    out[i + m * n] = 1;
}
kernel void division(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int m = in[0], n = in[1];
  if (in[i] > m + n)
    out[i + m / n] = 1;
}
kernel void uniform_branch(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int m = in[0], n = in[1];
  if (m + n > 3)
    out[i + m * n] = 1;
}
