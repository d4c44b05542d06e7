// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: unreachable
/* The switch has no other case, so LLVM leads it to a block that ends in `unreachable`, and moves the
 * store of kept[2] behind the loop, there too.  Copies of the rows' loop do not know it. */
kernel void by_rows(global uint *out, global const uint *in, uint n, uint which) {
  size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  uint kept[4] = {in[x], 1, 2, 3}, state = in[y];
  for (uint k = 0; k < n; k++) {
    switch (state & 3) {
    case 0: state = state / 4 + k; break;
    case 1: state = 3 * state + 5; break;
    case 2: kept[2] += state ^ k; state += 1; break;
    case 3: kept[2] ^= state; state -= k; break;
    }
  }
  out[y * width + x] = kept[which & 3];
}
/* Nor do they know what a loop has that only leads there. */
int of(int) __attribute__((noinline));
int of(int n) {
  return n * n - 7;
}
kernel void by_loops(global uint *out, global const uint *in, uint n) {
  size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  uint state = in[y], kept = 0;
  for (uint k = 0; k < n; k++) {
    switch (state & 3) {
    case 0: state = state / 4 + k; break;
    case 1: state = 3 * state + 5; break;
    case 2: kept += state; state += 1; break;
    case 3:
      for (uint j = in[x]; j; j = of(j) + width) kept ^= of(kept + j + x);
      __builtin_unreachable();
    }
  }
  out[y * width + x] = kept;
}
/* A kernel that never ends stays as it is. */
kernel void endless(global int *out) {
  for (;;) out[get_global_id(0)]++;
}
