// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: mul|zext|sext
/* Bytes are multiplied in pairs. */
kernel void product(global uchar *x, global const uchar *y) {
  size_t i = get_global_id(0);
  x[i] *= y[i];
}

/* A number of few bits wraps soon: nothing is assumed of it where it is no address. */
kernel void ids(global char *x, global const short *y) {
  x[get_global_id(0)] ^= (char)get_global_id(0);
}
