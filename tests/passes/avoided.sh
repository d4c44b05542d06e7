#!/bin/sh
# avoided.sh MANIPLE: LLVM makes no instructions of SSE4A, which has no form for AVX, but for a program that asks for one.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/picked.cl" <<'CL'
kernel void picked(global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = in[16 * i] + in[16 * i + 5];
}
CL
cat > "$work/asked.cl" <<'CL'
kernel void asked(global const long2 *in, global long2 *out) {
  size_t i = get_global_id(0);
  out[i] = __builtin_ia32_insertqi(in[2 * i], in[2 * i + 1], 8, 8);
}
CL
inserts_of() {
  MANIPLE_CACHE=0 MANIPLE_PASS_VERIFY=1 MANIPLE_BUILD_OPTIONS=-march=znver3 \
    "$maniple" build "$work/$1.cl" --dump="$work/$1" -o "$work/bin" > "$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
  grep -c '[[:space:]]insertq' "$work/$1"/*/program.s
}
maniple=$1
[ "$(inserts_of picked)" = 0 ] || { echo "LLVM takes SSE4A to put bytes together"; exit 1; }
[ "$(inserts_of asked)" -gt 0 ] || { echo "an instruction that the program asks for is not there"; exit 1; }
