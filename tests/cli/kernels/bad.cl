kernel void bad(global int *out) {
  *out = missing;
}
