#!/bin/sh
# run.sh BUILD: executed instructions for one collective, as the compiler for AArch64 makes it and by hand (hand.c), in
# groups of 64, 256 and 1024.  BUILD is scripts/check-aarch64.sh's.  Fails where the compiler's are more than 1.3 times
# as many, or the results differ.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/count.sh"
by_hand hand.c
run "$build/bin/maniple" build -q "$here/collectives.cl" -o "$work/collectives.bin"

few=500 many=10500 bad=0
for name in $(sed -n 's/^[UV][A-Z]*(\([a-z_]*\), .*/\1/p' "$here/collectives.cl"); do
  for size in 64 256 1024; do
    for n in $few $many; do
      counted "$build/bin/maniple" run "$work/collectives.bin" -k "$name" -g "$size" -l "$size" out:1 "$n"
      counted "$work/hand" "$name" "$size" "$n"
    done | awk -v name="$name" -v size="$size" -v times=$((many - few)) '
      { result[NR] = $1; count[NR] = $2 }
      END { own = (count[3] - count[1]) / times; hand = (count[4] - count[2]) / times
            printf "%-26s%5d%9.1f%9.1f%7.2f\n", name, size, own, hand, own / hand
            for (i = 1; i < 4; i += 2)
              if (result[i] != result[i + 1] && (result[i] - result[i + 1]) ^ 2 > (0.01 * result[i + 1]) ^ 2) { print "  results: " result[i] ", by hand " result[i + 1]; exit 1 }
            exit own / hand > 1.3 }' || bad=1
  done
done
exit $bad
