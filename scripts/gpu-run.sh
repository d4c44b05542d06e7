#!/bin/sh
# run [PART...]: tests the CUDA device of this machine; without parts all but `bench`, `launch` and
# `jobs`.  A line for each, and what failed is in log/.  Made part of a bundle by gpu-bundle.sh.
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/clang/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
echo "$here/lib/libmaniple.so.1" > "$here/maniple.icd"
export OCL_ICD_VENDORS="$here/maniple.icd" MANIPLE_CLANG="$here/clang/bin/clang-19" MANIPLE_DEVICES=cuda
export CASES_FOLDER="$here/tests/sources" MANIPLE_CACHE_DIR="$here/cache"
export TEST_FOREIGN=1 # groups of 1024 do
mkdir -p "$here/log" && cd "$here/tests" || exit 1
failed=0

# part NAME COMMAND...
part() {
  name=$1
  shift
  begin=$(date +%s)
  if "$@" > "$here/log/$name" 2>&1; then said=passed; else said="FAILED ($?)" failed=1; fi
  echo "$name: $said, $(grep -c '^ok' "$here/log/$name") ok, $(($(date +%s) - begin)) s"
}
# Vectors that are not aligned fault on a GPU (docs/limits.md).
all_but_alignment() { ls sources | sed -n 's/\.c$//p' | grep -v '^alignment$'; }
run_part() {
  case $1 in
  cases) part cases ./cases -t 1 $(all_but_alignment) ;;
  now) part cases_specialised env MANIPLE_CUDA_SPECIALISE=now ./cases -t 1 $(all_but_alignment) ;;
  collectives) part collectives ./collectives -t 2 ;;
  sub_groups)
    for extension in subgroups subgroup_extended_types subgroup_ballot subgroup_non_uniform_vote \
        subgroup_non_uniform_arithmetic subgroup_clustered_reduce subgroup_shuffle \
        subgroup_shuffle_relative subgroup_rotate; do
      part "$extension" ./sub_groups -t 2 cl_khr_$extension:32
    done
    ;;
  api) for program in api_*; do part "$program" timeout 100 "./$program"; done ;;
  fuzz) part fuzz ./fuzz -p prelude.cl -S -e 0 -g 0 "${FUZZ:-60}" 1 ;;
  fuzz_lanes) part fuzz_lanes ./fuzz -p prelude.cl -S -e 0 -g 100 -w 32 "${FUZZ:-60}" 1 ;;
  bench) ./bench_gpu_cells ;;
  launch) ./bench_gpu_launch ;;
  jobs) ./bench_gpu_jobs . ;;
  *) echo "run: no part '$1'" >&2; exit 2 ;;
  esac
}
[ $# -gt 0 ] || set -- cases now api collectives sub_groups fuzz fuzz_lanes
for name in "$@"; do run_part "$name"; done
exit $failed
