#!/bin/sh
# all_sizes.sh LEVEL MANIPLE VALUES.cpp OPTION...: values of all sizes and shapes (tests/sycl/values.cpp), in
# as many programs as compile beside others, compiled at -OLEVEL, run as they are and under the check.
level=$1 maniple=$2 source=$3
shift 3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0 part=0
while [ "$part" -lt 16 ]; do
  part=$((part + 1))
  "$maniple" c++ -O"$level" -DFIRST=$part -DSTEP=16 "$@" "$source" -o "$work/values" || exit 1
  "$work/values" || { echo "sizes from $part on"; status=1; }
  "$maniple" check "$work/values" || { echo "sizes from $part on, checked"; status=1; }
done
exit $status
