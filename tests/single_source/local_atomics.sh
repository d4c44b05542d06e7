#!/bin/sh
# Atomics on local memory are plain operations in compiled kernels, those on global memory are not.
#   local_atomics.sh MANIPLE SOURCE [OPTION...]   the source says how many it has: "N are global"
set -eu
maniple=$1 source=$2
shift 2
case $source in *.c) command=cc ;; *) command=c++ ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MANIPLE_PASS_DUMP=$work "$maniple" $command "$@" -O2 "$source" -o "$work/app"
"$work/app"
global=$(sed -n 's/.*: \([0-9]*\) are global.*/\1/p' "$source")
count() { # FILE: atomics without and with the mark of local memory
  grep -E 'atomicrmw|cmpxchg' "$1" | awk '/!maniple[.]local/ { n++ } END { print NR - n, n + 0 }'
}
found=$(count "$work"/*-local-atomics.ll) left=$(count "$work"/[0-9][0-9]-atomics.ll)
[ "${found% *}" = "$global" ] || { echo "${found% *} atomics are global, not $global"; exit 1; }
[ "${left#* }" = 0 ] || { echo "${left#* } atomics on local memory are left"; exit 1; }
