// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// set: MANIPLE_CHECK=1
// set: MANIPLE_CHECK_FILTER=1
// show: and i1|select i1 %[^,]*, i1
/* One place for some, perhaps none: without a lane there what is found is nobody's, and may be poison. */
kernel void some(global int *out, global const int *in, int at) {
  int i = (int)get_global_id(0);
  if (in[i] & 1) out[i] = in[at + 1];
}
