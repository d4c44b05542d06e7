#!/bin/sh
# extend.sh PATCH OPERATION: docs/new-collective.md, docs/new-extension.md and docs/new-target.md tell the truth.  A
# copy of the source tree with the patch, which adds a row to the table of operations and one to the tests' reference,
# builds, and has the operation for work-groups and sub-groups, in OpenCL C, OpenCL C++ and C.  extension.patch adds an
# extension of the API with its test, target.patch a class of processors.  Of the built-in library only what is for SSE
# is built: kernels are compiled for no more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
patch=$(realpath "$1") operation=$2 jobs=$(nproc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$@" > "$work/log" 2>&1 || { tail -n 40 "$work/log"; echo "FAILED: $*"; exit 1; }; }

mkdir "$work/source"
tar -C "$source" --exclude=./.git --exclude='./build*' -cf - . | tar -C "$work/source" -xf -
(cd "$work/source" && run git apply -C1 "$patch" && run git apply -C1 "$here/extension.patch" && run git apply -C1 "$here/target.patch")
llvm=${LLVM:-19}
run cmake -G Ninja -S "$work/source" -B "$work/build" -DMANIPLE_SSE_ONLY=ON -DCMAKE_BUILD_TYPE=Debug \
  -DMANIPLE_LLVM="$llvm" -DCMAKE_C_COMPILER="clang-$llvm" -DCMAKE_CXX_COMPILER="clang++-$llvm"
program=tests/single_source/work_group_O0
run cmake --build "$work/build" -j "$jobs" -t collectives sub_groups builtins_table builtins_lanes_a \
  opencl_cpp_twins api_cache_lines targets maniple_cli "$program"
cd "$work/build"
export OCL_ICD_VENDORS="$work/build/maniple.icd" MANIPLE_CACHE=0 MANIPLE_BUILD_OPTIONS=-march=x86-64-v2
arithmetic=cl_khr_subgroup_non_uniform_arithmetic clustered=cl_khr_subgroup_clustered_reduce
run tests/builtins_table
run tests/api_cache_lines
run tests/targets "clang-$llvm"
run tests/collectives "$operation"
for size in 8 64; do
  run tests/sub_groups -t 2 "$arithmetic:$size:$operation" "$clustered:$size:$operation"
done
for function in non_uniform_reduce non_uniform_scan_exclusive clustered_reduce; do
  run tests/builtins_lanes_a "sub_group_${function}_$operation"
done
run tests/opencl_cpp_twins "$work/build/bin/maniple" "$operation"
run "$program"
run env -u MANIPLE_BUILD_OPTIONS bin/maniple build -q --target=nehalem --dump=target "$work/source/tests/passes/bits.cl"
echo "ok: $operation"
