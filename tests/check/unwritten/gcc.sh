#!/bin/sh
# gcc.sh GCC SOURCE BUILD LIBRARY ACCESSES: what in_c.c reads is known as written, what is not
# is found, in a program built by gcc with the options that docs/checking.md has for it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
options=$(sed -n 's/^g++ .*\(-g -O1 .*\) -c app.cpp.*/\1/p' "$2/docs/checking.md")
[ "$options" ] || { echo "docs/checking.md has no such line"; exit 1; }
# shellcheck disable=SC2086
"$1" $options -I"$2/include" -I"$3/include" -c "$2/tests/check/unwritten/in_c.c" -o "$folder/app.o"
"$1" "$folder/app.o" -o "$folder/app" "$5" "$4" -Wl,-rpath,"$(dirname "$4")"
for row in "in_c_legal 0" "in_c_local 1"; do
  log=$(MANIPLE_CHECK=1 "$folder/app" "${row% *}" 2>&1 || true)
  got=$(echo "$log" | grep -c 'error:.*uninitialised-read' || true)
  [ "$got" = "${row#* }" ] || { echo "${row% *}: $got reports"; echo "$log"; exit 1; }
done
