#!/bin/sh
# run.sh BUILD SECONDS [TARGET]...: runs the libFuzzer targets, each beginning with what the tests have
# of its kind.  What is found stays in BUILD/libfuzzer/TARGET.  0 seconds: only what they begin with, in
# builds without libFuzzer too (replay.c).
set -eu
build=$(realpath "$1") seconds=$2
shift 2
tests=$(dirname "$(dirname "$(realpath "$0")")")
[ $# -gt 0 ] || set -- binary cache link object options sim spirv translate

seed() { # the files that TARGET begins with
  case $1 in
  object) ls "$build"/tests/unit/*.so ;;
  link) ls "$build"/tests/unit/*.o ;;
  sim) ls "$tests"/cli/kernels/*.sim ;;
  translate) ls "$tests"/opencl_cpp/kernels/*.cl ;;
  esac
}

for target; do
  corpus=$build/libfuzzer/$target
  mkdir -p "$corpus"
  seed "$target" | while read -r file; do cp "$file" "$corpus"; done
  case $target in
  spirv)
    for file in "$tests"/spirv/modules/*.spvasm; do
      spirv-as --target-env spv1.2 -o "$corpus/$(basename "$file")" "$file" || true
    done
    ;;
  binary | cache) head -c 400 /dev/zero >"$corpus/zeros" ;;
  options)
    grep -o '"-[^"]*"' "$tests/../src/tables/build_options.def" | tr -d '"' >"$corpus/options" || true
    ;;
  esac
  if [ "$seconds" = 0 ]; then
    "$build/tests/libfuzzer_$target" "$corpus"/*
    continue
  fi
  echo "$target, $seconds seconds"
  "$build/tests/libfuzzer_$target" -max_total_time="$seconds" -timeout=20 -max_len=65536 -rss_limit_mb=2048 \
    -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$corpus-" "$corpus" 2>"$corpus.log" ||
    { tail -40 "$corpus.log"; exit 1; }
  grep -E 'number_of_executed_units|Done' "$corpus.log"
done
