#!/bin/sh
# rows.sh MANIPLE TARGET FILE.cl...: each file is compiled for a row of targets.def, with the IR verified
# after each pass, whatever processor this machine has.
maniple=$1 target=$2 failed=0
shift 2
for file; do
  for variable in $(sed -n 's|^// set: ||p' "$file"); do export "$variable"; done
  MANIPLE_PASS_VERIFY=1 "$maniple" build -q --target="$target" "$file" || { echo "$file for $target"; failed=1; }
  for variable in $(sed -n 's|^// set: ||p' "$file"); do unset "${variable%%=*}"; done
done
exit $failed
