// Pointers to variables of blocks that have ended come back from memory.
kernel void k(global int *out) {
  int i = get_local_id(0), *kept[4], sum = 0;
  for (int turn = 0; turn < 2; turn++) { // here they live
    int digits[4], one = turn;
    for (int j = 0; j < 4; j++) digits[j] = i + j;
    kept[(i + turn) & 3] = digits + turn;
    kept[(i + turn + 2) & 3] = &one;
    sum += *kept[(i + turn) & 3] + *kept[(i + turn + 2) & 3];
  }
  {
    int others[4] = {1, 2, 3, 4};
    kept[1] = others;
    sum += kept[1][i & 3];
  }
  out[i] = sum + *kept[2 + (i & 1)];
  *kept[i & 1] = sum;
}
