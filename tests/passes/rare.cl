// pass: widen
// show: vector.reduce.or|icmp ne i(8|16|32)
// What is said to be rare is passed by where no lane is, however short it is.
kernel void rare(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = in[i];
  float y = x * 2;
  if (__builtin_expect(x < 0, 0)) y = x * x + 1;
  out[i] = y;
}
kernel void common(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = in[i];
  float y = x * 2;
  if (x < 0) y = x * x + 1;
  out[i] = y;
}
