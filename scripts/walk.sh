#!/bin/sh
# walk.sh MANIPLE PAGE: the page docs/walk.md with what is generated in it made anew, by the command
# MANIPLE, from the kernel in its first block of C.  What stands behind a line
#   <!-- files -->            the names of the files that `maniple build --dump` leaves
#   <!-- changed -->          those that differ from the one before
#   <!-- split -->            the plan of the splitter, split.txt
#   <!-- PASS FUNCTION BLOCK... -->  these blocks of the function, as the pass left it.
#     BLOCK:FIRST,LAST  only its lines from the one that makes %FIRST to the one that makes %LAST
# is replaced to the end of its paragraph or block.  To bring the page up to date:
#   scripts/walk.sh build/bin/maniple docs/walk.md >/tmp/walk.md && cp /tmp/walk.md docs/walk.md
set -eu
maniple=$(realpath "$1") page=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sed -n '/^```c$/,/^```$/p' "$page" | sed '1d;/^```$/,$d' >smooth.cl
MANIPLE_CACHE=0 MANIPLE_BUILD_OPTIONS="-fno-discard-value-names -march=x86-64-v4" \
  "$maniple" build --dump=dump -o smooth.bin smooth.cl >log 2>&1 || { cat log >&2; exit 1; }
cd dump/*/

set -- ??-*.ll
first="$1  $2" count=$#
shift $((count - 2))
printf '    %s  ...  %s  %s\n' "$first" "$1" "$2" >"$work/files"
printf '    %s\n' "$(ls | grep -v '^[0-9][0-9]-' | paste -s -d ' ' | sed 's/ /  /g')" >>"$work/files"
before=$1
for file in ??-*.ll; do
  [ "$file" = 00-front-end.ll ] || cmp -s "$before" "$file" || echo "    $file"
  before=$file
done >"$work/changed"

sed 's/^/    /' split.txt >"$work/split"

# blocks PASS FUNCTION BLOCK...
blocks() {
  file=$(ls ??-"$1".ll) function=$2
  shift 2
  sed -n "/^define .*@$function(/,/^}/p" "$file" |
    sed '/^ *#dbg_/d; s/, ![a-z.-]* ![0-9]*//g; s/) #[0-9]*/)/; s/ *; preds = .*//' >"$work/function"
  for block in "$@"; do
    name=${block%%:*} from= to=
    case $block in *:*) from=${block#*:} to=${from#*,} from=${from%,*} ;; esac
    awk -v name="$name" -v from="$from" -v to="$to" '
      /^[A-Za-z0-9._-]+:/ { inside = $0 == name ":" ; on = inside && from == ""; if (on) { print; found = 1 } next }
      /^}/ || /^$/ { inside = on = 0 }
      inside && from != "" && index($0, "  %" from " =") == 1 { on = 1; found = 1 }
      on
      inside && to != "" && index($0, "  %" to " =") == 1 { on = 0 }
      END { exit !found }' "$work/function" || {
      echo "walk.sh: $function has no block $block in $file" >&2
      return 1
    }
    echo
  done | sed '$d' >"$work/blocks"
}

while IFS= read -r line; do
  printf '%s\n' "$line"
  case $line in
    '<!-- files -->' | '<!-- changed -->' | '<!-- split -->')
      name=${line#<!-- }
      IFS= read -r blank && printf '%s\n' "$blank"
      while IFS= read -r old && [ -n "$old" ]; do case $old in *'$ '*) printf '%s\n' "$old" ;; esac; done
      cat "$work/${name% -->}"
      echo
      ;;
    '<!-- '[a-z-]*' '[a-z_]*.[a-z]*' '*' -->')
      words=${line#<!-- }
      blocks ${words% -->}
      printf '%s\n' '```llvm'
      cat "$work/blocks"
      while IFS= read -r old && [ "$old" != '```' ]; do :; done
      printf '%s\n' '```'
      ;;
  esac
done <"$page"
