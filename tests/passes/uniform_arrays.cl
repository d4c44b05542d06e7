// pass: split
// show: alloca \[
/* Of an array that is the same for all there is one, which is filled without a loop over work-items. */
kernel void results(global float *out, global const float *in, int n) {
  float row[16], x = in[get_global_id(0)];
  for (int k = 0; k < n; k++) row[k] = work_group_reduce_add(x * k);
  for (int k = 0; k < n; k++) x -= row[k];
  out[get_global_id(0)] = x;
}
/* Read and written: what is the same for all is done once, in a region of its own. */
kernel void changed(global float *out, global const float *in, int n) {
  float row[4] = {0, 0, 0, 0}, x = in[get_global_id(0)];
  for (int k = 0; k < n; k++) {
    row[k & 3] += work_group_reduce_add(x);
    x *= row[(k + 1) & 3];
  }
  out[get_global_id(0)] = x;
}
/* The next work-item would read what this one has written. */
kernel void read_first(global float *out, global const float *in, int n) {
  float row[4] = {1, 2, 3, 4}, x = in[get_global_id(0)];
  for (int k = 0; k < n; k++) {
    float most = work_group_reduce_max(x);
    x *= x < 1 ? row[k & 3] : 2;
    row[k & 3] = most;
  }
  out[get_global_id(0)] = x;
}
/* By some, with numbers of their own, and at places of their own. */
kernel void differing(global float *out, global const float *in, int n) {
  float some[8] = {0}, values[8] = {0}, places[8] = {0}, x = in[get_global_id(0)];
  for (int k = 0; k < n; k++) {
    float most = work_group_reduce_max(x);
    if (x > 1) some[k & 7] = most;
    values[k & 7] = x;
    places[(int)x & 7] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += some[(k + 3) & 7] + values[(k + 5) & 7] + places[k & 7];
  }
  out[get_global_id(0)] = x;
}
