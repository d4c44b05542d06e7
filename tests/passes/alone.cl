// pass: widen
// set: MANIPLE_CODE_ECONOMY=1
// show: select i1 .*, i64 [0-9]+, i64 1(,|$)
/* Of a loop with one copy there is no second one for numbers that wrap: each work-item is a chunk then. */
kernel void wraps(global float *o, global const float *in) {
  int i = get_global_id(0);
  o[i] = in[i] - 1;
}
kernel void counts(global float *o, global const float *in, int n) {
  float sum = 0;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) sum += in[i];
  o[get_global_id(0)] = sum;
}
/* Not: nothing is assumed; arrays that may meet in a work-item; a row of one work-item is done alone. */
kernel void never(global float *o, global const float *in) {
  size_t i = get_global_id(0);
  o[i] = in[i] - 1;
}
kernel void meets(global float *o, global float *p) {
  int i = get_global_id(0);
  o[2 * i] = p[2 * i] - 1;
  o[2 * i + 1] = p[2 * i + 1] - 2;
}
kernel void rows(global float *o, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  o[y * n + x] -= 1;
}
