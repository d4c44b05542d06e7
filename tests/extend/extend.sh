#!/bin/sh
# extend.sh PATCH OPERATION [FIRST]: docs/new-collective.md, docs/new-extension.md and docs/new-target.md tell the
# truth.  A copy of the source tree with the patch, which adds a row to the table of operations and one to the
# tests' reference, builds, and has the operation for work-groups and sub-groups, in OpenCL C, OpenCL C++ and C.
# extension.patch adds an extension of the API with its test, target.patch a class of processors.  Of the built-in
# library only what is for SSE is built: kernels are compiled for no more.  From the finished build FIRST it takes
# what the patches leave as it is (reuse.sh), and tries less: `make extend` builds the operation for sub-groups in C
# and runs it in sub-groups of 64 too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
patch=$(realpath "$1") operation=$2 first=${3:-} jobs=$(nproc)
lanes=builtins_lanes_a sizes="8 64"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$@" > "$work/log" 2>&1 || { tail -n 40 "$work/log"; echo "FAILED: $*"; exit 1; }; }

mkdir "$work/source"
tar -C "$source" --exclude=./.git --exclude='./build*' -cf - . | tar -C "$work/source" -xf -
(cd "$work/source" && run git apply -C1 "$patch" && run git apply -C1 "$here/extension.patch" && run git apply -C1 "$here/target.patch")
llvm=${LLVM:-19}
set -- -DCMAKE_BUILD_TYPE=Debug -DMANIPLE_LLVM="$llvm" -DCMAKE_C_COMPILER="clang-$llvm" -DCMAKE_CXX_COMPILER="clang++-$llvm"
if [ "$first" ]; then
  lanes= sizes=8
  setting() { sed -n "s/^$1:[A-Z]*=//p" "$first/CMakeCache.txt"; }
  set --
  for name in CMAKE_BUILD_TYPE MANIPLE_LLVM CMAKE_C_COMPILER CMAKE_CXX_COMPILER; do
    set -- "$@" "-D$name=$(setting $name)"
  done
  again="$here/reuse.sh;run;$work/alike;$first;$work/build"
  # A few files of C++ are left to compile: LLVM's headers are not read for them beforehand.
  set -- "$@" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
  set -- "$@" -DCMAKE_C_COMPILER_LAUNCHER="$again" -DCMAKE_CXX_COMPILER_LAUNCHER="$again" -DMANIPLE_CLANG="$work/clang"
  printf '#!/bin/sh\nexec "%s" run "%s" "%s" "%s" "%s" "$@"\n' "$here/reuse.sh" "$work/alike" "$first" "$work/build" \
    "$(setting MANIPLE_CLANG)" >"$work/clang"
  chmod +x "$work/clang"
fi
run cmake -G Ninja -S "$work/source" -B "$work/build" -DMANIPLE_SSE_ONLY=ON "$@"
if [ "$first" ]; then
  run cmake --build "$work/build" -t maniple_tables maniple_headers
  "$here/reuse.sh" list "$first" "$source" "$work/build" "$work/source" >"$work/alike"
fi
program=tests/single_source/work_group_O0
run cmake --build "$work/build" -j "$jobs" -t collectives sub_groups builtins_table $lanes \
  opencl_cpp_twins api_cache_lines targets maniple_cli "$program"
cd "$work/build"
export OCL_ICD_VENDORS="$work/build/maniple.icd" MANIPLE_CACHE=0 MANIPLE_BUILD_OPTIONS=-march=x86-64-v2
arithmetic=cl_khr_subgroup_non_uniform_arithmetic clustered=cl_khr_subgroup_clustered_reduce
run tests/builtins_table
run tests/api_cache_lines
run tests/targets "clang-$llvm"
run tests/collectives "$operation"
for size in $sizes; do
  run tests/sub_groups -t 2 "$arithmetic:$size:$operation" "$clustered:$size:$operation"
done
for function in ${lanes:+non_uniform_reduce non_uniform_scan_exclusive clustered_reduce}; do
  run tests/$lanes "sub_group_${function}_$operation"
done
run tests/opencl_cpp_twins "$work/build/bin/maniple" "$operation"
run "$program"
run env -u MANIPLE_BUILD_OPTIONS bin/maniple build -q --target=nehalem --dump=target "$work/source/tests/passes/bits.cl"
echo "ok: $operation"
