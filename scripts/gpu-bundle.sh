#!/bin/sh
# gpu-bundle.sh BUILD FILE.tar.xz: all that tests the CUDA device on a machine that has a GPU and its
# driver, and nothing of ours: the driver with its compiler, the tests, the benchmark, and gpu-run.sh.
# There: tar xf FILE.tar.xz && maniple-gpu/run
set -e
[ $# = 2 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd) build=$(cd "$1" && pwd) file=$2
api="api_svm api_svm_commands api_usm api_device_address api_pipe api_every_device api_device_queue api_deep_groups"
for program in tests/cases tests/collectives tests/sub_groups $(printf "tests/%s " $api) bin/fuzz bin/bench_gpu_cells \
    bin/bench_gpu_launch bin/bench_gpu_jobs; do
  [ -x "$build/$program" ] && continue
  echo "gpu-bundle.sh: $1/$program is not there; this builds it: cmake --build $1 --target all tests benchmark" >&2
  exit 1
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work/maniple-gpu
mkdir -p "$to/lib" "$to/tests" "$to/clang/bin" "$to/clang/lib/clang/19"

cp -P "$build"/lib/libmaniple.so* "$to/lib"
cp -R "$build/lib/maniple" "$to/lib"
for program in cases collectives sub_groups $api; do cp "$build/tests/$program" "$to/tests"; done
cp "$build/bin/fuzz" "$build/bin/bench_gpu_cells" "$build/bin/bench_gpu_launch" "$build/bin/bench_gpu_jobs" "$to/tests"
cp -R "$source/tests/cases" "$to/tests/sources"
cp "$source/tests/fuzz/prelude.cl" "$source/examples/jobs/jobs.cl" "$to/tests"
cp "$source/scripts/gpu-run.sh" "$to/run"

# clang, with the libraries that it is linked with but for those of the C and C++ run time.
clang=$(readlink -f "$(command -v "${MANIPLE_CLANG:-clang-19}")")
cp "$clang" "$to/clang/bin/clang-19"
cp -RL "$(dirname "$clang")/../lib/clang/19/include" "$to/clang/lib/clang/19"
libraries() { ldd "$1" | awk '$3 ~ /^\// { print $3 }' | grep -vE '/lib(c|m|stdc\+\+|gcc_s)\.so'; }
{ libraries "$clang"; libraries "$to/tests/cases"; } | sort -u | while read -r library; do
  cp -L "$library" "$to/clang/lib"
done
tar -C "$work" -c maniple-gpu | xz -T0 -6 > "$file"
echo "$file: $(du -h "$file" | cut -f1)"
