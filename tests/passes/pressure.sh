#!/bin/sh
# pressure.sh MANIPLE: of 16 chains of 8 lanes all stay in the 16 registers of AVX2; what they share is
# read from memory.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/chains.cl" <<'CL'
#define FOUR(x) x = x * x + c; x = x * x + c; x = x * x + c; x = x * x + c;
kernel void chains(global float *out, float a) {
  float16 x = a, c = (float)get_local_id(0);
  for (int k = 0; k < 64; k++) { FOUR(x) FOUR(x) }
  float8 sum = x.lo * x.hi;
  float4 half_of_it = sum.lo * sum.hi;
  out[get_global_id(0)] = half_of_it.x * half_of_it.y * half_of_it.z * half_of_it.w;
}
CL
MANIPLE_BUILD_OPTIONS=-march=x86-64-v3 "$1" build "$work/chains.cl" -cl-mad-enable \
  --dump="$work/steps" -o "$work/bin" > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
# No block that multiplies and adds 16 chains eight times saves a register.
awk '/^\.L.*:/ { if (adds >= 128) { saves ? bad++ : good++ } adds = saves = 0 }
     /vfmadd/ { adds++ }
     /Spill/ { saves++ }
     END { exit !good || bad }' "$work"/steps/*/program.s && exit 0
grep -E '^\.L|vfmadd|Spill|Reload' "$work"/steps/*/program.s
exit 1
