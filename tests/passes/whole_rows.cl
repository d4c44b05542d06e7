// pass: widen
// show: uses-nothing-else
// plan: yes
// What reads rows as long as the group does all work-items at once, as long as registers hold what it carries.
kernel void accumulated(global const float *a, global float *sums, int rows) {
  int l = get_local_id(0), n = get_local_size(0), g = get_group_id(0);
  for (int r = 0; r < rows; r++) sums[g * n + l] += a[(g * rows + r) * n + l];
}
