#!/bin/sh
# rows.sh MANIPLE TARGET FILE.cl...: each file is compiled for a row of targets.def, with the IR verified
# after each pass, whatever processor this machine has.  MANIPLE may be a command and its arguments; TARGET
# -: for the processor that it runs on.
maniple=$1 target=--target=$2 failed=0
[ "$2" != - ] || target=
shift 2
for file; do
  for variable in $(sed -n 's|^// set: ||p' "$file"); do export "$variable"; done
  MANIPLE_PASS_VERIFY=1 $maniple build -q $target "$file" || { echo "$file ${target:-for this processor}"; failed=1; }
  for variable in $(sed -n 's|^// set: ||p' "$file"); do unset "${variable%%=*}"; done
done
exit $failed
