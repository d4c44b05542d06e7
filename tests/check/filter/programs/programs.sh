#!/bin/sh
# programs.sh MANIPLE KIND PROGRAM [EXCEPT]: programs that were compiled with --check-memory, which name
# their cases if they are asked for none; the case EXCEPT is left out.  KIND clear: the filter clears every
# launch of each, and the answers are right.  KIND stopped: the filter stops (of "unfit..." it cannot be
# run, of "without..." there is none); what is said then, and what the program prints of its memory, is
# the same as without filters.  KIND compared: whatever becomes of the filter, the same is said.
maniple=$1 kind=$2 program=$3 except=${4:-} status=0
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
export MANIPLE_THREADS=1 MANIPLE_CHECK_TIMEOUT=1 MANIPLE_FAULTS=report
# check FILTER CASE
check() {
  rm -f "$log/log"
  MANIPLE_CHECK_FILTER=$1 MANIPLE_DEBUG=launch MANIPLE_LOG="$log/log" timeout 100 \
    "$maniple" check "$program" "$2" >"$log/out" 2>&1
  ended=$?
  sed 's/0x[0-9a-f]\{7,\}/ADDRESS/g' "$log/out"
  echo "status $ended"
}
became() {
  sed -n 's/.*its filter found nothing.*/clear/p; s/.*its filter stopped.*/stopped/p
    s/.*its filter cannot.*/unfit/p' "$log/log" | sort -u | tr -d '\n'
}
wrong() {
  echo "$1: $2"
  echo "$3"
  status=1
}
for case in $("$program"); do
  [ "$case" != "$except" ] || continue
  got=$(check 1 "$case")
  if [ "$kind" = clear ]; then
    [ "$(became)" = clear ] || wrong "$case" "its filter: $(became)" "$got"
    case $got in *"no mistakes found
status 0") ;; *) wrong "$case" "not right" "$got" ;; esac
    continue
  fi
  wanted=stopped
  case $case in without*) wanted= ;; unfit*) wanted=unfit ;; esac
  [ "$kind" = compared ] || [ "$(became)" = "$wanted" ] || wrong "$case" "its filter: $(became)" "$got"
  want=$(check 0 "$case")
  [ "$got" = "$want" ] || wrong "$case" "other words than without filter, which are: $want" "$got"
  [ "$kind" = compared ] || case $want in *"status 3") ;; *) wrong "$case" "no mistake" "$want" ;; esac
done
exit $status
