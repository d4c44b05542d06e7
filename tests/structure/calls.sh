#!/bin/sh
# calls.sh OBJECTS: in the vector engine calls go one way, from what makes code to what plans it to what
# is known of lanes; and neither of the last two calls what changes code.  In the splitter they go from what
# makes code to what plans it, which calls nothing that changes code.
#   OBJECTS    the folder of a build that has the object files of src/compiler
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
folders='analysis expand split/plan split/emit vector/lanes vector/plan vector/emit'

# What object files of a folder define, or (U) ask for.
symbols() {
  find "$1/$2" -maxdepth 1 -name "*.o" -exec nm -g {} + 2>/dev/null |
    awk -v k="$3" 'NF > 1 && $(NF-1) ~ k { print $NF }' | sort -u
}

for folder in $folders; do
  name=$(echo "$folder" | tr / _)
  symbols "$1" "$folder" '^[TDBRVW]$' >"$work/$name.has"
  symbols "$1" "$folder" '^U$' >"$work/$name.asks"
  [ -s "$work/$name.has" ] || { echo "no object files in $1/$folder"; exit 2; }
done
status=0
# FROM MAY-NOT-CALL...
none() {
  from=$1; shift
  for to in "$@"; do
    comm -12 "$work/$from.asks" "$work/$to.has" >"$work/wrong"
    [ -s "$work/wrong" ] || continue
    echo "$from calls $to: $(tr '\n' ' ' <"$work/wrong")"
    status=1
  done
}
none analysis expand split_plan split_emit vector_lanes vector_plan vector_emit
none expand vector_lanes vector_plan vector_emit
none vector_lanes vector_plan vector_emit
none vector_plan vector_emit
none split_plan split_emit expand vector_lanes vector_plan vector_emit
# Neither builds an instruction, nor moves, changes or takes one away.
for folder in split_plan vector_lanes vector_plan; do
  grep -E '^LLVM(Build|Set|Add|Insert|Delete|Replace|InstructionErase|InstructionRemove|AppendBasic|PositionBuilder|CreateBuilder)' \
    "$work/$folder.asks" >"$work/wrong" || continue
  echo "$folder changes code: $(tr '\n' ' ' <"$work/wrong")"
  status=1
done
exit $status
