// Behind the array is another member of the same structure.
struct row {
  int cells[4], sum;
};
kernel void k(global int *out) {
  struct row rows[2];
  int i = get_local_id(0);
  for (int j = 0; j < 4; j++) rows[0].cells[j] = rows[1].cells[j] = i;
  rows[0].sum = rows[1].sum = 0;
  for (int j = 0; j < i - 3; j++) rows[i & 1].sum += rows[i & 1].cells[j];
  out[i] = rows[i & 1].sum;
}
