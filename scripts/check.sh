#!/bin/sh
# check.sh BUILD: runs all tests of a build folder; the last line is "N passed, N failed".
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ ctest --test-dir "$1" --output-on-failure --no-tests=error -j "$(nproc)"; echo "status $?"; } 2>&1 |
  tee "$log" | grep -v '^status '
awk '/ tests? failed out of / { failed = $4; total = $9 }
     /^status / { status = $2 }
     END {
       if (total == "") { print "0 passed, 1 failed"; exit 1 }
       printf "%d passed, %d failed\n", total - failed, failed
       exit status != 0
     }' "$log"
