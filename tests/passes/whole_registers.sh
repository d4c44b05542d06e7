#!/bin/sh
# whole_registers.sh MANIPLE: on a processor with AVX-512 widened code has vectors of 64 bytes, also where
# LLVM is tuned for shorter ones.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo 'kernel void add(global float *x) { x[get_global_id(0)] += 1; }' > "$work/add.cl"
MANIPLE_BUILD_OPTIONS=-march=icelake-server "$1" build "$work/add.cl" --dump="$work/steps" -o "$work/bin" \
  > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
grep -q '%zmm' "$work"/steps/*/program.s && exit 0
echo "no register of 64 bytes in:"
cat "$work"/steps/*/program.s
exit 1
