#!/bin/sh
# What MANIPLE_TRACE leaves, read by jq.  check.sh MANY
set -eu
many=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "$*" >&2
  exit 1
}

# is WHAT FILE FILTER: the filter is true of the array of events
is() {
  jq -e "$3" "$2" >/dev/null || fail "$1: not true of $2: $3"
}

# Several threads, each with more events than its buffer holds; a child with some of its own.
MANIPLE_THREADS=3 MANIPLE_TRACE=a.json "$many" 4 700 30 >ids
read -r parent child <ids
[ "$(ls)" = "$(printf 'a.%s.json\na.json\nids' "$child")" ] || fail "files: $(ls)"
is 'each event is of this process' a.json "all(.[]; .pid == $parent)"
is 'no launch is lost' a.json '[.[] | select(.cat == "kernel" and .name == "count")] | length == 2800'
is 'each is described' a.json 'all(.[] | select(.cat == "kernel"); .args.global == [4096, 1, 1] and
  .args.local == [64, 1, 1] and .args.groups == 64 and .args.bytes == 16384 and
  .args.group_operations == 1 and .args.width > 0)'
is 'work-groups are all there' a.json '[.[] | select(.cat == "groups") | .args.end - .args.first] |
  add == 2800 * 64'
is 'commands: launches, 4 fills, 4 reads; write, copy, marker, read' a.json '[.[] | select(.ph == "b" and
  .args.command)] | length == 2800 + 8 + 4'
is 'each command has a number' a.json '[.[] | select(.ph == "b" and .args.command) | .args.command] |
  length == (unique | length)'
is 'begins and ends of a command' a.json '[.[] | select(.cat == "command")] | group_by(.id) |
  all(.[]; length == 4 and ([.[] | select(.ph == "b")] | length == 2) and
  (max_by(.ts).ph == "e" or (map(.ts) | min == max)))'
is 'one clock: each command is queued, begins, ends' a.json 'all(.[] | select(.ph == "b" and
  .args.command); .ts <= .args.started and .args.started <= .args.ended)'
is 'a launch is done inside its command, on its thread' a.json '([.[] | select(.cat == "run")] |
  group_by(.tid)) as $runs | [.[] | select(.cat == "kernel")] | group_by(.tid) | all(.[];
  .[0].tid as $tid | (map(.dur) | add) <= ([$runs[][] | select(.tid == $tid) | .dur] | add))'
is 'transfers and their bytes' a.json '[.[] | select(.cat == "transfer") | [.name, .args.bytes]] |
  group_by(.) | map([.[0][0], .[0][1], length]) | sort ==
  ([["copy buffer", 4, 1], ["fill buffer", 16384, 4], ["read buffer", 4, 1],
    ["read buffer", 16384, 4], ["write buffer", 4, 1]] | sort)'
is 'the copy waits for the write' a.json '([.[] | select(.ph == "s")] | length == 1) and
  ([.[] | select(.ph == "s")][0]) as $s | ([.[] | select(.ph == "f")] | length == 1) and
  ([.[] | select(.ph == "f")][0]) as $f | $s.id == $f.id and $s.ts <= $f.ts and
  ([.[] | select(.ph == "b" and .args.command == $s.args.from)][0].name == "write buffer") and
  ([.[] | select(.ph == "b" and .args.command == $s.args.to)][0].name == "copy buffer")'
is 'the build, its parts inside' a.json '([.[] | select(.name == "build")][0]) as $b |
  [.[] | select(.cat == "build" and (.name == "clang" or .name == "the linker"))] | length == 2 and
  all(.[]; .ts >= $b.ts and .ts + .dur <= $b.ts + $b.dur + 0.01 and .tid == $b.tid)'
is 'threads have names' a.json '([.[] | select(.name == "thread_name") | .tid] | unique) as $named |
  all(.[]; .tid as $t | .name == "process_name" or ($named | index($t)))'
is 'the child has its own, and nothing of its parent' "a.$child.json" "all(.[]; .pid == $child) and
  ([.[] | select(.cat == \"kernel\")] | length == 30)"

# A child that does nothing leaves no file; %p is the process.
MANIPLE_TRACE=b-%p.json "$many" 1 1 0 >ids
read -r parent child <ids
[ -f "b-$parent.json" ] && [ ! -f "b-$child.json" ] || fail "files: $(ls)"
MANIPLE_TRACE=c-%p.json "$many" 1 1 2 >ids
read -r parent child <ids
is '%p of a child' "c-$child.json" '[.[] | select(.cat == "kernel")] | length == 2'

# The same file again: the old one is gone.  While another process writes it: another name.
MANIPLE_TRACE=a.json "$many" 1 1 0 >/dev/null
is 'the old trace is gone' a.json '[.[] | select(.cat == "kernel")] | length == 1'
(
  flock 9
  MANIPLE_TRACE=a.json "$many" 1 2 0 >ids
) 9<a.json
read -r parent child <ids
is 'not over the file of another' "a.$parent.json" '[.[] | select(.cat == "kernel")] | length == 2'
is 'and that is as it was' a.json '[.[] | select(.cat == "kernel")] | length == 1'

# A device is everybody's: neither a child nor a second process has a file of another name.
ln -s /dev/null device.json
MANIPLE_TRACE=device.json "$many" 1 1 2 >ids
(
  flock 9
  MANIPLE_TRACE=device.json "$many" 1 1 2 >ids
) 9</dev/null
[ "$(ls device*)" = device.json ] || fail "files beside a device: $(ls device*)"

# A path that cannot be written is one sentence, and the program runs.
says() {
  MANIPLE_TRACE=$1 "$many" 1 1 1 2>err >/dev/null || fail "$1: status $?"
  printf 'maniple: cannot write MANIPLE_TRACE=%s: %s; nothing is traced\n' "$1" "$2" | diff - err ||
    fail "$1"
}
mkfifo pipe
says none/a.json 'No such file or directory'
says . 'Is a directory'
says pipe 'No such device or address'
MANIPLE_TRACE=/dev/full "$many" 1 1 1 2>err >/dev/null
echo 'maniple: MANIPLE_TRACE: No space left on device; the rest is not traced' | diff - err
