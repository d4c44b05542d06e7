#!/bin/sh
# What scripts/gpu-run.sh runs is in the bundle of scripts/gpu-bundle.sh, made here of a build folder
# and a clang that have nothing in them.
#   bundle.sh FOLDER    the repository's
command -v spirv-as >/dev/null && command -v spirv-val >/dev/null || { echo "not run without spirv-tools"; exit 0; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
clang=$work/clang/bin/clang-19 headers=$work/clang/lib/clang/19/include
mkdir -p "$work/build/tests/cuda_sources" "$work/build/tests/single_source" "$work/build/bin" "$work/build/lib/maniple" "$work/clang/bin" "$headers"
touch "$work/build/lib/libmaniple.so.1" "$headers/opencl-c.h"
cp "$(command -v sed)" "$clang"
"$1/scripts/gpu-bundle.sh" -l >"$work/programs" || exit 1
[ -s "$work/programs" ] || exit 2
while read -r program; do cp "$clang" "$work/build/$program"; done <"$work/programs"
shell=$(command -v dash || command -v sh) # dash is stricter
PRESET=0 MANIPLE_CLANG=$clang "$shell" "$1/scripts/gpu-bundle.sh" "$work/build" "$work/made.tar.xz" || exit 1
tar tf "$work/made.tar.xz" >"$work/list" || exit 1

# PREFIX NAME...: of `each`; ./NAME: of `part` and of what runs alone.
wanted() {
  sed -n 's/^ *each \([a-z_]*_\) \(.*\)$/\1 \2/p' "$1/scripts/gpu-run.sh" |
    while read -r prefix names; do
      for name in $names; do echo "tests/$prefix$name"; done
    done
  grep -o '\./[a-z][a-z_]*' "$1/scripts/gpu-run.sh" | sed 's,^\./,tests/,'
  grep -o '[a-z_]\+\.cl\b' "$1/scripts/gpu-run.sh" | sed 's,^,tests/,'
  printf '%s\n' clang/bin/spirv-as clang/bin/spirv-val clang/bin/clang-19 run
}
wanted "$1" | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -gt 30 ] || exit 2
status=0
while read -r name; do
  grep -qxF "maniple-gpu/$name" "$work/list" && continue
  echo "gpu-run.sh runs $name, which the bundle does not have"
  status=1
done <"$work/wanted"
exit $status
