#!/bin/sh
# opencl.sh MANIPLE FILE.cl: every kernel of the file writes ones only, and nothing is reported.
status=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export MANIPLE_CACHE=1 MANIPLE_CACHE_DIR="$work" # the file is compiled once for all its kernels
for kernel in $(sed -n 's/^kernel void \([a-z_0-9]*\)(.*/\1/p' "$2"); do
  got=$(timeout 60 "$1" check "$1" run "$2" -k "$kernel" -g 192 -l 96 out:int:192 2>&1)
  case $got in *"no mistakes found"*) ;; *) echo "$kernel: $got"; status=1 ;; esac
  ones=$(echo "$got" | grep -v launch | tr -s ' ' '\n' | grep -c '^1$')
  if [ "$ones" != 192 ]; then echo "$kernel: $ones of 192 are right"; status=1; fi
done
exit $status
