#!/bin/sh
# ordinary.sh BUILD [NAME...]: executed instructions for each work-item of twenty ordinary kernels (ordinary.cl), as
# the compiler for AArch64 makes them and by hand (hand_ordinary.c): the difference between many and few work-items,
# in groups as the driver chooses them.  BUILD is scripts/check-aarch64.sh's.  Fails where the compiler's are more than
# 1.3 times as many, or where a byte of the results differs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/count.sh"
shift
by_hand hand_ordinary.c
run "$build/bin/maniple" build -q "$here/ordinary.cl" -o "$work/ordinary.bin"
capacity=1056768 # 2^20, and what stencils read behind it
run "$work/hand" inputs $capacity "$work/floats" "$work/numbers" "$work/indices"

# NAME X Y WIDTH MANY: its inputs, by their files; the elements of a row, 0, or groups of 256; the most work-items.
kernels="saxpy floats floats 0 1048576
add_ints numbers numbers 0 1048576
clamped floats floats 0 1048576
threshold floats floats 0 1048576
brighten numbers numbers 0 1048576
abs_difference numbers floats 0 1048576
grey numbers numbers 0 1048576
bytes_to_floats numbers numbers 0 1048576
floats_to_ints floats floats 0 1048576
blur floats floats 0 1048576
polynomial floats floats 0 1048576
complex_product floats floats 0 524288
length3 floats floats 0 1048576
popcounts numbers numbers 0 1048576
gathered floats indices 0 1048576
hash numbers numbers 0 1048576
reverse_tiles floats floats tiles 1048576
jacobi floats floats 1024 1048576
matrix_product floats floats 1024 262144
mandelbrot floats floats 1024 262144"

bad=0 few=65536
for name in ${*:-$(printf '%s\n' "$kernels" | sed 's/ .*//')}; do
  set -- $(printf '%s\n' "$kernels" | grep "^$name ")
  for n in $few "$5"; do
    case $4 in 0) range="-g $n" ;; tiles) range="-g $n -l 256" ;; *) range="-g $4,$((n / $4))" ;; esac
    counted "$build/bin/maniple" run "$work/ordinary.bin" -q -k "$name" $range -o out="$work/own" \
      "in:@$work/$2" "in:@$work/$3" "out::$5"
    counted "$work/hand" "$name" "$n" "$work/$2" "$work/$3" "$work/by_hand"
  done | awk -v name="$name" -v times=$(($5 - few)) '
    { count[NR] = $NF }
    END { own = (count[3] - count[1]) / times; hand = (count[4] - count[2]) / times
          printf "%-18s%9.3f%9.3f%7.2f\n", name, own, hand, own / hand
          exit own / hand > 1.3 }' || bad=1
  cmp -s "$work/own" "$work/by_hand" || { echo "  results differ: $(cmp "$work/own" "$work/by_hand" 2>&1)"; bad=1; }
done
exit $bad
