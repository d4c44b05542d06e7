#!/bin/sh
# launches.sh PROGRAM CASE WORDS: what became of the filter of each launch, a letter each: clear, stopped,
# or unfit.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
MANIPLE_CHECK=1 MANIPLE_DEBUG=launch MANIPLE_LOG="$log" "$1" "$2" >/dev/null 2>&1
status=$? # 3: something was found
[ $status -eq 0 ] || [ $status -eq 3 ] || { echo "$2: exit status $status"; cat "$log"; exit 1; }
got=$(sed -n 's/.*its filter found nothing.*/c/p; s/.*its filter stopped.*/s/p; s/.*its filter cannot.*/u/p' "$log" |
  tr -d '\n')
[ "$got" = "$3" ] || { echo "$2: $got and not $3"; cat "$log"; exit 1; }
