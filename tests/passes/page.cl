// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: masked.load|load <|icmp ule|masked.gather
/* AVX2 has no masks for bytes: all of them are loaded, unless they lie in two pages. */
kernel void some_bytes(global uchar *out, global const uchar *in, global const uchar *which) {
  size_t i = get_global_id(0);
  if (which[i]) out[i] = in[i];
}
/* Nor for those of pixels. */
kernel void some_pixels(global uchar *out, global const uchar *in, global const uchar *which) {
  size_t i = get_global_id(0);
  if (which[i]) out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];
}
/* Words have. */
kernel void some_words(global int *out, global const int *in, global const int *which) {
  size_t i = get_global_id(0);
  if (which[i]) out[i] = in[i];
}
/* Nor does it gather bytes: lanes that are not there load what nobody owns, without a branch. */
kernel void looked_up(global uchar *out, global const uchar *table, global const uchar *which) {
  size_t i = get_global_id(0);
  if (which[i]) out[i] = table[which[i] * 7];
}
/* Where records lie in two pages each byte between them would be a branch: not of large ones. */
kernel void some_records(global uchar *out, global const uchar *in, global const uchar *which) {
  size_t i = get_global_id(0);
  if (which[i]) out[i] = in[60 * i] + in[60 * i + 1] + in[60 * i + 58];
}
