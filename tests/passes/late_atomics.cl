// A relaxed minimum that changes nothing is a load.
// pass: atomics
// show: atomicrmw|cmpxchg|load atomic|load volatile|store volatile
kernel void least(global const int *i, global uint *least) {
  int at = i[get_global_id(0)];
  atomic_min(&least[at], (uint)at);
}
kernel void ordered(global const int *i, global atomic_int *least) {
  int at = i[get_global_id(0)];
  atomic_fetch_min(&least[at], at);
}
kernel void sum(global const int *i, global int *sums) {
  int at = i[get_global_id(0)];
  atomic_add(&sums[at], at);
}
kernel void local_least(global const int *i, global int *out, local int *least) {
  int at = i[get_global_id(0)];
  out[get_global_id(0)] = atomic_min(&least[at], at);
}
