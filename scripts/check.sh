#!/bin/sh
# check.sh BUILD: runs all tests of a build folder; the last line is "N passed, N failed".  What cannot
# run with the build's sanitizers is neither, and is counted before, with the reasons.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ ctest --test-dir "$1" --output-on-failure --no-tests=error -j "$(nproc)"; echo "status $?"; } 2>&1 |
  tee "$log" | grep -v '^status '
grep '^not run with' "$1/Testing/Temporary/LastTest.log" | sort | uniq -c
awk '/ tests? failed out of / { failed = $4; total = $9 }
     /\*\*\*Skipped / { skipped++ }
     /^status / { status = $2 }
     END {
       if (total == "") { print "0 passed, 1 failed"; exit 1 }
       printf "%d passed, %d failed\n", total - failed - skipped, failed
       exit status != 0
     }' "$log"
