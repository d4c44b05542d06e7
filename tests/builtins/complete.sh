#!/bin/sh
# Every built-in function that clang's OpenCL header, or ours beside it, declares for what the device
# offers is defined in the library under the name that clang gives it: in that of processors, and in
# that of GPUs.
#
#   complete.sh CLANG MANIPLE_ARCHIVE BUILTINS.ARCHIVE DEVICE_FEATURES.DEF OPENCL.H
#
# A header's declarations are made definitions; their names must all be in the archive.  Images
# have other tests; integers that hold pointers repeat the names of plain integers.
set -eu
clang=$1 archive=$2 library=$3 features=$4 ours=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$("$clang" -print-resource-dir)/include
extensions=-all$(sed -n 's/^MPL_[A-Z]*(\([a-z0-9_]*\),.*CLANG,.*)/,+\1/p' "$features" | tr -d '\n')
macros=$(sed -n 's/^MPL_[A-Z]*(\([a-z0-9_]*\),.*DEFINE[A-Z_]*,.*)/-D\1=1/p' "$features")
# Abstract syntax does not depend on the processor, calling conventions do: names are the same on all
# of them.  Those of GPUs spell address spaces in another way.
common="-x cl -Xclang -ffake-address-space-map -cl-no-stdinc -w -Xclang -cl-ext=$extensions"
"$archive" -l "$library" a | sort > "$work/have_x86_64-pc-linux-gnu"
"$archive" -l "$library" nN | sort -u > "$work/have_nvptx64-nvidia-cuda"
status=0
# check VERSION LEAST HEADER...: at least so many functions are declared, and all are there.
check() {
  version=$1 least=$2 includes=
  shift 2
  for header; do includes="$includes -include $header"; done
  "$clang" $common --target=x86_64-pc-linux-gnu -cl-std=$version $macros $includes -E -P /dev/null |
    awk '
      /^#pragma/ { print; next }
      { text = text $0 }
      /[;}][ \t]*$/ {
        if (text !~ /image/) {
          function_of = text ~ /overloadable/ && text ~ /\);[ \t]*$/
          again = text ~ /atomic_(uintptr|intptr|size|ptrdiff)_t \*, (uintptr|intptr|size)_t/
          if (function_of && !again) sub(/;[ \t]*$/, " { __builtin_unreachable(); }", text)
          print text
        }
        text = ""
        next
      }
      { text = text " " }' > "$work/all.cl"
  for target in x86_64-pc-linux-gnu nvptx64-nvidia-cuda; do
    "$clang" $common --target=$target -cl-std=$version -O1 -Xclang -disable-llvm-passes -S \
      -emit-llvm -o "$work/all.ll" "$work/all.cl"
    sed -n 's/^define.*@\(_Z[A-Za-z0-9_]*\)(.*/\1/p' "$work/all.ll" | sort > "$work/want"
    count=$(wc -l < "$work/want")
    [ "$count" -ge "$least" ] || { echo "$version: only $count functions were found in $*"; status=1; }
    comm -23 "$work/want" "$work/have_$target" > "$work/missing"
    echo "$version, ${header##*/}, $target: $count functions, $(wc -l < "$work/missing") missing"
    [ ! -s "$work/missing" ] || { sed 's/^/  /' "$work/missing"; status=1; }
  done
}
for version in CL1.0 CL1.2 CL3.0; do # what 1.1 and 2.0 declare, the next does too
  check "$version" 5000 "$folder/opencl-c.h"
done
for version in CL1.2 CL3.0; do
  check "$version" 200 "$folder/opencl-c-base.h" "$ours"
done
exit $status
