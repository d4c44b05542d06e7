#!/bin/sh
# filter.sh MANIPLE FOLDER [SUFFIX]: the filter clears every kernel of clearSUFFIX.cl, which write ones
# only; it stops in every one of stoppedSUFFIX.cl; those of without.cl have none.  Of both the same is
# said as without it.  There are none for another schedule.
folder=$2 suffix=$3 status=0
log=$(mktemp -d)
export MANIPLE_CACHE=1 MANIPLE_CACHE_DIR="$log/cache" # each file is compiled but twice
trap 'rm -rf "$log"' EXIT
# check FILTER FILE KERNEL
check() {
  MANIPLE_CHECK_FILTER=$1 MANIPLE_DEBUG=launch MANIPLE_LOG="$log/log" timeout 100 \
    "$maniple" check "$maniple" run "$folder/$2.cl" -k "$3" -g 192 -l 96 >"$log/out" 2>&1
  ended=$?
  sed 's/0x[0-9a-f]\{7,\}/ADDRESS/g' "$log/out"
  echo "status $ended"
}
kernels() {
  sed -n 's/^\(kernel \)*void \([a-z_0-9]*\)(.*/\2/p' "$folder/$1.cl"
}
wrong() {
  echo "$1: $2"
  echo "$3"
  status=1
}
maniple=$1
for kernel in $(kernels "clear$suffix"); do
  rm -f "$log/log"
  got=$(check 1 "clear$suffix" "$kernel")
  ones=$(echo "$got" | grep -v launch | tr -s ' ' '\n' | grep -c '^1$')
  case $got in *"no mistakes found"*) ;; *) wrong "$kernel" "not found right" "$got" ;; esac
  [ "$ones" = 192 ] || wrong "$kernel" "$ones of 192 are right" "$got"
  grep -q "nothing suspicious" "$log/log" || wrong "$kernel" "the filter does not clear it" ""
done
without=$([ "$suffix" ] || kernels without)
for kernel in $(kernels "stopped$suffix") $without; do
  rm -f "$log/log"
  file=stopped$suffix
  grep -q "void $kernel(" "$folder/$file.cl" || file=without
  got=$(check 1 $file "$kernel")
  [ $file = without ] || grep -q "its filter stopped" "$log/log" ||
    wrong "$kernel" "the filter does not stop" "$got"
  ! [ $file = without ] || ! grep -q "filter" "$log/log" || wrong "$kernel" "has a filter" "$got"
  want=$(check 0 $file "$kernel")
  case $want in # what nobody has written or brought may be anything
  *uninitialised-read* | *undefined-lane*) got=${got%%out: int*} want_words=${want%%out: int*} ;;
  *) want_words=$want ;;
  esac
  [ "$got" = "$want_words" ] || wrong "$kernel" "other words than without filter" "$got"
  case $want in *"status 3") ;; *) wrong "$kernel" "no mistake" "$want" ;; esac
done
# In other orders none can run, and none is compiled.
cat >"$log/small.cl" <<'CL'
kernel void small(global int *out) {
  out[get_global_id(0)] = 1;
}
CL
folder=$log
compiled() {
  rm -rf "$log/cache"
  check "$1" small small >"$log/said"
  find "$log/cache" -type f | wc -l
}
none=$(compiled 0) one=$(compiled 1)
export MANIPLE_CHECK_SCHEDULE=reverse
[ "$one" -gt "$none" ] || wrong filters "not in the cache" "$none, $one"
reversed=$(compiled 1)
[ "$reversed" = "$none" ] || wrong filters "compiled for an order that they do not have" "$reversed"
exit $status
