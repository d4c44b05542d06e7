#!/bin/sh
# rounded.sh MANIPLE: numbers that are rounded and converted to integers of their size, with saturation or without, are
# one instruction; MANIPLE may be a command and its arguments.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/rounded.cl" <<'CL'
kernel void rounded(global const float *x, global const double *y, global int *to, global ulong *more) {
  size_t i = get_global_id(0);
  to[4 * i] = convert_int_sat_rte(x[i]);
  to[4 * i + 1] = convert_int_rtn(x[i]);
  to[4 * i + 2] = (int)convert_uint_sat_rtp(x[i]);
  to[4 * i + 3] = (int)round(x[i]);
  more[i] = convert_ulong_sat_rte(y[i]);
}
CL
MANIPLE_CACHE=0 $1 build -q "$work/rounded.cl" --dump="$work/steps" -o "$work/bin" > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
status=0
for instruction in fcvtns fcvtms fcvtpu fcvtas fcvtnu; do
  grep -q "$instruction[[:space:]]*v" "$work"/steps/*/program.s || { echo "no $instruction"; status=1; }
done
if grep -E 'frint|fcvtz' "$work"/steps/*/program.s; then status=1; fi
exit $status
