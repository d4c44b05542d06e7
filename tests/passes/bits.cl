// The lowest bit of a component, which LLVM takes of a vector of bits, is one of a number.
// pass: widen
// set: MANIPLE_VECTOR_WIDTH=16
// show: (x i1> %|and <)
kernel void loaded(global ulong *out, global const uint4 *in) {
  size_t i = get_global_id(0);
  out[i] = (ulong)(uchar)((in[i].s2 & 1u) * 11u);
}
