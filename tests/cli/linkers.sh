#!/bin/sh
# linkers.sh MANIPLE CLANG: a file that any of the linkers which Maniple looks for makes is loaded and gives the same results.
# Each linker that is there is the only one on the path once.
maniple=$1 clang=$(command -v "$2") work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cat >"$work/kernel.cl" <<'END'
kernel void doubles(global const double *in, global double *out) {
  size_t i = get_global_id(0);
  double v = in[i];
  out[i] = sin(v) * exp(-v * v) + pow(fabs(v), 1.5);
}
END
status=0
for name in ld.bfd ld.lld-19 ld.lld; do
  linker=$(command -v $name) || continue
  rm -rf "$work/path"
  mkdir "$work/path"
  ln -s "$linker" "$work/path/${name%-19}"
  PATH=$work/path MANIPLE_CLANG=$clang MANIPLE_CACHE=0 MANIPLE_BUILD_WARM=0 \
    "$maniple" run "$work/kernel.cl" -g 64 >"$work/$name" 2>&1 || { echo "$name:"; cat "$work/$name"; status=1; }
  [ -s "$work/first" ] || cp "$work/$name" "$work/first"
  diff -u "$work/first" "$work/$name" || status=1
done
[ -s "$work/first" ] || { echo "no linker is there"; exit 1; }
exit $status
