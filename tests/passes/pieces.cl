// Kernels of very many regions are divided into functions, whose loops are widened under masks, to
// lanes of one register; those of several regions are done a chunk at a time.
// pass: widen
// show: = and i64|call void @mpl_group|add nuw nsw i64 %[0-9]+, (8|16)$
#define FOUR(X) X X X X
#define NEXT x = work_group_reduce_add(x ^ y);
kernel void many(global uint *out, global const uint *in) {
  size_t i = get_global_id(0);
  uint y = in[i], x = y;
  FOUR(FOUR(NEXT NEXT))
  NEXT
  out[i] = x;
}
kernel void several(global uint *out, global const uint *in) {
  size_t i = get_global_id(0);
  uint y = in[i], x = y;
  FOUR(NEXT NEXT)
  out[i] = x;
}
kernel void few(global uint *out, global const uint *in) {
  size_t i = get_global_id(0);
  uint y = in[i], x = y;
  FOUR(NEXT)
  out[i] = x;
}
