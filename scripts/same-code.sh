#!/bin/sh
# same-code.sh BEFORE AFTER: builds the kernels of bench/kernels and tests/passes with two build folders
# and compares the assembly.  Each file whose code differs is told, with the number of lines that do;
# the status is 1 if there is one, or if one of the two does not build a file that the other builds.
#   ONLY=REGEX  files whose path has that;  KEEP=FOLDER  where the assembly goes
set -u
before=$(cd "$1" && pwd) && after=$(cd "$2" && pwd) || exit 2
source=$(cd "$(dirname "$0")/.." && pwd)
work=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work/before" "$work/after" "$work/dump" || exit 2
setting() { sed -n "s|^// $1: ||p" "$2"; }

# assembly BUILD FILE OUTPUT: without what names the build folder
assembly() (
  rm -rf "$work/dump"
  for variable in $(setting set "$2"); do export "$variable"; done
  march=$(setting march "$2")
  MANIPLE_CACHE=0 MANIPLE_BUILD_OPTIONS=-march=${march:-x86-64-v3} \
    "$1/bin/maniple" build -q "$2" --dump="$work/dump" -o "$work/bin" > "$work/said" 2>&1
  # A copy of a build folder runs the compiler of the one that it was copied from.
  if grep -sL -e "-fpass-plugin=$1/lib/" "$work"/dump/*/command.txt | grep -q .; then
    echo "same-code.sh: $1/bin/maniple does not use the passes of $1" >&2
    exit 2
  fi
  # A filter is a program of its own; folders are named by hashes, which differ with the compiler.
  for program in $(ls -S "$work"/dump/*/program.s 2> /dev/null); do
    grep -v '^[[:space:]]*\.\(file\|ident\)' "$program"
  done > "$3"
)

files=0 differing=0
for file in "$source"/bench/kernels/own/*.cl "$source"/tests/passes/*.cl; do
  printf '%s\n' "$file" | grep -q "${ONLY:-.}" || continue
  name=$(basename "$(dirname "$file")")-$(basename "$file" .cl).s
  assembly "$before" "$file" "$work/before/$name" || exit 2
  assembly "$after" "$file" "$work/after/$name" || exit 2
  files=$((files + 1))
  cmp -s "$work/before/$name" "$work/after/$name" && continue
  differing=$((differing + 1))
  echo "${file#"$source"/}: $(diff "$work/before/$name" "$work/after/$name" | grep -c '^[<>]') lines differ"
done
echo "$files files, $differing with other code"
[ "$files" -gt 0 ] && [ "$differing" = 0 ]
