#!/bin/sh
# same_again.sh MANIPLE FILE.cl: each build of a file gives the same code, wherever the compiler's memory lies.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for turn in 1 2 3 4 5 6 7 8; do
  MANIPLE_CACHE=0 MANIPLE_VECTOR_WIDTH=8 "$1" build "$2" --dump="$work/$turn" -o "$work/bin" > "$work/said" 2>&1 ||
    { cat "$work/said"; exit 1; }
  cmp "$work"/1/*/program.s "$work/$turn"/*/program.s || exit 1
done
