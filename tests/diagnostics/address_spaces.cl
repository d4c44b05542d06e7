kernel void k(global int *out) {
  local int cells[4];
  global int *p = cells;
  out[0] = *p;
}
