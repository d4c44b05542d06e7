// pass: widen
// march: x86-64-v4
// plan: yes
// show: store <[0-9]+ x i(16|32)>
/* Fields that make a word are shifts of it, not shuffles: all that is stored, any that are loaded. */
kernel void whole(global const uchar4 *in, global uchar4 *out) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = v.wzyx + (uchar)3;
}
kernel void two(global const short *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[2 * i] * in[2 * i + 1];
}
/* Not where a byte behind the last one would be read, nor where one is not stored. */
kernel void three(global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[4 * i] = out[4 * i + 2] = in[4 * i] + in[4 * i + 1] * in[4 * i + 2];
}
