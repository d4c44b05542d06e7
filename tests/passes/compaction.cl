// A store under a condition, to where an add-scan of the condition says.
// show: call .*@__mpl_sync|store i32
kernel void exclusive(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int x = in[i], keeps = x > 50;
  int at = work_group_scan_exclusive_add(keeps);
  if (keeps)
    out[at] = x;
}
kernel void inclusive(global int *out, global const int *in, int base) {
  size_t i = get_local_id(0);
  int x = in[i], keeps = x > 50;
  int at = work_group_scan_inclusive_add(keeps);
  if (keeps)
    out[base + at - 1] = x;
}

// Not another condition, not two places for each count, not a scan of something else than 0 and 1.
kernel void other_condition(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int x = in[i];
  int at = work_group_scan_exclusive_add(x > 50 ? 1 : 0);
  if (x > 49)
    out[at] = x;
}
kernel void apart(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int x = in[i], keeps = x > 50;
  int at = work_group_scan_exclusive_add(keeps);
  if (keeps)
    out[2 * at] = x;
}
kernel void counts(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int x = in[i];
  int at = work_group_scan_exclusive_add(x);
  if (x > 0)
    out[at] = x;
}
