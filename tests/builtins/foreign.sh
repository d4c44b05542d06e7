#!/bin/sh
# foreign.sh CLANG MANIPLE_ARCHIVE PASSES.SO: built-in functions of another processor are refused by one
# sentence, whether they are under the letter of this one's ABI (archive.h) or there are none.
clang=$1 archive=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp "$3" "$work/passes.so"
echo 'size_t __attribute__((overloadable)) get_global_id(uint d) { return d; }' > "$work/functions.cl"
echo 'kernel void k(global int *x) { x[get_global_id(0)] = abs(x[get_global_id(0)]); }' > "$work/kernel.cl"
echo 'builtins.archive has no functions for this processor: install the maniple that was built for it' > "$work/wanted"
case $(uname -m) in
  x86_64) own=x86_64-linux-gnu other=aarch64-linux-gnu ;;
  *) own=aarch64-linux-gnu other=x86_64-linux-gnu ;;
esac
status=0
for made in "a $other" "n nvptx64-nvidia-cuda"; do
  letter=${made% *}
  "$clang" --target="${made#* }" -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins -x cl \
    -Xclang -disable-llvm-passes -c -emit-llvm -o "$work/functions.bc" "$work/functions.cl" || exit 1
  "$archive" "$work/builtins.archive" "$letter=$work/functions.bc" || exit 1
  "$clang" --target=$own -x cl -cl-std=CL3.0 -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins \
    -O2 -fno-crash-diagnostics -fpass-plugin="$work/passes.so" -c -o "$work/kernel.o" "$work/kernel.cl" 2> "$work/said" &&
    { echo "${made#* }: a kernel was compiled"; status=1; }
  sed -n 's/^.*error: //p' "$work/said" | diff "$work/wanted" - || { cat "$work/said"; status=1; }
done
exit $status
