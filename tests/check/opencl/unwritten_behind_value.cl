// A structure is handed over by value, of which a part was written; then the rest is read.
typedef struct { uint small; uint more[2]; } gapped;
__attribute__((noinline)) uint add_up(gapped g) {
  return g.small + g.more[1];
}
kernel void k(global int *out) {
  local gapped table[32];
  size_t i = get_local_id(0);
  table[i].small = i;
  table[i].more[1] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = add_up(table[i]);
  out[i] = sum + ((local gapped *)table)[i].more[0];
}
