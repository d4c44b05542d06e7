#!/bin/sh
# precompiled.sh COMPILER PROGRAM OPTION...: <sycl/sycl.hpp> precompiled, by a header's name and by its
# language, and the program with that.
set -eu
compiler=$1 program=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include <sycl/sycl.hpp>' > "$folder/all.hpp"
cp "$folder/all.hpp" "$folder/all.inc"
"$compiler" c++ -O1 "$@" -I "$folder" "$folder/all.hpp" -o "$folder/all.pch"
"$compiler" c++ -O1 "$@" -include-pch "$folder/all.pch" "$program" -o "$folder/program"
"$folder/program"
"$compiler" c++ -O1 "$@" -x c++-header "$folder/all.inc" -o "$folder/other.pch"
test -s "$folder/other.pch"
