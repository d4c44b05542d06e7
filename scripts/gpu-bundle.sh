#!/bin/sh
# gpu-bundle.sh BUILD FILE.tar.xz: all that tests the CUDA device on a machine that has a GPU and its
# driver, and nothing of ours: the driver with its compiler, the tests, the benchmark, and gpu-run.sh.
# There: tar xf FILE.tar.xz && maniple-gpu/run
# PRESET=0: xz's, for a larger file sooner; 6 is usual.
# gpu-bundle.sh -l: the programs of BUILD that are packed, a line each.
set -e
source=$(cd "$(dirname "$0")/.." && pwd)
[ $# = 2 ] || [ "$*" = -l ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
# Of BUILD/tests, but for those of what the CPU alone has
# (affinity, faults, stacks, what a forked child does).
programs="cases collectives sub_groups queue_events queue_kernels queue_waits queue_callbacks opencl_cpp_library opencl_cpp_lifetime
opencl_cpp_image"
for name in buffer command_buffer command_buffer_image context create_queue declined deep_groups device \
    device_address device_queue every_device fixed_place handles icd image image_args image_block image_formats \
    image_transfer kernel link mutable_dispatch pipe program sampler semaphore sub_groups svm svm_commands threads usm; do
  programs="$programs api_$name"
done
for name in convert dot extended image image_kinds image_norm image_rows integer math memory relational; do programs="$programs builtins_$name"; done
for name in enqueue groups il intel_subgroups named_barriers pipes; do programs="$programs spirv_$name"; done
for name in accuracy clocks forks offers pages queues turns widths; do programs="$programs cuda_twin_$name"; done
benches="bench_gpu_cells bench_gpu_launch bench_gpu_jobs bench_gpu_sycl bench_gpu_sycl_beside"
# Programs in SYCL and C that are compiled for GPUs; those of the table by night if they have been built.
of_table() { sed -n "s/ $1\$//p" "$source/tests/sycl/on_gpus.txt"; }
sources="first kernels answer1.so answer2.so unloaded in_place device_memory device_globals.17 device_globals.20 lost
functions $(of_table day)"
for_both=$(of_table both) # tests/single_source runs them on the CPU
by_night=$(of_table night)
programs="$(printf "tests/%s " $programs) $(printf "tests/cuda_sources/%s " $sources) $(printf "tests/single_source/sycl_%s " $for_both) \
bin/fuzz bin/fuzz_programs $(printf "bin/%s " $benches)"
[ "$1" != -l ] || { printf "%s\n" $programs; exit; }

build=$(cd "$1" && pwd) file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work/maniple-gpu
mkdir -p "$to/lib" "$to/tests/cuda_sources" "$to/clang/bin" "$to/clang/lib/clang/19/include"

for program in $programs; do
  name=$(basename "$program")
  case $program in
  */cuda_sources/*) copy=cuda_sources/$name ;;
  */single_source/*) copy=cuda_sources/${name#sycl_} ;;
  *) copy=$name ;;
  esac
  cp "$build/$program" "$to/tests/$copy" && continue
  echo "gpu-bundle.sh: this builds it: cmake --build $1 --target all tests benchmark" >&2
  exit 1
done
for program in $by_night; do
  [ ! -e "$build/tests/cuda_sources/$program" ] || cp "$build/tests/cuda_sources/$program" "$to/tests/cuda_sources"
done
find "$to/tests" -type f -exec strip {} +
cp -P "$build"/lib/libmaniple.so* "$to/lib"
cp -R "$build/lib/maniple" "$to/lib"
cp -R "$source/tests/cases" "$to/tests/sources"
cp -R "$source/tests/builtins" "$to/tests/builtins"
cp -R "$source/tests/opencl_cpp/kernels" "$to/tests/opencl_cpp"
cp "$source/tests/opencl_cpp/image.cl" "$to/tests/image.cl"
cp "$source/tests/fuzz/prelude.cl" "$source/examples/jobs/jobs.cl" "$to/tests"
cp "$source/scripts/gpu-run.sh" "$to/run"

# clang, with its headers for OpenCL and the libraries that it is linked with but for those of the C and
# C++ run time; the tools for SPIR-V.
clang=$(readlink -f "$(command -v "${MANIPLE_CLANG:-clang-19}")")
cp "$clang" "$to/clang/bin/clang-19"
cp "$(dirname "$clang")/../lib/clang/19/include/"opencl-c*.h "$to/clang/lib/clang/19/include"
for tool in spirv-as spirv-val; do # `command -v` of both names only the first in some shells
  at=$(command -v $tool) && cp "$(readlink -f "$at")" "$to/clang/bin/$tool" && continue
  echo "gpu-bundle.sh: there is no $tool, which the tests of SPIR-V run: install spirv-tools" >&2
  exit 1
done
libraries() { ldd "$1" | awk '$3 ~ /^\// && $3 !~ /\/lib(c|m|stdc\+\+|gcc_s)\.so/ { print $3 }'; }
for program in "$to"/clang/bin/* "$to/tests/cases"; do libraries "$program"; done | sort -u |
  while read -r library; do cp -L "$library" "$to/clang/lib"; done
tar -C "$work" -c maniple-gpu | xz -T0 --x86 --lzma2=preset=${PRESET:-6},dict=64MiB > "$file"
echo "$file: $(du -h "$file" | cut -f1)"
