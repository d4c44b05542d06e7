// launch: 64 64
kernel void __attribute__((intel_reqd_sub_group_size(8))) k(void) {
  if (sub_group_clustered_reduce_add(1, 128) == -1) printf("undefined, but it compiles\n");
}
