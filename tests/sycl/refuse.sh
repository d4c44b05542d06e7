#!/bin/sh
# refuse.sh FILE COMPILER [FLAGS...]: the file must not compile, and the one error must be the sentence
# in its first lines, or quote the line of a deleted function that has it.
file=$1
shift
sentence=$(sed -n '1s,^// refused: ,,; s,^// ,,; /^[^#]/p; /^#/q' "$file" | tr '\n' ' ' | sed 's, $,,')
[ -n "$sentence" ] || { echo "$file: no sentence"; exit 1; }
if output=$("$@" -std=c++17 -fsyntax-only "$file" 2>&1); then
  echo "$file: compiles"
  exit 1
fi
errors=$(printf '%s\n' "$output" | grep -c 'error:')
if [ "$errors" != 1 ] || ! printf '%s\n' "$output" | grep -e 'error:' -e ' | SYCL_[A-Z]*(' |
  grep -qF "$sentence"; then
  echo "$file: wanted one error: $sentence"
  printf '%s\n' "$output" | grep 'error:'
  exit 1
fi
