// pass: inline
// show: ^[0-9]+:|load (float|i32)|phi
// What a work-item reads in each iteration is read in front of a loop that work-items leave one after
// another: behind widening each iteration's load would be of those that are left.

kernel void search(global const float *sums, global const float *wanted, global int *out, int n) {
  int i = get_global_id(0), at = n - 1;
  for (int k = 0; k < n; k++)
    if (sums[k] >= wanted[i]) {
      at = k;
      break;
    }
  out[i] = at;
}

// All leave it together: LLVM hoists it later.
kernel void counts(global const float *sums, global const float *wanted, global int *out, int n) {
  int i = get_global_id(0), count = 0;
  for (int k = 0; k < n; k++) count += sums[k] >= wanted[i];
  out[i] = count;
}

// The loop may write there.
kernel void moves(global const float *sums, global float *wanted, global int *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) {
    if (sums[k] >= wanted[i]) break;
    wanted[k] = 1;
  }
}

// Not every work-item that enters the loop reads it.
kernel void guarded(global const float *sums, global const int *wanted, global int *out, int n) {
  int i = get_global_id(0), k = i & 7;
  while (sums[k] < n) {
    if (k & 1) k += wanted[i];
    k++;
  }
  out[i] = k;
}
