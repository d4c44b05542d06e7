// Each its own place, several times; the neighbour reads it in the same phase.
kernel void k(global int *out) {
  local int s[32];
  int i = get_local_id(0);
  for (int turn = 0; turn < 4; turn++) {
    s[i] = turn;
    out[i] += s[i];
  }
  if (i == 9) out[i] = s[8];
}
