// Work-items that leave a loop after different numbers of turns.
kernel void k(global int *out) {
  size_t i = get_local_id(0);
  int sum = 0, turn = 0;
  do {
    sum += work_group_reduce_add(1);
  } while (++turn < 1 + (int)i / 16 * 2);
  out[i] = sum;
}
