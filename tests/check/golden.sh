#!/bin/sh
# golden.sh [-u] FOLDER REF COMMAND...: runs the command in the folder and compares what it writes to
# standard error, and its exit status, with the file; -u writes the file.
update=
if [ "$1" = -u ]; then update=1; shift; fi
cd "$1" || exit 1
ref=$2
shift 2
export MANIPLE_CHECK_TIMEOUT=1
got=$(timeout 300 "$@" 2>&1 >/dev/null; echo "exit status $?")
# Not the place of the sources, nor addresses.
got=$(echo "$got" | sed "s|$PWD/||g; s/0x[0-9a-f]\{7,\}/ADDRESS/g")
if [ "$update" ]; then echo "$got" > "$ref"; exit; fi
# Another version of clang than the one of the files names other columns of conditions and calls.
said() {
  [ "${TEST_LLVM:-19}" = 19 ] && cat && return
  sed 's/^\([^ ]*:[0-9]*\):[0-9]*: /\1: /; /^[ \t]*|[ \t]*^~*$/d'
}
[ "$(echo "$got" | said)" = "$(said <"$ref")" ] || {
  echo "$got" | diff -u "$ref" -
  exit 1
}
