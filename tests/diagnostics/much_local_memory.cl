// launch: 16 16
kernel void k(void) {
  local int cells[1 << 24];
  cells[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
}
