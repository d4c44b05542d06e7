#!/bin/sh
# gcc.sh SOURCE BUILD CC CXX PROGRAMS: what somebody else does, with another compiler, make and
# Release: no warning may come.  Then test programs of this build, which know a driver by its name
# only, and the examples whose kernels `maniple cc` and `maniple c++` compile.
set -eu
source=$1 build=$2 programs=$5
mkdir -p "$build"
cmake -G 'Unix Makefiles' -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DMANIPLE_WERROR=ON \
  -DCMAKE_C_COMPILER="$3" -DCMAKE_CXX_COMPILER="$4" --log-level=WARNING >"$build/log" 2>&1 &&
  cmake --build "$build" -j "$(nproc)" >>"$build/log" 2>&1 || {
    tail -n 60 "$build/log"
    exit 1
  }
export OCL_ICD_VENDORS="$build/maniple.icd"
"$programs/cases" -t 2 straight_line branches local_memory sub_groups
"$programs/api_program"
"$programs/api_kernel"
"$build/bin/make_log" "$build/test.log" 2
"$build/bin/example_c" "$build/test.log"
"$build/bin/example_sycl" "$source/examples/equalise/photographer.png" "$build/threshold.png"
MANIPLE_CHECK=1 "$build/bin/example_scan" 64
