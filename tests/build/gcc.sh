#!/bin/sh
# gcc.sh SOURCE BUILD CC CXX FIRST: what somebody else does, with another compiler, make and Release (C at -O2,
# as distributions build, and what is on LLVM's headers at -O1): no warning may come.  Then test programs of the
# build FIRST, which know a driver by its name only, and the examples whose kernels `maniple cc` and `maniple c++`
# compile.  clang makes the built-in library in both builds, by the same commands, so it is FIRST's; of what gcc
# compiles for it, the tool that cuts modules, the two builds' are compared.
set -eu
source=$1 build=$2 first=$5 programs=$5/tests
mkdir -p "$build"
cmake -G 'Unix Makefiles' -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DMANIPLE_WERROR=ON \
  -DMANIPLE_LLVM="$TEST_LLVM" -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
  -DMANIPLE_LIBRARY="$first/lib/maniple/builtins.archive" -DMANIPLE_UNITY=ON \
  -DCMAKE_C_COMPILER="$3" -DCMAKE_CXX_COMPILER="$4" --log-level=WARNING >"$build/log" 2>&1 &&
  cmake --build "$build" -j "$(nproc)" >>"$build/log" 2>&1 || {
    tail -n 60 "$build/log"
    exit 1
  }
for by in "$first" "$build"; do
  (cd "$first/src/builtins" && "$by/src/builtins/maniple_archive" "$build/cut" a=group.a.bc A=math/c_names.a.bc \
    a+=image_read.a.bc n=integer.n.bc)
  mv "$build/cut" "$build/cut.$(basename "$by")"
done
cmp "$build/cut.$(basename "$first")" "$build/cut.$(basename "$build")"
export OCL_ICD_VENDORS="$build/maniple.icd"
"$programs/cases" -t 2 straight_line branches local_memory sub_groups
"$programs/api_program"
"$programs/api_kernel"
"$build/bin/make_log" "$build/test.log" 2
"$build/bin/example_c" "$build/test.log"
"$build/bin/example_sycl" "$source/examples/equalise/photographer.png" "$build/threshold.png"
MANIPLE_CHECK=1 "$build/bin/example_scan" 64
