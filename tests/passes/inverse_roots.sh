#!/bin/sh
# inverse_roots.sh MANIPLE: with relaxed math, quotients by roots are products with estimates; not so
# without, where quotients are to be rounded, or where the root is wanted itself.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/roots.cl" <<'CL'
kernel void quotient(global float *x, global float *y) {
  size_t i = get_global_id(0);
  x[i] = y[i] / sqrt(x[i]);
}
CL
cat > "$work/kept.cl" <<'CL'
kernel void kept(global float *x, global float *y) {
  size_t i = get_global_id(0);
  float root = sqrt(x[i]);
  x[i] = y[i] / root;
  y[i] = root;
}
CL
status=0
# expect ESTIMATES-OR-NOT PROCESSOR FILE OPTIONS...
expect() {
  want=$1 march=$2 file=$3; shift 3
  rm -rf "$work/steps"
  MANIPLE_CACHE=0 MANIPLE_BUILD_OPTIONS="-march=$march $*" \
    "$maniple" build -q "$work/$file" --dump="$work/steps" -o "$work/bin" > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
  roots=$(grep -c 'vsqrtps' "$work"/steps/*/program.s)
  estimates=$(grep -c 'vrsqrt' "$work"/steps/*/program.s)
  case $want in
    estimates) [ "$roots" = 0 ] && [ "$estimates" -gt 0 ] && return ;;
    roots) [ "$estimates" = 0 ] && [ "$roots" -gt 0 ] && return ;;
  esac
  echo "$file for $march with '$*': $roots roots, $estimates estimates"
  status=1
}
maniple=$1
for march in x86-64-v3 x86-64-v4; do
  expect estimates $march roots.cl -cl-fast-relaxed-math
  expect estimates $march roots.cl -cl-unsafe-math-optimizations
  expect roots $march roots.cl
  expect roots $march roots.cl -cl-mad-enable -cl-finite-math-only
  expect roots $march roots.cl -cl-fast-relaxed-math -cl-fp32-correctly-rounded-divide-sqrt
  expect roots $march kept.cl -cl-fast-relaxed-math
done
exit $status
