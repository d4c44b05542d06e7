// pass: widen
// show: = shl i64 1|freeze <64 x i1>|element <64 x i1> .*, i64 %
// march: skylake-avx512
// set: MANIPLE_SUBGROUP_SIZE=64

/* A result of one bit, lane by lane: among 64 lanes a bit of an integer. This processor prefers
 * vectors of 32 bytes, and LLVM fails to put a lane that varies into 64 bits. The lanes not yet
 * visited have no value, and would leave the integer without any: hence the freeze. */
kernel void exchange(global atomic_uint *count, global int *out) {
  size_t at = get_global_id(0);
  int sum = sub_group_reduce_add((int)at);
  uint old = atomic_load(count);
  int tries = 0;
  while (!atomic_compare_exchange_weak(count, &old, old + 1)) tries++;
  out[at] = sum + tries;
}
