#!/bin/sh
# run [PART...]: tests the CUDA device of this machine; without parts all but `sanitize` (with
# compute-sanitizer, of NVIDIA's CUDA toolkit), `bench`, `launch`, `jobs` and `sycl`.  Parts are run at the
# same time, the last four alone.  A line for each test, and what failed is in log/.  Made part of a bundle by
# gpu-bundle.sh.
here=$(cd "$(dirname "$0")" && pwd)
export PATH="$here/clang/bin:$PATH" LD_LIBRARY_PATH="$here/clang/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
echo "$here/lib/libmaniple.so.1" > "$here/maniple.icd"
export OCL_ICD_VENDORS="$here/maniple.icd" MANIPLE_CLANG="$here/clang/bin/clang-19" MANIPLE_DEVICES=cuda
export CASES_FOLDER="$here/tests/sources" BUILTINS_FOLDER="$here/tests/builtins" MANIPLE_CACHE_DIR="$here/cache"
export TEST_FOREIGN=1 # groups of 1024 do
LIMIT=${LIMIT:-600} # seconds that a test may take
rm -rf "$here/log"
mkdir -p "$here/log" && cd "$here/tests" || exit 1

# part NAME COMMAND...
part() {
  name=$1
  shift
  begin=$(date +%s)
  timeout "$LIMIT" "$@" > "$here/log/$name" 2>&1
  case $? in
  0) said=passed ;;
  77) said="not run: $(tail -n 1 "$here/log/$name")" ;;
  *) said="FAILED ($?)" && touch "$here/log/failed" ;;
  esac
  echo "$name: $said, $(grep -c '^ok' "$here/log/$name") ok, $(($(date +%s) - begin)) s"
}
each() { # PREFIX [NAME...]
  prefix=$1
  shift
  for name in "$@"; do part "$prefix$name" "./$prefix$name"; done
}
# Vectors that are not aligned fault on a GPU (docs/limits.md).
all_but_alignment() { ls sources | sed -n 's/\.c$//p' | grep -v '^alignment$'; }
run_part() {
  case $1 in
  unit)
    each queue_ events kernels waits callbacks
    each cuda_twin_ accuracy clocks forks offers turns
    part cuda_queues ./cuda_twin_queues 60
    part cuda_pages ./cuda_twin_pages libcuda.so.1
    part cuda_widths ./cuda_twin_widths libcuda.so.1
    ;;
  cases) part cases ./cases -t 1 $(all_but_alignment) ;;
  now) part cases_specialised env MANIPLE_CUDA_SPECIALISE=now ./cases -t 1 $(all_but_alignment) ;;
  collectives) part collectives ./collectives -t 2 ;;
  sub_groups)
    for extension in subgroups subgroup_extended_types subgroup_ballot subgroup_non_uniform_vote \
        subgroup_non_uniform_arithmetic subgroup_clustered_reduce subgroup_shuffle \
        subgroup_shuffle_relative subgroup_rotate; do
      part "$extension" ./sub_groups -t 2 cl_khr_$extension
    done
    ;;
  api) for program in api_*; do part "$program" "./$program"; done ;;
  builtins)
    for form in "half 2" "float 3" "float 8" "double 4" "double 16"; do
      part "math_$(echo $form | tr -d ' ')" ./builtins_math $form
    done
    for width in 3 16; do part "integer_$width" ./builtins_integer $width; done
    for width in 2 16; do part "relational_$width" ./builtins_relational $width; done
    part convert_4 ./builtins_convert 4
    each builtins_ dot extended memory
    ;;
  images)
    each builtins_ image image_kinds image_norm image_rows
    part opencl_cpp_image ./opencl_cpp_image image.cl
    ;;
  opencl_cpp)
    for file in opencl_cpp/*.cl; do part "opencl_cpp_$(basename "$file" .cl)" ./opencl_cpp_library "$file"; done
    each opencl_cpp_ lifetime
    part cases_in_cpp env TEST_THROUGH_CXX=1 ./cases -t 2 scans local_memory sub_groups
    ;;
  sycl_programs) # with the CPU beside the GPU
    export LD_LIBRARY_PATH="$here/lib:$LD_LIBRARY_PATH"
    for program in cuda_sources/*; do
      case $program in
      *.so) continue ;;
      */unloaded) set -- "$PWD"/cuda_sources/answer[12].so ;;
      *) set -- ;;
      esac
      part "source_$(basename "$program")" env -u MANIPLE_DEVICES "$program" "$@"
    done
    for name in device_globals.20 buffers interop reductions; do # and without it
      part "source_$name.alone" cuda_sources/"$name"
    done
    ;;
  spirv) each spirv_ enqueue groups il intel_subgroups named_barriers pipes ;;
  fuzz) part fuzz ./fuzz -p prelude.cl -S -e 0 -g 0 "${FUZZ:-60}" 1 ;;
  fuzz_lanes)
    for lanes in 8 16 32; do
      part fuzz_lanes_$lanes ./fuzz -p prelude.cl -S -e 0 -g 100 -w $lanes "${FUZZ:-60}" 1
    done
    ;;
  programs)
    part programs env MANIPLE_DEVICES=cpu,cuda ./fuzz_programs -p CUDA -s -k "$here/log/programs.kept" \
      "${PROGRAMS:-64}" 1
    ;;
  sanitize)
    for tool in memcheck synccheck racecheck; do
      part $tool compute-sanitizer --tool $tool --error-exitcode 9 ./cases -t 1 scans local_memory sub_groups_apart
    done
    ;;
  bench) ./bench_gpu_cells ;;
  launch) ./bench_gpu_launch ;;
  jobs) ./bench_gpu_jobs . ;;
  sycl)
    LD_LIBRARY_PATH="$here/lib:$LD_LIBRARY_PATH" ./bench_gpu_sycl
    ./bench_gpu_sycl_beside
    ;;
  *) echo "run: no part '$1'" >&2; touch "$here/log/failed" ;;
  esac
}
[ $# -gt 0 ] || set -- unit cases now api collectives sub_groups builtins images opencl_cpp spirv sycl_programs fuzz fuzz_lanes programs
for name in "$@"; do
  case $name in
  bench | launch | jobs | sycl) ;;
  *) run_part "$name" & ;;
  esac
done
wait
for name in "$@"; do
  case $name in
  bench | launch | jobs | sycl) run_part "$name" ;;
  esac
done
[ ! -e "$here/log/failed" ]
