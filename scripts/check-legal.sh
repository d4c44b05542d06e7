#!/bin/sh
# check-legal.sh BUILD [RANDOM]: legal kernels run under the checking engine, in four orders of their
# work-items: the test cases, those of OpenCL C++, the ordinary kernels of bench/kernels, the
# examples, and RANDOM random kernels (default 400).  Each run that is reported, fails or does not
# end in time is told, and how many there were at the end; the status is 1 if one was reported or
# failed, or none ran.
#   ONLY=cases|cpp|kernels|examples|random  one sort;  ORDERS="order reverse"  others than those four
#   LIMIT=SECONDS  for each run (300);  PART=K/N  every N-th run only, the K-th of them first
set -u
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
random=${2:-400}
limit=${LIMIT:-300}
orders=${ORDERS:-order reverse shuffle:1 shuffle:2}
part=${PART:-1/1}
export OCL_ICD_VENDORS="$build/maniple.icd" MANIPLE_CHECK=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
runs=0 reported=0 failed=0 late=0 number=0

wanted() {
  [ -z "${ONLY:-}" ] || [ "$ONLY" = "$1" ]
}

# run NAME COMMAND...: in each order.
run() {
  name=$1
  shift
  for order in $orders; do
    number=$((number + 1))
    [ $((number % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
    runs=$((runs + 1))
    MANIPLE_CHECK_SCHEDULE=$order timeout "$limit" "$@" >"$log" 2>&1
    status=$?
    if grep -q "^maniple: [0-9]* mistakes\{0,1\} found" "$log"; then
      reported=$((reported + 1))
      echo "reported: $name ($order)"
      grep -A3 "error: .*\[" "$log"
    elif [ $status = 124 ]; then
      late=$((late + 1))
      echo "not ended after $limit s: $name ($order)"
    elif [ $status != 0 ]; then
      failed=$((failed + 1))
      echo "failed with $status: $name ($order)"
      tail -n 3 "$log"
    fi
  done
}

if wanted cases; then
  for case in "$source"/tests/cases/*.c; do
    name=$(basename "$case" .c)
    run "case $name" "$build/tests/cases" -t 1 "$name"
  done
fi
if wanted cpp; then
  for case in "$source"/tests/opencl_cpp/kernels/*.cl; do
    run "OpenCL C++ $(basename "$case" .cl)" "$build/tests/opencl_cpp_library" "$case"
  done
fi
if wanted kernels; then
  kernels=$(cd "$source/bench/kernels" && python3 -c '
import catalogue
print(*[k.name for k in catalogue.present() if catalogue.is_own(k)])') || exit 1
  for kernel in $kernels; do
    run "kernel $kernel" python3 "$source/bench/kernels/one.py" "$kernel" "$log.npz" once
  done
  rm -f "$log.npz"
fi
if wanted examples; then
  picture=$source/examples/equalise/photographer.png
  run "example scan" "$build/bin/example_scan" 64
  run "example lines" "$build/bin/example_lines" "$source/docs/design.md"
  run "example equalise" "$build/bin/example_equalise" "$picture" "$log.png" 2 # tiles
  run "example c" "$build/bin/example_c" "$source/docs/design.md"
  run "example sycl" "$build/bin/example_sycl" "$picture" "$log.png"
  rm -f "$log.png"
fi
if wanted random; then
  run "random kernels" "$build/bin/fuzz" -p "$source/tests/fuzz/prelude.cl" -1 -S "$random" 11
  run "random kernels of sub-groups" \
    "$build/bin/fuzz" -p "$source/tests/fuzz/prelude.cl" -1 -S -g 100 "$random" 12
fi
echo "$runs runs: $reported reported, $failed failed, $late not ended in $limit s"
[ $runs != 0 ] && [ $reported = 0 ] && [ $failed = 0 ]
