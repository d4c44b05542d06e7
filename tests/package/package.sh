#!/bin/sh
# Installs the build into a new folder, and builds a project with it: by the CMake package with clang
# (compiled) and gcc (fibres), by pkg-config, and by the installed `maniple c++`.
#   package.sh BUILD CLANG
set -eu
build=$1 clang=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/log"
library=$(dirname "$(find "$prefix" -name libmaniple.so)")
# Registered inside of a prefix that is not the system's.
[ "$(cat "$prefix/etc/OpenCL/vendors/maniple.icd")" = "$library/libmaniple.so.1" ]

build_with() { # NAME CC CXX
  cmake -S "$here" -B "$work/$1" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$2" \
    -DCMAKE_CXX_COMPILER="$3" -DCMAKE_BUILD_TYPE=Release >"$work/log" || { cat "$work/log"; exit 1; }
  cmake --build "$work/$1" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  "$work/$1/sycl_app"
  "$work/$1/c_app" >"$work/$1/answer"
  cat "$work/$1/answer"
}
build_with clang "$clang" "$(echo "$clang" | sed 's/clang/clang++/')"
grep -q ', compiled' "$work/clang/answer"
if command -v gcc >/dev/null && command -v g++ >/dev/null; then
  build_with gcc gcc g++
  grep -q ', fibres' "$work/gcc/answer"
fi

"$prefix/bin/maniple" c++ "$here/app.cpp" -o "$work/app" && "$work/app"
"$prefix/bin/maniple" cc "$here/app.c" -c -o "$work/app.o"
"$prefix/bin/maniple" cc "$work/app.o" -o "$work/app" && "$work/app" | grep ', compiled'

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$library/pkgconfig
  [ "$(pkg-config --variable=icd maniple)" = "$prefix/etc/OpenCL/vendors/maniple.icd" ]
  "$clang" -O2 $(pkg-config --cflags maniple) $(pkg-config --variable=kernel_cflags maniple) \
    "$here/app.c" -o "$work/app" $(pkg-config --libs maniple) -Wl,-rpath,"$library"
  "$work/app" | grep ', compiled'
fi
