// Some lanes' loads from where they say: a gather under their mask where LLVM has one for the
// processor, as for this one.  whole.cl has those of a processor that LLVM does not gather for, where
// all lanes load.  Some lanes' stores: one lane after another, before AVX-512.
// pass: widen
// show: masked.(gather|scatter)|cttz|[sz]ext <[0-9]+ x i32>
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
/* An index that is known not to be negative is extended as one with a sign: LLVM gathers by 32 bits then. */
kernel void not_negative(global const int *column, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  int c = column[i];
  if (c >= 0) y[i] += x[c];
}
