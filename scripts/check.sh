#!/bin/sh
# check.sh BUILD [quick|nightly]: runs the tests of a build folder, or the quick ones only, or the long
# ones too; the last line is "N passed, N failed".  What cannot
# run with the build's sanitizers is neither, and is counted before, with the reasons.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
case ${2:-} in
  quick) set -- "$1" -C quick -L '^quick$' ;;
  nightly) set -- "$1" -C nightly ;;
esac
build=$1
shift
{ ctest --test-dir "$build" "$@" --output-on-failure --no-tests=error -j "$(nproc)"; echo "status $?"; } 2>&1 |
  tee "$log" | grep -v '^status '
grep '^not run with' "$build/Testing/Temporary/LastTest.log" | sort | uniq -c
awk '/ tests? failed out of / { failed = $4; total = $9 }
     /\*\*\*Skipped / { skipped++ }
     /^status / { status = $2 }
     END {
       if (total == "") { print "0 passed, 1 failed"; exit 1 }
       printf "%d passed, %d failed\n", total - failed - skipped, failed
       exit status != 0
     }' "$log"
