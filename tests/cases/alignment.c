/* Data that is aligned to its elements only. */
#ifdef __OPENCL_VERSION__
struct both { int4 v; int2 w; };

kernel void at_elements(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  global int *to = out + 8 * at;
  global const int *from = in + 8 * at;
  int4 v = *(global const int4 *)(from + 1);
  int2 w = *(global const int2 *)(from + 5);
  *(global int4 *)(to + 3) = v.wzyx + 1;
  *(global int2 *)(to + 1) = w.yx;
  to[0] = from[7];
  local int4 *near = (local int4 *)(cells + 8 * id + 2);
  *near = v + w.xyxy;
  barrier(CLK_LOCAL_MEM_FENCE);
  v = *near;
  *(global short2 *)((global short *)(to + 7) + 0) = as_short2(v.x ^ v.y ^ v.z ^ v.w);
}

kernel void copies(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  struct both b = *(global const struct both *)(in + 16 * at + 3);
  b.v += b.w.xyxy;
  *(global struct both *)(out + 16 * at + 1) = b;
  global const short *s = (global const short *)(in + 16 * at) + 5;
  short8 t = *(global const short8 *)s;
  *(global short8 *)((global short *)(out + 16 * at) + 21) = t.s76543210;
  for (int i = 0; i < 16; i++)
    if (i == 0 || i == 7 || i == 8 || i == 9 || i > 14) out[16 * at + i] = i;
  ((global short *)(out + 16 * at))[20] = 3;
  ((global short *)(out + 16 * at))[29] = 3;
}

/* Private variables that are aligned to more than vectors are, which live across a barrier or not, and a
 * local one: how far their addresses are off. */
struct page { char c; int x; } __attribute__((aligned(1024)));
#define OFF(p, align) (hidden = (ulong)(p), hidden & ((align) - 1))
kernel void private_kept(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  char first = (char)in[at];
  struct page page = {first, in[at]};
  short numbers[3] __attribute__((aligned(4096)));
  long four __attribute__((aligned(128))) = in[at];
  volatile ulong hidden;
  local int before __attribute__((aligned(2048))); /* the group's other memory */
  if (get_local_linear_id() == 0) before = 0;
  for (int i = 0; i < 3; i++) numbers[i] = in[at] + i;
  ulong off = OFF(&page, 1024) | OFF(numbers, 4096) | OFF(&four, 128) | OFF(&before, 2048);
  barrier(CLK_LOCAL_MEM_FENCE);
  off |= OFF(&page, 1024) | OFF(numbers, 4096) | OFF(&four, 128);
  int x = page.c + page.x + numbers[(uint)first % 3] + (int)four + before;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = off ? -1 - (int)off : x;
}

kernel void private_at_once(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  struct page page = {(char)in[at], in[at]};
  char between = (char)in[at];
  int numbers[5] __attribute__((aligned(16384)));
  volatile ulong hidden = (ulong)&between;
  for (int i = 0; i < 5; i++) numbers[i] = page.x ^ i;
  ulong off = OFF(&page, 1024) | OFF(numbers, 16384);
  out[at] = off ? -1 - (int)off : numbers[(uint)in[at] % 5] + page.c + between;
}
#else
#include "run/case.h"

CASE(at_elements, int, int, .in_per_item = 8, .out_per_item = 8, .local_per_item = 40,
     .max_items = 512) {
  EACH(i) {
    const int *from = in + 8 * i, w[2] = {from[5], from[6]};
    int *to = out + 8 * i, all = 0;
    for (int k = 0; k < 4; k++) to[3 + k] = add(from[4 - k], 1), all ^= add(from[1 + k], w[k & 1]);
    to[0] = from[7], to[1] = w[1], to[2] = w[0], to[7] = all;
  }
}

CASE(copies, int, int, .in_per_item = 16, .out_per_item = 16) {
  EACH(i) {
    const int *from = in + 16 * i;
    int *to = out + 16 * i;
    for (int k = 0; k < 16; k++) to[k] = k;
    for (int k = 0; k < 4; k++) to[1 + k] = add(from[3 + k], from[7 + (k & 1)]);
    to[5] = from[7], to[6] = from[8];
    short s[32], t[32];
    memcpy(s, from, 64);
    memcpy(t, to, 64);
    for (int k = 0; k < 8; k++) t[21 + k] = s[12 - k];
    t[20] = t[29] = 3;
    memcpy(to, t, 64);
  }
}

CASE(private_kept, int, int) {
  EACH(i) {
    int x = in[i];
    char first = (char)x;
    out[i] = add(add(first, x), add((short)add(x, (int)((unsigned)first % 3)), x));
  }
}

CASE(private_at_once, int, int) {
  EACH(i) {
    int x = in[i];
    out[i] = add(x ^ (int)((unsigned)x % 5), 2 * (char)x);
  }
}
#endif
