// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: memset|memcpy|store <8 x|alloca .* x i8|alloca %|lshr <|scatter
/* An array that is set as a whole is set element by element, and lies lane beside lane. */
kernel void zeroed(global int *x) {
  int own[20] = {0};
  size_t i = get_global_id(0);
  for (int k = 0; k < 9; k++) own[x[9 * i + k] % 20u] += k;
  for (int k = 0; k < 20; k++) x[20 * i + k] = own[k];
}

/* Elements of several sizes: an array for each lane, copied lane by lane. */
struct mixed { char c; int n[20]; };
kernel void copied(global struct mixed *x) {
  size_t i = get_global_id(0);
  struct mixed own = x[i];
  own.n[x[i].n[0] % 20u] += own.c;
  x[i] = own;
}

/* A smaller access takes its part of a vector of units. */
kernel void parts(global uint *x, int n) {
  union { uint w[8]; uchar b[32]; } own;
  size_t i = get_global_id(0);
  for (int k = 0; k < 8; k++) own.w[k] = x[i] * k;
  own.b[n] = 3;
  own.b[x[i] & 31] = 1;
  x[i] = own.b[n + 1] + own.w[n];
}
