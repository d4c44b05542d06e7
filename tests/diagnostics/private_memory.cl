/* Private memory that no stack can hold, or whose size is not known when the program is built. */
kernel void any_size(global int *out) {
  int *p = __builtin_alloca(out[1] + 100000000);
  p[5] = 1;
  out[0] = p[out[2]];
}

kernel void in_a_loop(global int *out) {
  for (int i = 0; i < out[1]; i++) {
    int *p = __builtin_alloca(64);
    p[i & 15] = i;
    out[i] = p[out[2] & 15];
  }
}

kernel void known(global int *out) {
  int *p = __builtin_alloca(64);
  p[out[1] & 15] = 1;
  out[0] = p[out[2] & 15];
}

kernel void large(global int *out) {
  int a[1L << 31];
  a[out[1]] = 1;
  out[0] = a[out[2]];
}

kernel void larger(global int *out) {
  char a[1L << 60];
  a[out[1]] = 1;
  out[0] = a[out[2]];
}
