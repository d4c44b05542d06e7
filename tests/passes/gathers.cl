// Some lanes' loads from where they say: a gather under their mask where LLVM has one for the
// processor, as for this one.  whole.cl has those of a processor that LLVM does not gather for, where
// all lanes load.  Some lanes' stores: one lane after another, before AVX-512.
// pass: widen
// show: masked.(gather|scatter)|cttz
// march: skylake
kernel void some(global int *out, global const int *in, global const int *at) {
  size_t i = get_global_id(0);
  if (at[i] > 0) out[i] = in[at[i]];
}
kernel void all(global int *out, global const int *in, global const int *at) {
  size_t i = get_global_id(0);
  out[i] = in[at[i]];
}
kernel void pairs(global int2 *out, global const int *at) {
  size_t i = get_global_id(0);
  if (at[i] > 0) out[at[i]] = (int2)(at[i], 1);
}
