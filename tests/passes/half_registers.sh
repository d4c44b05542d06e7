#!/bin/sh
# half_registers.sh MANIPLE: the row avx512-256 has masks and instructions of AVX-512, and registers of 64
# bytes only where a function is called with vectors of that size.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/half.cl" <<'CL'
__attribute__((noinline)) float16 twice(float16 x, double8 y) { return 2 * x + convert_float16((double16)(y, y)); }
kernel void passed(global float16 *x, global double8 *y) {
  size_t i = get_global_id(0);
  x[i] = twice(vload16(i, (global float *)x), y[i]);
}
kernel void math(global float *x, global float16 *y, global double *z) {
  size_t i = get_global_id(0);
  x[i] = ldexp(exp(x[i]), 3) + rsqrt(x[i]) + log(x[i]) + pow(x[i], 3.5f);
  y[i] = sin(y[i]) + exp2(y[i]);
  if (z[i] > 0) z[i] = log(z[i]) / sqrt(z[i]);
}
kernel void image(read_only image2d_t in, sampler_t s, global float4 *out) {
  size_t i = get_global_id(0);
  if (i & 1) out[i] = read_imagef(in, s, (float2)(i, i));
}
CL
status=0
for relaxed in "" -cl-fast-relaxed-math; do
  MANIPLE_CACHE=0 MANIPLE_PASS_VERIFY=1 MANIPLE_BUILD_OPTIONS="-march=x86-64-v4 -mprefer-vector-width=256 $relaxed" \
    "$1" build "$work/half.cl" --dump="$work/steps" -o "$work/bin" > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
  sed -n '/^[A-Za-z_][A-Za-z0-9_.]*:/h; /%zmm/{g;p;}' "$work"/steps/*/program.s | cut -d: -f1 | sort -u > "$work/uses"
  if [ "$(echo $(cat "$work/uses"))" != "mpl_group.passed twice" ]; then
    echo "registers of 64 bytes with '$relaxed' are used by:"
    cat "$work/uses"
    status=1
  fi
  for wanted in '%ymm' '{%k[1-7]}' vrsqrt14ps vscalefps; do
    grep -q "$wanted" "$work"/steps/*/program.s && continue
    echo "no $wanted with '$relaxed'"
    status=1
  done
  rm -rf "$work/steps"
done
exit $status
