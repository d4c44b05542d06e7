// In a function, and in a loop around it: some skip the second row, others the third.
void row(local int *tile, int i, int skipped, int row) {
  for (int turn = 0; turn < 2; turn++) {
    if (row == skipped) continue;
    tile[i] = row;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void k(global int *out) {
  local int tile[32];
  int i = get_local_id(0);
  for (int j = 0; j < 3; j++) row(tile, i, 1 + i / 16, j);
  out[i] = tile[i];
}
