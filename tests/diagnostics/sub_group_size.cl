kernel void __attribute__((intel_reqd_sub_group_size(24))) k(global int *out) {
  out[get_global_id(0)] = sub_group_reduce_add(1);
}
