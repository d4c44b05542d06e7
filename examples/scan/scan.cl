/* The OpenCL C specification ("Work-group Collective Functions") defines scans with this example:
 *   values           3 1 7  0  4  1  6  3
 *   inclusive add    3 4 11 11 15 16 22 25
 *   exclusive add    0 3 4  11 11 15 16 22
 * One call each; every work-group scans its own part of the array. */
kernel void inclusive(global const int *values, global int *sums) {
  size_t i = get_global_id(0);
  sums[i] = work_group_scan_inclusive_add(values[i]);
}

kernel void exclusive(global const int *values, global int *sums) {
  size_t i = get_global_id(0);
  sums[i] = work_group_scan_exclusive_add(values[i]);
}
