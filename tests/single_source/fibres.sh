#!/bin/sh
# fibres.sh MANIPLE SOURCE OPTION...: -Wmaniple-fibres warns once at each line of the source that ends in
# "// REASON", with that reason, and of nothing else; -Werror= makes errors of it.
maniple=$1 source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
try() { # OPTION...
  "$maniple" c++ "$@" -O1 -c "$source" -o "$work/object" 2>"$work/said"
}
fail() {
  echo "$*"
  cat "$work/said"
  exit 1
}
try "$@" && [ ! -s "$work/said" ] || fail "something is said without -Wmaniple-fibres"
try "$@" -Wmaniple-fibres || fail "not compiled with -Wmaniple-fibres"
grep -n ';.* // ' "$source" | sed 's,:.* // ,:,' >"$work/wanted"
while IFS=: read -r line reason; do
  grep -q "^[^:]*$(basename "$source"):$line:[0-9]*: warning: kernel .* runs on fibres: $reason.*\[-Wmaniple-fibres\]" \
    "$work/said" || fail "no warning at line $line: $reason"
done <"$work/wanted"
[ "$(grep -c warning: "$work/said")" = "$(wc -l <"$work/wanted")" ] || fail "other warnings"
try "$@" -Werror=maniple-fibres && fail "compiled with -Werror=maniple-fibres"
grep -q 'error: kernel .*\[-Werror=maniple-fibres\]' "$work/said" || fail "no error"
try "$@" -Wmaniple-fibres -Werror && fail "compiled with -Werror"
try "$@" -Werror -Wmaniple-fibres -Wno-maniple-fibres || fail "not compiled with -Wno-maniple-fibres"
