# Read by run.sh and ordinary.sh, which set `here`: the folder `work`, QEMU's plugin in it, and
#   run COMMAND...      runs a program for AArch64 of the folder `build`
#   counted COMMAND...  the last word of what it prints, and the instructions that it executed
#   by_hand SOURCE      compiles it to `work`/hand
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MANIPLE_CACHE=0 MANIPLE_BUILD_WARM=0 MANIPLE_THREADS=1 OCL_ICD_VENDORS="$build/maniple.icd"

run() { prlimit --as=34359738368 qemu-aarch64 -L "$build/sysroot" "$@"; }

counted() {
  run -plugin "$work/count.so" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
  printf '%s %s\n' "$(awk 'NF { last = $NF } END { print last }' "$work/out")" "$(awk '/^instructions/ { print $2 }' "$work/err")"
}

by_hand() {
  "clang-${LLVM:-19}" --target=aarch64-linux-gnu --sysroot="$build/sysroot" -fuse-ld=lld -O2 -mcpu=cortex-a72 -fwrapv \
    "$here/$1" -o "$work/hand"
}

gcc -shared -fPIC -O2 "$here/count.c" -o "$work/count.so"
