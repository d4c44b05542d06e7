#!/bin/sh
# host_code.sh MANIPLE SOURCE OPTION...: a function of the host is compiled to the same code whether
# or not there is a kernel of many regions in its file.
maniple=$1 source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for how in KERNEL ALONE; do
  "$maniple" cc -O2 "$@" -D$how -Rpass=maniple -S "$source" -o "$work/$how.s" 2>"$work/$how.said" ||
    { cat "$work/$how.said"; exit 1; }
  sed -n '/^host:/,/[.]size/p' "$work/$how.s" >"$work/$how"
done
grep -q 'is compiled' "$work/KERNEL.said" || { echo "the kernel is not compiled"; exit 1; }
[ -s "$work/KERNEL" ] && diff "$work/KERNEL" "$work/ALONE"
