// pass: widen
// set: MANIPLE_CODE_ECONOMY=1
// show: icmp ne i64 %[a-z0-9._]+, 1(,|$)
/* Loops that have no copies: a row of one work-item is done by the loop that was there. */
kernel void rows(global float *o, global const float *in, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += in[y * n + k];
  o[y + x] = sum;
}
/* Not: there is but one row, or rows are known to be longer. */
kernel void one(global float *o, global const float *in, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += in[k * n + x];
  o[x] = sum;
}
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void eight(global float *o, int n) {
  o[get_global_id(1) * n + get_global_id(0)] += 1;
}
