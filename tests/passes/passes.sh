#!/bin/sh
# passes.sh [-u | -r] MANIPLE FILE.cl: compiles the file for a fixed processor and compares with FILE.ref
#
#   KERNEL: LINE: REMARK   for each remark of the pass, or "KERNEL: nothing"
#   KERNEL> INSTRUCTION    for each line of the kernel's IR behind the pass that has what is to be shown
#
#   fact> KERNEL: WORD: REMARK   for each fact of a line (src/tables/facts.def), if asked for
#   plan> LINE             for each line of plan.txt (src/compiler/vector/plan/dump.c), if asked for
#   split> LINE            the same of split.txt (src/compiler/split/plan/dump.c)
#
# What pass that is and what is shown say lines of the file: `// pass: NAME` (else it is the file's name),
# `// show: REGEX` (awk's; else nothing), `// march: NAME`, `// facts: yes`, `// plan: yes`,
# `// split: yes`, `// set: VARIABLE=VALUE`, `// function: NAME` (the kernel's function is NAME.KERNEL, else
# mpl_group.KERNEL).  -u writes FILE.ref.  -r compares remarks and plans only: FILE.ref has the IR as
# LLVM 19 writes and simplifies it.
#
# RUN: a command that runs MANIPLE, where this machine does not.
update= shown=.
case $1 in
  -u) update=1; shift ;;
  -r) shown='^[a-z_0-9]*: \|^fact> \|^plan> '; shift ;;
esac
maniple=$1 file=$2 name=$(basename "$2" .cl)
setting() { sed -n "s|^// $1: ||p" "$file"; }
pass=$(setting pass) show=$(setting show) march=$(setting march) function=$(setting function)
pass=${pass:-$name}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for variable in $(setting set); do export "$variable"; done
MANIPLE_PASS_VERIFY=1 MANIPLE_BUILD_OPTIONS=-march=${march:-x86-64-v3} \
  ${RUN:-} "$maniple" build "$file" --dump="$work" -o "$work/bin" > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
ir=$(ls "$work"/*/??-"$pass".ll) || exit 1

# Every kernel in the order of the file, its remarks by line, then its IR.
awk -v pass="$pass" -v show="$show" -v function_of="@${function:-mpl_group}." '
  FILENAME == ARGV[1] {
    if (match($0, /kernel .*void [a-z_0-9]+\(/)) {
      kernel = substr($0, RSTART, RLENGTH - 1)
      sub(/.* /, "", kernel)
      kernels[++count] = kernel
    }
    at[FNR] = kernel
    next
  }
  FILENAME == ARGV[2] {
    # Not what each line became, but for the work-item loops and what is saved.
    if (!match($0, "\\[-Rpass=maniple-(" pass "|tune):[^]:]*(:((not-)?widened|saved))?\\]$")) next
    text = substr($0, 1, RSTART - 2)
    sub(/^.*\.cl:/, "", text)
    line = text
    sub(/:.*/, "", line)
    sub(/^[0-9]+:[0-9]+: /, "", text)
    said[at[line]] = said[at[line]] at[line] ": " line ": " text "\n"
    next
  }
  /^define / {
    inside = ""
    if ((start = index($0, function_of)) && match(substr($0, start), /\.[a-z_0-9]+/))
      inside = substr($0, start + RSTART, RLENGTH - 1)
  }
  /^}/ { inside = "" }
  inside != "" && show != "" && $0 ~ show && !/^define/ {
    gsub(/, ?![a-z.]+ ![0-9]+/, "")
    gsub(/ #[0-9]+/, "")
    gsub(/%[-a-zA-Z0-9._]+/, "%")
    sub(/^[0-9]+:.*/, "block:")
    gsub(/ noundef| addrspace\([0-9]\)|addrspacecast \(ptr /, "")
    gsub(/ to ptr\)/, "")
    gsub(/\.[0-9]+\(/, "(")
    gsub(/^ +/, "")
    code[inside] = code[inside] inside "> " $0 "\n"
  }
  END {
    for (k = 1; k <= count; k++)
      printf "%s%s", said[kernels[k]] == "" ? kernels[k] ": nothing\n" : said[kernels[k]], code[kernels[k]]
  }' "$file" "$work/said" "$ir" > "$work/got"
if [ "$(setting facts)" ]; then
  sed -n "s/^.*remark: \(.*\) \[-Rpass=maniple-$pass:\([^]:]*\):\([a-z-]*\)\]\$/fact> \2: \3: \1/p" \
    "$work"/*/remarks.txt >> "$work/got"
fi
for plan in plan split; do
  if [ "$(setting $plan)" ]; then sed "s/^/$plan> /" "$work"/*/$plan.txt >> "$work/got"; fi
done
if [ "$update" ]; then
  cp "$work/got" "${file%.cl}.ref"
  exit
fi
for text in "${file%.cl}.ref" "$work/got"; do grep "$shown" "$text" > "$work/$(basename "$text").shown"; done
diff -u "$work/$(basename "${file%.cl}").ref.shown" "$work/got.shown"
