#!/bin/sh
# Replays a session: a file of lines "$ command", each followed by what the command printed on
# standard output and standard error together, and by [STATUS] if that was not 0.
#   replay.sh SESSION MANIPLE [update]
# `maniple` is MANIPLE; the commands run in a new folder that holds copies of kernels/.
set -u
here=$(cd "$(dirname "$0")" && pwd)
session=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/in"
ln -s "$(cd "$(dirname "$2")" && pwd)/$(basename "$2")" "$work/bin/maniple"
cp -R "$here/kernels/." "$work/in"
unset $(env | sed -n 's/^\(MANIPLE_[A-Z_]*\)=.*/\1/p') MANIPLE_
PATH=$work/bin:$PATH
MANIPLE_CACHE_DIR=$work/cache
export PATH MANIPLE_CACHE_DIR
cd "$work/in" || exit 2

grep '^\$ ' "$session" | while IFS= read -r line; do
  printf '%s\n' "$line"
  sh -c "${line#??}" >"$work/out" 2>&1 </dev/null
  status=$?
  cat "$work/out"
  [ $status = 0 ] || echo "[$status]"
done >"$work/actual"

if [ "${3:-}" = update ]; then
  cp "$work/actual" "$session"
else
  diff -u "$session" "$work/actual"
fi
