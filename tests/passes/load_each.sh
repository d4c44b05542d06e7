#!/bin/sh
# load_each.sh MANIPLE: where the compiler asks for no gather, LLVM makes none of loads in straight code; where
# it does ask for one, itself or in a function that it calls, there are some.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/own.cl" <<'CL'
kernel void own(global const float16 *m, global const float4 *v, global float4 *out) {
  int i = get_global_id(0);
  float16 a = m[i];
  float4 b = v[i];
  out[i] = (float4)(dot(a.s0123, b), dot(a.s4567, b), dot(a.s89ab, b), dot(a.scdef, b));
}
CL
cat > "$work/asked.cl" <<'CL'
kernel void asked(global const float *in, global const int *at, global float *out) {
  int i = get_global_id(0);
  out[i] = exp(in[at[i]]);
}
CL
cat > "$work/called.cl" <<'CL'
/* What sub-groups of 64 do is a function of its own, which the kernel's calls. */
__attribute__((intel_reqd_sub_group_size(64)))
kernel void called(global const double8 *in, global const int *at, global double8 *out) {
  int i = get_global_id(0);
  double8 kept[4] = {in[i], in[i] * 2, in[i] * 3, in[i] * 4};
  kept[at[i] & 3] += sub_group_scan_exclusive_add(at[i]);
  out[i] = kept[sub_group_broadcast(at[i], 7) + at[i] & 3];
}
CL
# gathers_of FILE PROCESSOR: instructions that gather
gathers_of() {
  MANIPLE_CACHE=0 MANIPLE_PASS_VERIFY=1 MANIPLE_BUILD_OPTIONS=-march=$2 \
    "$maniple" build "$work/$1.cl" --dump="$work/$1.$2" -o "$work/bin" > "$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
  grep -c '[[:space:]]v[p]*gather' "$work/$1.$2"/*/program.s
}
maniple=$1
[ "$(gathers_of own x86-64-v4)" = 0 ] || { echo "LLVM makes gathers of loads"; exit 1; }
[ "$(gathers_of asked x86-64-v4)" -gt 0 ] || { echo "no gather where one is asked for"; exit 1; }
[ "$(gathers_of asked cascadelake)" = 0 ] || { echo "a gather where loads are faster"; exit 1; }
[ "$(gathers_of called x86-64-v4)" -gt 0 ] || { echo "no gather where a called function asks for one"; exit 1; }
[ "$(gathers_of called cascadelake)" = 0 ] || { echo "a gather where loads are faster, in a called function"; exit 1; }
