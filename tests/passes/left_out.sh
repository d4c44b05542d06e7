#!/bin/sh
# left_out.sh MANIPLE: LLVM leaves out the passes of left_out.def, of a large kernel more than of others.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/scaled.cl" <<'CL'
kernel void scaled(global float *out, global const float *in) {
  out[get_global_id(0)] = in[get_global_id(0)] * 3;
}
CL
# runs ECONOMY PASS: how often it is run, and how often left out
runs() {
  MANIPLE_CACHE=0 MANIPLE_CODE_ECONOMY=$1 MANIPLE_BUILD_OPTIONS="-Xclang -fdebug-pass-manager" \
    "$maniple" build "$work/scaled.cl" -o "$work/bin" 2>&1 |
    awk -v wanted="$2" '$2 == "pass:" && $3 == wanted && ($5 == "mpl_group.scaled" || $5 == "[module]") { count[$1]++ }
      END { print count["Running"] + 0, count["Skipping"] + 0 }'
}
maniple=$1 bad=0
expect() {
  got=$(runs "$1" "$2")
  [ "$got" = "$3" ] && return
  echo "economy $1: $2 is run and left out $got times, not $3"
  bad=1
}
expect 0 InstCombinePass "6 2"
expect 1 InstCombinePass "6 2"
expect 0 CalledValuePropagationPass "0 1"
expect 0 SLPVectorizerPass "0 1"
expect 0 LoopVectorizePass "1 0"
expect 1 LoopVectorizePass "0 1"
exit $bad
