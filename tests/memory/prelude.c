/* What stands in front of random kernels.  M(x) is an access to a buffer: on the host it is noted.
 */
#include "memory/memory.h"

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...)    TEXT_OF(__VA_ARGS__)

/* Structures: whole words, bytes between words, packed ones, arrays, unions. */
#define IN_BOTH                                                                                    \
  "struct three { float x, y, z; };\n"                                                             \
  "struct mixed { char c; short s; int i; };\n"                                                    \
  "struct packed { uchar c; uint i; ushort s; } __attribute__((packed));\n"                        \
  "struct inner { ushort u, v; };\n"                                                               \
  "struct nested { uint a[3]; struct inner w; };\n"                                                \
  "union both { uint w; uchar b[4]; ushort h[2]; };\n"                                             \
  "struct pixel { uchar r, g, b; };\n"                                                             \
  "struct pair { uint key; float value; };\n"                                                      \
  "struct matrix { float m[16]; };\n"                                                              \
  "struct wide { ulong a; uint b; float c; double d; };\n"                                         \
  "struct five { short a, b, c, d, e; };\n"                                                        \
  "CONSTANT uint fixed[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};\n"                  \
  "static uint twice(uint a, uint b) { return (a ^ b >> 3) * 2u + 1u; }\n"                         \
  "static uint least(uint a, uint b, uint c) { if (a < b) return a < c ? a : c; return b < c ? b " \
  ": c; }\n"                                                                                       \
  "static uint rounds(uint a, uint n) { for (uint k = 0; k < n % 5u; k++) a = a * 5u ^ k; return " \
  "a; }\n"

const char memory_for_host[] =
    "typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint;\n"
    "typedef unsigned long ulong, size_t; typedef ushort half;\n" TEXT(
        MEMORY_ITEM) "\n"
                     "#define VECTORS(T) typedef T T##2 __attribute__((vector_size(2 * "
                     "sizeof(T)))); \\\n"
                     "  typedef T T##3 __attribute__((vector_size(4 * sizeof(T)))), T##4 "
                     "__attribute__((vector_size(4 * sizeof(T)))), \\\n"
                     "  T##8 __attribute__((vector_size(8 * sizeof(T)))), T##16 "
                     "__attribute__((vector_size(16 * sizeof(T))));\n"
                     "VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint) "
                     "VECTORS(float) VECTORS(long)\n"
                     "VECTORS(double) VECTORS(char) VECTORS(ulong)\n"
                     "#define CONSTANT static const\n"
                     "#define GLOBAL\n"
                     "#define LOCAL(k, T, name, n) T *name = (T *)(it->local_memory + (k) * "
                     "16384);\n"
                     "#define LOCAL2(k, T, name, n, m) T (*name)[m] = (T (*)[m])(it->local_memory "
                     "+ (k) * 16384);\n"
                     "#define BARRIER(f) it->meet();\n"
                     "#define M(x) (*(__typeof__(&(x)))it->touch((const void *)&(x), sizeof(x), "
                     "__alignof__(x)))\n"
                     "#define S(v, k) (v)[k]\n"
                     "#define MAKE2(T, a, b) (T##2){a, b}\n"
                     "#define MAKE3(T, a, b, c) (T##3){a, b, c}\n"
                     "#define MAKE4(T, a, b, c, d) (T##4){a, b, c, d}\n"
                     "#define VLOAD(n, T, p) ({ T##n v_; __builtin_memcpy(&v_, it->touch((const "
                     "void *)(p), n * sizeof(T), "
                     "__alignof__(T)), n * sizeof(T)); v_; })\n"
                     "#define VSTORE(n, T, v, p) { T##n v_ = v; __builtin_memcpy(it->touch((const "
                     "void *)(p), n * sizeof(T), "
                     "__alignof__(T)), &v_, n * sizeof(T)); }\n"
                     "#define ADD(x, v) (x) += (v);\n#define SUB(x, v) (x) -= (v);\n#define OR(x, "
                     "v) (x) |= (v);\n"
                     "#define AND(x, v) (x) &= (v);\n#define XOR(x, v) (x) ^= (v);\n#define INC(x, "
                     "v) (x) += 1;\n"
                     "#define MAX(x, v) if ((x) < (v)) (x) = (v);\n#define MIN(x, v) if ((x) > "
                     "(v)) (x) = (v);\n"
                     "static int min(int a, int b) { return a < b ? a : b; }\n"
                     "static int max(int a, int b) { return a > b ? a : b; }\n"
                     "static int clamp(int a, int low, int high) { return a < low ? low : a > high "
                     "? high : a; }\n"
                     "static float from_half(ushort h) { float f = 1; uint e = h >> 10 & 31;\n"
                     "  if (!e) return 0; for (; e > 15; e--) f *= 2; for (; e < 15; e++) f /= 2;\n"
                     "  return f * (1 + (h & 1023) / 1024.0f); }\n"
                     "static ushort to_half(float f) { uint e = 15; if (f < 1) return 0; for (; f "
                     ">= 2; e++) f /= 2;\n"
                     "  return e << 10 | (uint)((f - 1) * 1024); }\n"
                     "#define HALF(k, p) from_half(M((p)[k]))\n"
                     "#define PUT_HALF(v, k, p) M((p)[k]) = to_half(v);\n"
                     "#define get_global_id(d) (it->global[d])\n#define get_local_id(d) "
                     "(it->local[d])\n"
                     "#define get_group_id(d) (it->group[d])\n#define get_global_offset(d) "
                     "(it->offset[d])\n"
                     "#define get_global_size(d) (it->global_size[d])\n#define get_local_size(d) "
                     "(it->local_size[d])\n"
                     "#define get_enqueued_local_size(d) (it->enqueued[d])\n#define "
                     "get_num_groups(d) (it->groups[d])\n" IN_BOTH;

const char memory_for_device[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#define CONSTANT constant\n"
    "#define GLOBAL global\n"
    "#define LOCAL(k, T, name, n) local T name[n];\n"
    "#define LOCAL2(k, T, name, n, m) local T name[n][m];\n"
    "#define BARRIER(f) barrier(f);\n"
    "#define M(x) (x)\n"
    "#define S(v, k) (v).s##k\n"
    "#define MAKE2(T, a, b) (T##2)(a, b)\n"
    "#define MAKE3(T, a, b, c) (T##3)(a, b, c)\n"
    "#define MAKE4(T, a, b, c, d) (T##4)(a, b, c, d)\n"
    "#define VLOAD(n, T, p) vload##n(0, p)\n"
    "#define VSTORE(n, T, v, p) vstore##n(v, 0, p);\n"
    "#define ADD(x, v) atomic_add(&(x), v);\n#define SUB(x, v) atomic_sub(&(x), v);\n"
    "#define OR(x, v) atomic_or(&(x), v);\n#define AND(x, v) atomic_and(&(x), v);\n"
    "#define XOR(x, v) atomic_xor(&(x), v);\n#define INC(x, v) atomic_inc(&(x));\n"
    "#define MAX(x, v) atomic_max(&(x), v);\n#define MIN(x, v) atomic_min(&(x), v);\n"
    "#define HALF(k, p) vload_half(k, p)\n"
    "#define PUT_HALF(v, k, p) vstore_half(v, k, p);\n" IN_BOTH;
