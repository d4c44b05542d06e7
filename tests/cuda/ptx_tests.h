/* Kernels, and what their PTX is to say: read by ptx.c alone. */
#ifndef TESTS_CUDA_PTX_TESTS_H
#define TESTS_CUDA_PTX_TESTS_H

/* PTX that says `word` so often, at least and at most. */
struct expected {
  const char *word;
  unsigned least, most;
};
enum { ANY = ~0u };

static const struct test {
  const char *name, *source;
  struct expected expected[8];
} tests[] = {
    /* behind a name may stand options: else the last groups may be smaller than others */
    /* A collective meets once, hands on in shared memory, and keeps nothing in memory of its own.
     */
    {"reduce",
     "kernel void k(global int *p) { p[get_global_id(0)] = "
     "work_group_reduce_add(p[get_local_id(0)]); }",
     {{"bar.sync", 1, 1},
      {"redux.sync.add", 1, 2},
      {".local", 0, 0},
      {"call", 0, 0},
      {"ld.global", 1, 1}}},
    {"scan",
     "kernel void k(global int *p) { p[get_global_id(0)] = "
     "work_group_scan_inclusive_add(p[get_local_id(0)]); }",
     {{"bar.sync", 1, 1}, {"shfl.sync.up", 5, 5}, {".local", 0, 0}, {"call", 0, 0}}},
    {"vote",
     "kernel void k(global int *p) { p[get_global_id(0)] = work_group_any(p[get_local_id(0)] == "
     "3); }",
     {{"bar.red.or", 1, 1}, {"bar.sync", 0, 0}, {"mpl_scratch", 0, 0}}},
    {"broadcast",
     "kernel void k(global float *p) { p[get_global_id(0)] = "
     "work_group_broadcast(p[get_local_id(0)], 5); }",
     {{"bar.sync", 1, 1}, {"@p st.shared.b32", 1, 1}, {"bra", 0, 0}, {"bar.warp.sync", 0, 0}}},
    /* A float sum's second meeting is where one sub-group combines for all: what all have stored, or
     * what 16 or more have summed up. */
    {"float",
     "kernel void k(global float *p) { p[get_global_id(0)] = "
     "work_group_reduce_add(p[get_local_id(0)]); }",
     {{"bar.sync", 4, 4},
      {"shfl.sync.down", 5, 5},
      {"shfl.sync.bfly", 6, ANY},
      {"mpl_stage", 1, ANY},
      {".local", 0, 0}}},
    /* Known to be small: nothing is stored but what sub-groups have summed up. */
    {"float_small",
     "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global float *p) {\n"
     "  p[get_global_id(0)] = work_group_reduce_add(p[get_local_id(0)]); }",
     {{"bar.sync", 1, ANY}, {".local", 0, 0}}},
    /* An exclusive scan takes the steps of an inclusive one. */
    {"scan_steps",
     "kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k(global float *p) {\n"
     "  p[get_global_id(0)] = work_group_scan_exclusive_add(p[get_local_id(0)]); }",
     {{"shfl.sync.up", 5, 10}, {".local", 0, 0}}},
    /* Lanes that leave a loop one after another are gathered in front of what they do together. */
    {"gathered",
     "kernel void k(global int *p) { size_t i = get_global_id(0); int n = p[i];\n"
     "  while (p[n] != 7) n += p[n]; p[i] = sub_group_reduce_max(n) + work_group_reduce_add(n); }",
     {{"bar.warp.sync", 2, 2},
      {"bar.warp.sync \t-1", 0, 0},
      {"%lanemask_le", 1, ANY},
      {"%lanemask_gt", 1, ANY}}},
    /* A byte of a half is not stored out of the register that a conversion has filled. */
    {"half_bytes",
     "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
     "kernel void k(global uchar *p, global const float *x) { size_t i = get_global_id(0);\n"
     "  ushort b = as_ushort((half)x[i]); p[2 * i] = b; p[2 * i + 1] = b >> 8; }",
     {{"cvt.rn.f16.f32", 1, 1}, {", {%rs", 1, 1}}},
    /* A sub-group needs nobody else. */
    {"sub_group",
     "kernel void k(global int *p) { int x = p[get_global_id(0)];\n"
     "  p[get_global_id(0)] = sub_group_reduce_add(x) + sub_group_scan_exclusive_max(x); }",
     {{"bar.sync", 0, 0},
      {"redux.sync.add", 1, 1},
      {"shfl.sync.up", 6, 6},
      {"mpl_scratch", 0, 0},
      {".local", 0, 0}}},
    /* Where lanes come to it together nobody votes; a branch that parts them is a vote of those
     * that come to it; one that does not is none. */
    {"together",
     "kernel void k(global int *p, int n) { int x = p[get_global_id(0)];\n"
     "  for (int i = 1; i < n; i *= 2) x += sub_group_shuffle_xor(x, i);\n"
     "  p[get_global_id(0)] = sub_group_non_uniform_reduce_max(x); }",
     {{"vote", 0, 0}, {"shfl.sync.idx", 1, ANY}, {"redux.sync.max", 1, 1}, {".local", 0, 0}}},
    {"parts",
     "kernel void k(global int *p, int n) { size_t i = get_global_id(0); int x = p[i];\n"
     "  if (n) x += 5; else x += sub_group_non_uniform_any(x == n);\n"
     "  if (x & 1) x = sub_group_non_uniform_reduce_add(x);\n"
     "  else x = sub_group_ballot(x > 7).x;\n"
     "  p[i] = x + sub_group_elect(); }",
     {{"vote.sync.ballot", 3, 3},
      {"vote.sync.any", 1, 1},
      {"redux.sync.add", 1, 1},
      {"activemask", 0, 0}}},
    /* A loop that lanes leave one after another has a vote in each round, and one in front of it.
     */
    {"rounds",
     "kernel void k(global int *p) { size_t i = get_global_id(0); int n = p[i], x = 0;\n"
     "  while (x < n) x += sub_group_non_uniform_reduce_min(n); p[i] = x; }",
     {{"vote.sync.ballot", 2, 2}, {"redux.sync.min", 1, 1}, {"activemask", 0, 0}}},
    /* A meeting costs, and there is none where lanes cannot have come apart. */
    {"no_meeting",
     "kernel void k(global int *p, int n) { int x = p[get_global_id(0)];\n"
     "  _Pragma(\"nounroll\") for (int i = 0; i < n; i++) x = work_group_reduce_add(x) + "
     "sub_group_broadcast(x, 3);\n"
     "  p[get_global_id(0)] = x; }",
     {{"bar.warp.sync", 1, 1}, {"bar.sync", 1, 1}, {"shfl.sync.idx", 1, ANY}}},
    /* A loop that all run equally often: four iterations in a row, whose halves of the scratch
     * memory are known, and a loop for the rest, which asks.  No more of what is large. */
    {"unrolled",
     "kernel void k(global int *p, int n) { int x = p[get_global_id(0)];\n"
     "  for (int i = 0; i < n; i++) x = work_group_broadcast(x, i & 63) + 1;\n"
     "  p[get_global_id(0)] = x; }",
     {{"bar.sync", 5, 5},
      {"ld.shared.u32 \t%r", 5, 5},
      {", [mpl_scratch", 4, 4},
      {"xor.b32", 1, 1}}},
    {"unrolled_barriers",
     "kernel void k(global int *p, local int *l, int n) { size_t i = get_local_id(0); int x = "
     "p[i];\n"
     "  for (int k = 0; k < n; k++) {\n"
     "    l[i] = x; barrier(CLK_LOCAL_MEM_FENCE); x += l[i ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
     "  p[i] = x; }",
     {{"bar.sync", 10, 10}}},
    {"unrolled_inner",
     "kernel void k(global int *p, int n) { int x = p[get_global_id(0)];\n"
     "  for (int i = 0; i < n; i++) for (int k = i; k < n; k++) x = work_group_any(x == k);\n"
     "  p[get_global_id(0)] = x; }",
     {{"bar.red.or", 5, 5}}},
    {"not_unrolled",
     "kernel void k(global int *p, global int *q) { size_t i = get_global_id(0); int x = p[i], n = "
     "q[i];\n"
     "  for (int k = 0; k < n; k++) x = sub_group_non_uniform_reduce_max(x + k);\n"
     "  p[i] = x; }",
     {{"redux.sync.max", 1, 1}}},
    {"too_large",
     "kernel void k(global float *p, int n) { float x = p[get_global_id(0)], y = x;\n"
     "  for (int i = 0; i < n; i++) { x = work_group_reduce_add(x); y = work_group_reduce_mul(x + "
     "y);\n"
     "    x = work_group_reduce_mul(x); y = work_group_reduce_add(y); }\n"
     "  p[get_global_id(0)] = x + y; }",
     {{"bar.sync", 16, 16}}},
    /* Loops count down to zero in 32 bits and branch back, and what an address moves by is a product
     * that the processor adds. */
    {"counts_down",
     "kernel void k(global float *a, global float *b, int n) { float sum = 0; int x = "
     "get_global_id(0);\n"
     "  for (int i = 0; i < n; i++) sum += a[i * n + x] * b[i]; b[x] = sum; }",
     {{"setp.ne.s32", 2, 2}, {"bra.uni", 0, 0}, {", 32;", 1, 1}, {"shl.b64", 0, 2}}},
    /* A counter that begins anywhere: addresses move on too, and are not products of each iteration. */
    {"begins_anywhere",
     "kernel void k(global const int *rows, global const int *cols, global const float *values,\n"
     "              global const float *x, global float *y) { int row = get_global_id(0); float sum = 0;\n"
     "  for (int i = rows[row]; i < rows[row + 1]; i++) sum += values[i] * x[cols[i]]; y[row] = sum; }",
     {{"mul.wide.s32", 9, 12}, {"add.s32", 2, 2}}},
    /* A vector is one access, whichever of its elements are used, and where. */
    {"whole_vectors",
     "kernel void k(constant float4 *p, global float *out, int n) { float sum = 0;\n"
     "  for (int i = 0; i < n; i++) { float4 v = p[i]; float r = v.x * v.x + v.y * v.y + v.z;\n"
     "    if (r < out[1]) sum += v.w * rsqrt(r); } out[2] = sum; }",
     {{"ld.global.nc.v4.f32", 2, ANY}, {"ld.global.nc.f32", 0, 0}, {"ld.global.nc.v2.f32", 0, 0}}},
    {"sums_of_vectors",
     "kernel void k(global const float8 *p, global float *out) {\n"
     "  size_t at = get_group_id(0) * get_local_size(0) * 16 + get_local_id(0); float8 s = 0;\n"
     "  for (int i = 0; i < 16; i++) { s += p[at]; at += get_local_size(0); }\n"
     "  out[get_global_id(0)] = s.s0 + s.s1 + s.s2 + s.s3 + s.s4 + s.s5 + s.s6 + s.s7; }",
     {{"ld.global.v4.f32", 32, 32}, {"ld.global.f32", 0, 0}, {"ld.global.v2.f32", 0, 0}}},
    {"mad",
     "kernel void k(global uint *p, uint x) { uint y = get_local_id(0);\n"
     "  x = y * x + y; y = x * y + x; x = y * x + y; y = x * y + x; *p = y; }",
     {{"mad.lo.s32", 4, 4}, {"add.s32", 0, 0}}},
    {"straight",
     "kernel void k(global const uchar *w, global const float *x, global float *out, int n) {\n"
     "  float sum = 0; for (int b = 0; b < n; b++) { float part = 0; for (int k = 0; k < 16; k++) {\n"
     "    part += ((w[b * 18 + k] & 15) - 8) * x[b * 32 + k];\n"
     "    part += ((w[b * 18 + k] >> 4) - 8) * x[b * 32 + 16 + k]; } sum += part; } *out = sum; }",
     {{"ld.global.u32", 5, 5}, {"ld.global.u8", 0, 0}}},
    /* What each copy of a loop knows is not counted against its length: of the four ways of an
     * iteration one is left, and the array's places are known. */
    {"unrolled_ways",
     "kernel void k(global uint *p) { uint w[16], a = p[0], b = p[1], c = p[2], d = p[3];\n"
     "  size_t i = get_global_id(0);\n"
     "  for (int k = 0; k < 16; k++) w[k] = p[i * 16 + k];\n"
     "  for (int k = 0; k < 64; k++) { uint f, from;\n"
     "    if (k < 16) f = (b & c) | (~b & d), from = k;\n"
     "    else if (k < 32) f = (d & b) | (~d & c), from = (5 * k + 1) & 15;\n"
     "    else if (k < 48) f = b ^ c ^ d, from = (3 * k + 5) & 15;\n"
     "    else f = c ^ (b | ~d), from = (7 * k) & 15;\n"
     "    uint next = b + rotate(a + f + w[from] + p[k + 4] + (uint)k, 7u); a = d, d = c, c = b, b = next; }\n"
     "  p[i] = a ^ b ^ c ^ d; }",
     {{".local", 0, 0}, {"bra", 0, 0}}},
    /* No loop is left of one that runs a few times, or is wanted so; nor memory of arrays. */
    {"unrolled_whole",
     "kernel __attribute__((intel_reqd_sub_group_size(32))) void k(global int *p) {\n"
     "  size_t i = get_global_id(0); uint v[16];\n"
     "  __attribute__((opencl_unroll_hint)) for (int k = 0; k < 16; k++) {\n"
     "    uint same = ~0u; for (int b = 0; b < 8; b++) {\n"
     "      uint votes = sub_group_ballot(p[i + k * 64] >> b & 1).x; same &= votes ^ k; }\n"
     "    v[k] = same; }\n"
     "  for (int k = 0; k < 16; k++) p[i + k * 64] = v[15 - k]; }",
     {{"vote.sync.ballot", 128, 128}, {".local", 0, 0}, {"bra", 0, 0}}},
    /* A loop that the program wants unrolled asks once for four iterations, and another does the rest,
     * though how often it runs is loaded. */
    {"unrolled_rows",
     "kernel void k(global const int *row, global const int *at, global const float *v,\n"
     "              global const float *x, global float *y) {\n"
     "  int i = get_global_id(0); float s = 0;\n"
     "  __attribute__((opencl_unroll_hint(4)))\n"
     "  for (int k = row[i]; k < row[i + 1]; k++) s += v[k] * x[at[k]];\n"
     "  y[i] = s; }",
     {{"ld.global.f32", 10, 10}, {"ld.global.u32", 7, 7}, {"setp", 5, 6}}},
    /* Four iterations wait for memory together, also where it takes a division to count them; not if
     * there is nothing to wait for. */
    {"unrolled_steps",
     "kernel void k(global const float *a, global float *out, int n) {\n"
     "  int l = get_local_id(0), size = get_local_size(0); float s = 0;\n"
     "  for (int c = l; c < n; c += size) s += a[c] * a[c];\n"
     "  out[l] = s; }",
     {{"ld.global.f32", 5, 5}, {"div.u32", 1, 1}}},
    {"no_loads",
     "kernel void k(global float *out, int n) {\n"
     "  int l = get_local_id(0), size = get_local_size(0); float s = l;\n"
     "  for (int c = l; c < n; c += size) s = s * s + 1;\n"
     "  out[l] = s; }",
     {{"fma.rn.f32", 1, 1}, {"div.u32", 0, 0}}},
    /* The square of the test is the next iteration's. */
    {"square",
     "kernel void k(global float *p, int n) {\n"
     "  float a = p[0], b = p[1], x = 0, y = 0; int i;\n"
     "  for (i = 0; i < n && x * x + y * y < 4; i++) {\n"
     "    float t = x * x - y * y + a; y = 2 * x * y + b; x = t; }\n"
     "  p[get_global_id(0)] = i; }",
     {{"mul.rn.f32", 1, 1}, {"fma.rn.f32", 3, 3}}},
    /* Sums of doubles, by matrices where the processor has units for them, as this one. */
    {"matrices",
     "kernel void k(global double *p) { p[get_global_id(0)] = "
     "work_group_reduce_add(p[get_local_id(0)]); }",
     {{"mma.sync", 6, ANY}, {".local", 0, 0}, {"call", 0, 0}}},
    /* Of full sub-groups, where they are together, it is known who is active. */
    {"full -cl-uniform-work-group-size",
     "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global uint *p) {\n"
     "  size_t i = get_global_id(0); p[i] = sub_group_ballot(p[i] & 1).x; }",
     {{"%lanemask", 0, 0}, {", -1;", 1, 1}, {"ntid", 0, 0}}},
    {"perhaps_full",
     "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global uint *p) {\n"
     "  size_t i = get_global_id(0); p[i] = sub_group_ballot(p[i] & 1).x; }",
     {{"%lanemask", 1, ANY}, {"ntid", 1, ANY}, {"vote.sync.ballot", 1, 1}}},
    /* Small sub-groups are parts of the 32 lanes.  Where all come to a call, all wait, and segments
     * keep them apart; votes come without the others'. */
    {"narrow",
     "kernel __attribute__((intel_reqd_sub_group_size(16))) void k(global int *p) {\n"
     "  size_t i = get_global_id(0); int x = p[i]; x += sub_group_reduce_add(x);\n"
     "  x += sub_group_broadcast(x, 3); p[i] = x + sub_group_any(x & 1); }",
     {{"redux", 0, 0},
      {"shfl.sync.down", 4, 4},
      {"shfl.sync.idx", 2, 2},
      {", 4127, -1;", 2, 2},
      {"vote.sync.ballot", 1, 1},
      {"bar.warp.sync", 0, 0}}},
    /* Not where only some of the sub-groups come, and not where one may wait for another: then the
     * sub-group's own do. */
    {"narrow_apart",
     "kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int *p) {\n"
     "  size_t i = get_global_id(0); int x = p[i];\n"
     "  if (get_sub_group_id() & 1) x += sub_group_reduce_add(x); p[i] = x; }",
     {{"shfl.sync.down", 3, 3}, {", 6175, -1;", 0, 0}, {", 6175, %r", 1, 1}, {"%laneid", 1, ANY}}},
    {"narrow_waits",
     "kernel __attribute__((intel_reqd_sub_group_size(16))) void k(global int *p, global atomic_int *f) {\n"
     "  size_t i = get_global_id(0); int x = p[i];\n"
     "  while (get_sub_group_id() && !atomic_load(f)); p[i] = sub_group_broadcast(x, 3);\n"
     "  if (!get_sub_group_id()) atomic_store(f, 1); }",
     {{", 4127, -1;", 0, 0}, {", 4127, %r", 1, 1}, {"bar.warp.sync", 1, 1}}},
    /* Behind what a part does alone all 32 meet in front of a barrier, which is theirs: parts that come to it one
     * after another were an illegal instruction on an H200. */
    {"narrow_barriers",
     "kernel __attribute__((intel_reqd_sub_group_size(16))) void k(global int *p, global atomic_int *f) {\n"
     "  size_t i = get_global_id(0); int x = p[i];\n"
     "  while (get_sub_group_id() && !atomic_load(f));\n"
     "  x += sub_group_broadcast(x, 3); barrier(CLK_GLOBAL_MEM_FENCE);\n"
     "  x += sub_group_broadcast(x, 5); p[i] = work_group_any(x == 3); }",
     {{"bar.warp.sync", 3, 3}, {"bar.sync", 1, 1}, {"bar.red", 1, 1}}},
    /* Functions of the work-group are made of all 32 lanes, whatever sub-groups are. */
    {"narrow_group",
     "kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int *p) {\n"
     "  size_t i = get_global_id(0); p[i] = work_group_reduce_add(p[i]); }",
     {{"redux.sync.add.s32", 2, ANY}, {"shfl", 0, 0}, {"%laneid", 0, 0}}},
    /* A function has the size of each kernel that calls it. */
    {"narrow_and_wide",
     "__attribute__((noinline)) float f(float x) { return sub_group_reduce_add(x); }\n"
     "#define K(N, S) kernel __attribute__((intel_reqd_sub_group_size(S))) void N(global float *p) { \\\n"
     "  size_t i = get_global_id(0); p[i] = f(p[i]); }\n"
     "K(a, 8) K(b, 16) K(c, 32)",
     {{"shfl.sync.down", 12, 12}, {"call", 0, 0}, {", 31, -1;", 1, 1}, {", 4127, -1;", 1, 1},
      {", 6175, -1;", 1, 1}}},
    {"narrow_full -cl-uniform-work-group-size",
     "kernel __attribute__((intel_reqd_sub_group_size(16), reqd_work_group_size(48, 1, 1)))\n"
     "void k(global uint *p) { size_t i = get_global_id(0); p[i] = sub_group_ballot(p[i] & 1).x; }",
     {{"%lanemask", 0, 0}, {", -1;", 1, 1}, {"ntid", 0, 0}}},
    /* Nothing that was read before a barrier is known behind it. */
    {"lanes_barrier",
     "kernel void k(global int *p, local int *l) { size_t i = get_global_id(0); int a = l[0];\n"
     "  sub_group_barrier(CLK_LOCAL_MEM_FENCE); if (get_sub_group_local_id() == 0) l[0] = p[i];\n"
     "  sub_group_barrier(CLK_LOCAL_MEM_FENCE); p[i] = a + l[0]; }",
     {{"ld.shared", 2, 2}, {"bar.warp.sync -1", 2, 2}}},
    /* What is printed goes to memory of the host's, in one step for its place. */
    {"print",
     "kernel void k(int n, float4 v) { if (get_global_id(0) == 3) printf(\"%d %v4f %s\\n\", n, v, "
     "\"text\"); }",
     {{"atom", 1, 1}, {"call", 0, 0}, {".local", 0, 0}}},
    /* Those that may print are told from the others, in the last number of their sizes. */
    {"who_prints",
     "void say(int n) { if (n > 7) printf(\"%d\", n); } void tell(int n) { say(n + 1); }\n"
     "kernel void a(global int *p) { p[0] = 1; } kernel void b(global int *p) { tell(p[0]); }\n"
     "kernel void c(global int *p) { b(p); } kernel void d(global int *p) { a(p); }",
     {{"//mpl sizes 8 0 0 0 0 0 0 0 0 0 6", 2, 2}, {"//mpl sizes 8 0 0 0 0 0 0 0 0 0 2", 2, 2}}},
    /* What is aligned is read at once, of what is not the words that hold it; it is written byte by byte. */
    {"vectors",
     "kernel void k(global int4 *p, global char *q) { size_t i = get_global_id(0);\n"
     "  p[i] = p[i + 1] * 3; vstore16(vload16(i, q + 1), i, q + 3); }",
     {{"ld.global.v4.u32", 1, 1},
      {"st.global.v4.u32", 1, 1},
      {"ld.global.u32", 5, 7},
      {"ld.global.u8", 0, 0},
      {"st.global.u8", 16, 16}}},
    /* Bytes side by side are not, if one is written between them, or if they are fewer than a word. */
    {"rows_of_bytes",
     "kernel void k(global const char *a, global int *p, int n) { int row = get_global_id(0), sum = 0;\n"
     "  for (int k = 0; k < n; k++) sum += a[row * n + k]; p[row] = sum; }",
     {{"ld.global.u32", 3, 3}, {"ld.global.s8", 1, 1}}},
    {"written_bytes",
     "kernel void k(global uchar *a) { size_t i = get_global_id(0) * 9; uint s = a[i] + a[i + 1] + a[i + 2];\n"
     "  a[i + 8] = s; s += a[i + 3] * a[i + 4] * a[i + 5]; a[i + 7] = s; }",
     {{"ld.global.u8", 6, 6}, {"ld.global.u32", 0, 0}}},
    /* Where the two places are apart, bytes of a row that is read and written in turns are words; words
     * are not loaded sooner, nor bytes that lie apart. */
    {"bytes_between",
     "kernel void k(global const uchar *a, global short *b, int n) {\n"
     "  int row = get_global_id(0), sum = 0;\n"
     "  for (int k = 0; k < n; k++) b[row * n + k] = sum = sum * 3 + a[row * n + k]; }",
     {{"ld.global.u32", 2, 2}, {"ld.global.u8", 6, 6}, {"st.global.u16", 10, 10}, {"setp.lt.u64", 2, 2}}},
    {"words_between",
     "kernel void k(global const int *a, global short *b, global const uchar *c, int n) {\n"
     "  int row = get_global_id(0), sum = 0;\n"
     "  for (int k = 0; k < n; k++) b[row * n + k] = sum = sum * 3 + a[row * n + k];\n"
     "  for (int k = 0; k < n; k++) b[row * n + k] = sum = sum * 3 + c[k * n + row]; }",
     {{"ld.global.u32", 5, 5}, {"ld.global.u8", 5, 5}, {"st.global.u16", 10, 10}, {"setp.lt.u64", 0, 0}}},
    /* Taken out of a word and converted in one, a byte takes four times as long. */
    {"bytes_of_words",
     "kernel void k(global const uint *p, global float4 *q) { uint i = get_global_id(0), x = p[i];\n"
     "  q[i] = (float4)(x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24) * (1.0f / 255); }",
     {{"prmt.b32", 4, 4}, {"fma.rn.f32", 4, 4}, {"cvt.rn.f32.u", 0, 0}, {"mul.rn.f32", 0, 0}}},
    {"bytes_of_vectors",
     "kernel void k(global const char4 *p, global const ushort8 *r, global float4 *q, global float8 *s) {\n"
     "  uint i = get_global_id(0); q[i] = convert_float4(p[i]); s[i] = convert_float8(r[i]); }",
     {{"prmt.b32", 12, 12}, {"xor.b32", 1, 4}, {"cvt.rn.f32.u", 0, 0}, {"cvt.rn.f32.s", 0, 0}}},
    {"bytes_alone",
     "kernel void k(global const uchar *p, global const short *r, global float *q) {\n"
     "  uint i = get_global_id(0); q[i] = p[i]; q[i + 9] = r[i]; }",
     {{"prmt.b32", 0, 0}, {"cvt.rn.f32.u16", 1, 1}, {"cvt.rn.f32.s16", 0, 0}}},
    /* What lies between known limits is rounded and converted by a sum. */
    {"to_bytes",
     "kernel void k(global uchar4 *p, global char4 *r, global const float4 *q, global uchar *s) {\n"
     "  uint i = get_global_id(0); p[i] = convert_uchar4_sat_rte(q[i] * 255.0f);\n"
     "  r[i] = convert_char4_sat_rte(q[i]); s[i] = clamp(q[i].x, 0.0f, 255.0f); }",
     {{"cvt.r", 0, 0}, {"add.rn.f32", 8, 8}, {"add.rz.f32", 1, 1}}},
    /* As programs for NVIDIA's OpenCL write it. */
    {"assembly",
     "float add(volatile global float *p, float x) { float old = 0; asm volatile("
     "\"atom.global.add.f32 %0, [%1], %2;\" : \"=f\"(old) : \"l\"(p), \"f\"(x)); return old; }\n"
     "kernel void k(global float *p, global uint *q) { uint lane; asm(\"mov.u32 %0, %%laneid;\" : \"=r\""
     "(lane)); q[get_global_id(0)] = lane; add(p, 2); }",
     {{"atom.global.add.f32", 1, 1}, {"%laneid", 1, 1}}},
    {"rounded",
     "kernel void k(global int *p, global const float *q) { uint i = get_global_id(0); p[i] = rint(q[i]); }",
     {{"cvt.rni.s32.f32", 1, 1}, {"cvt.r", 1, 1}}},
    /* The sum is converted, not only what is added to. */
    {"converted",
     "kernel void k(global int *p, global int *q) { int i = get_local_id(0); q[i] = p[(char)(i * 4 "
     "+ 58)]; }",
     {{"+232]", 0, 0}, {"58", 1, ANY}}},
    /* Without the host's libm. */
    {"huge_angle",
     "kernel void k(global double *p) { size_t i = get_global_id(0); p[i] = sin(p[i]) + cos(p[i + "
     "1]) + tan(p[i + 2]); }",
     {{".extern .func", 0, 0}, {"two_over_pi", 1, ANY}}},
    /* Every kernel's entry.  How large its groups may be the run time says (cuda/specialise.c). */
    {"entries",
     "kernel void a(global int *p) { p[0] = 1; }\n"
     "kernel __attribute__((reqd_work_group_size(8, 4, 2))) void b(global int *p) { a(p); }",
     {{".visible .entry a(", 1, 1}, {".visible .entry b(", 1, 1}, {"ntid", 0, 0}}},
    /* LLVM 19 cannot select comparisons of vectors of half, which its vectorisers make again. */
    {"half",
     "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
     "kernel void k(global half2 *p, global short2 *q, global half4 *r, half16 v, global short16 "
     "*s) {\n"
     "  size_t i = get_global_id(0); q[i] = p[i] < p[i + 1]; q[i + 9] = isequal(p[i], p[i + 1]);\n"
     "  r[i] = select(r[i + 1], r[i + 2], r[i + 1] > r[i + 2]); s[i] = v != v * 2 || isless(v, v + "
     "1); }",
     {{"setp.lt.f16 ", 18, ANY},
      {"setp.eq.f16 ", 2, ANY},
      {"setp.gt.f16 ", 4, ANY},
      {"call", 0, 0},
      {".local", 0, 0}}},
    /* A half's product and sum are one instruction, however they are written. */
    {"half_mad",
     "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
     "kernel void k(global half *p, global half4 *q) { size_t i = get_global_id(0);\n"
     "  p[i] = mad(p[i + 1], p[i + 2], p[i + 3]); q[i + 9] = fma(q[i + 7], q[i + 8], q[i + 5]); }",
     {{"fma.rn.f16", 3, 5}, {"cvt.rn", 0, 0}, {"f64", 0, 0}, {"f32", 0, 0}, {"call", 0, 0}}},
    /* Signs of shorts and chars are conversions, not arithmetic of 64 bits. */
    {"signs",
     "kernel void k(global long *p) { size_t i = get_global_id(0), l = get_local_linear_id();\n"
     "  p[4 * i] = (short)(l * 3 - 188); p[4 * i + 1] = (short)(l * 3 - 185);\n"
     "  p[4 * i + 2] = (char)(l - 132); p[4 * i + 3] = (int)(l * 5 + 7); }",
     {{"shr.s64", 0, 0}, {"cvt.s64.s16", 2, 2}, {"cvt.s64.s8", 1, 1}}},
    /* A constant pointer is a global one: ld.const would read 64 KB of another memory. */
    {"constant",
     "constant int table[4] = {3, 1, 4, 1};\n"
     "kernel void k(global int *p, constant int *c, int n) {\n"
     "  constant int *from = n ? c : table; p[get_global_id(0)] = from[n] + table[n & 3]; }",
     {{"ld.const", 0, 0}, {"ld.global", 2, 2}, {".const", 0, 0}}},
    /* It is read once: nothing that the kernel writes changes it.  That a loop asks for local ids
     * does not keep it from being straight code. */
    {"taps",
     "kernel void k(global float *p, local float *l, constant float *taps) {\n"
     "  l[get_local_id(0)] = p[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (int i = 0; i < 8; i++) { float sum = 0;\n"
     "    for (int j = -8; j <= 8; j++) sum += taps[8 - j] * l[get_local_id(0) + i * 16 + j];\n"
     "    p[i * 16 + get_global_id(0)] = sum; } }",
     {{"ld.global.nc.f32", 17, 17}, {"ld.global", 18, 18}, {"ld.shared", 17, ANY}, {"bra", 0, 1}}},
    /* A column of a filter: eight times 17 places, of which 73 differ. */
    {"column",
     "kernel void k(global float *p, local float *l, constant float *taps) {\n"
     "  l[get_local_id(0)] = p[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (int i = 1; i < 9; i++) { float sum = 0;\n"
     "    for (int j = -8; j <= 8; j++) sum += taps[8 - j] * l[get_local_id(0) + i * 8 + j];\n"
     "    p[i * 8 * 256 + get_global_id(0)] = sum; } }",
     {{"ld.shared", 73, 73}, {"fma.rn.f32", 136, 136}, {"bra", 0, 0}}},
    /* The same of what is restrict and only read, however its pointer moves. */
    {"restrict",
     "kernel void k(global const int *restrict a, global int *restrict b, global const int *c, int n) {\n"
     "  global const int *end = a + n; for (; a < end; a += 3) b[get_local_id(0)] += *a + *c; }",
     {{"ld.global.nc.u32", 1, ANY}, {"ld.global.u32", 2, ANY}}},
    {"restrict_written",
     "kernel void k(global int *restrict a, global int *b, int n) {\n"
     "  for (int i = 0; i < n; i++) b[i] = a[i]; global int *at = n > 7 ? a : b; at[3] = 5; }",
     {{"ld.global.nc", 0, 0}, {"ld.global", 1, ANY}}},
    /* Local memory begins at the group's own variables; arguments are offsets behind them. */
    {"local",
     "kernel void k(global int *p, local int *l) { local int own[8]; size_t i = get_local_id(0);\n"
     "  own[i & 7] = p[i]; l[i] = p[i + 1]; barrier(CLK_LOCAL_MEM_FENCE); p[i] = own[i & 3] + l[i "
     "^ 1]; }",
     {{"st.shared", 2, 2}, {"ld.shared", 2, 2}, {"bar.sync", 1, 1}, {".extern .shared", 1, 1}}},
    /* What is addressed by an index of 32 bits in a loop is pointers that move on. */
    {"pointers",
     "kernel void k(global const float *a, global float *c, int n) {\n"
     "  int x = get_global_id(0); float sum = 0;\n"
     "  _Pragma(\"nounroll\") for (int i = 0; i < n; i++) sum += a[i * n + x];\n"
     "  c[x] = sum; }",
     {{"ld.global", 1, 1}, {"mad.lo", 0, 0}, {"mul.lo.s32", 0, 0}, {"mul.wide", 0, 2}}},
    /* An array that loops of a known length index is in registers, also where the inner loops'
     * lengths are known only then. */
    {"array",
     "kernel void k(global float *p) { size_t i = get_global_id(0); float v[16];\n"
     "  for (int k = 0; k < 16; k++) v[k] = p[i * 16 + k];\n"
     "  for (int half_of = 1; half_of < 16; half_of *= 2)\n"
     "    for (int from = 0; from < 16; from += 2 * half_of)\n"
     "      for (int k = 0; k < half_of; k++) v[from + k] += sqrt(v[from + k + half_of]);\n"
     "  for (int k = 0; k < 16; k++) p[i * 16 + k] = v[k]; }",
     {{".local", 0, 0}, {"bra", 0, 0}}},
    /* As exact as the program asks for, and the library's own divisions as they are written. */
    {"accuracy",
     "kernel void k(global float *p, global float4 *q) {\n"
     "  p[0] = p[1] / p[2]; p[3] = 1 / p[4]; p[5] = sqrt(p[6]); p[7] = rsqrt(p[8]); p[9] = p[10] / "
     "3;\n"
     "  q[5] = sqrt(q[6]) / q[7]; p[50] = tan(p[51]); p[60] = native_exp(p[61]); }",
     {{"div.full.f32", 5, 5},
      {"rcp.approx.f32", 1, 1},
      {"sqrt.approx.f32", 6, 6}, /* one of them of rsqrt */
      {"rsqrt.approx.f32", 1, 1},
      {"sqrt.rn", 0, 0},
      {"div.rn.f32", 1, 1},
      {"ex2.approx.f32", 1, 1}}},
    {"rounded -cl-fp32-correctly-rounded-divide-sqrt",
     "kernel void k(global float *p) { p[0] = p[1] / p[2]; p[3] = 1 / p[4]; p[5] = sqrt(p[6]); }",
     {{"div.rn.f32", 1, 1},
      {"rcp.rn.f32", 1, 1},
      {"sqrt.rn.f32", 1, 1},
      {"approx", 0, 0},
      {"full", 0, 0}}},
    /* A sine is one way for all lanes. */
    {"sine",
     "kernel void k(global float *p) { size_t i = get_global_id(0); p[i] = sin(p[i]) + cos(p[i]); "
     "}",
     {{"bra", 0, 4}, {"call", 0, 0}}},
    /* LLVM 19 loses the order of atomics on PTX: it is in fences. */
    {"order",
     "kernel void k(global atomic_int *p, global int *q) {\n"
     "  q[0] = atomic_fetch_add_explicit(p, 1, memory_order_acq_rel, memory_scope_device);\n"
     "  atomic_store(p, 5); q[1] = atomic_load_explicit(p, memory_order_acquire, "
     "memory_scope_device); }",
     {{"fence.acq_rel.gpu", 3, ANY}, {"fence.sc.gpu", 1, ANY}, {"atom", 1, 1}}},
    {"generic",
     "kernel void k(global int *p, local int *l, int n) { int own = n; int *q = n & 1 ? (int *)l : "
     "n & 2 ? (int *)p : &own;\n"
     "  *q = 7; p[1] = own; p[2] = to_global(q) != 0; }",
     {{"cvta", 1, ANY}, {"isspacep", 1, ANY}}},
    /* What the host gives is global, in programs too whose global pointers may hold what is local. */
    {"own_local -cl-std=c++",
     "#include <opencl_array>\n#include <opencl_memory>\n#include <opencl_work_item>\n"
     "#include <opencl_synchronization>\n"
     "cl::local<cl::array<int, 8>> own;\n"
     "struct pair { cl::global_ptr<int> a; };\n"
     "kernel void k(cl::global_ptr<int[]> p, pair two) {\n"
     "  auto i = cl::get_local_id(0); own[i] = p[i];\n"
     "  cl::work_group_barrier(cl::mem_fence::local); p[i] = own[i ^ 1]; *two.a = 1; }",
     {{"ld.global", 1, 1},
      {"st.global", 2, 2},
      {"ld.shared", 1, 1},
      {"st.shared", 1, 1},
      {"ld.u32", 0, 0},
      {"st.u32", 0, 0}}},
    /* The layout of an image is asked for in front of a loop, once for all its reads. */
    {"image_loop",
     "constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE;\n"
     "kernel void k(read_only image2d_t in, global float4 *out) {\n"
     "  int2 at = (int2)(get_global_id(0), get_global_id(1)); float4 sum = 0;\n"
     "  for (int y = -1; y <= 1; y++)\n"
     "    for (int x = -1; x <= 1; x++) sum += read_imagef(in, edge, at + (int2)(x, y));\n"
     "  out[at.y * 64 + at.x] = sum; }",
     {{"bra", 1, 24}, {"ld.global.v4.f32", 9, ANY}}},
    /* A pixel of 16 bytes is one access, and one of 8 is. */
    {"image_pixels",
     "kernel void k(read_only image1d_t in, global float4 *out) {\n"
     "  out[get_global_id(0)] = read_imagef(in, (int)get_global_id(0)); }",
     {{"ld.global.v4.f32", 1, 1}, {"ld.global.v2.u32", 1, 1}}},
};

#endif
