/* What the work-items of a group hand each other by local memory, with barriers around it. */
#include "memory/maker.h"

static const char *element_type(struct maker *m) {
  static const char *const types[] = {"uint", "uint", "int", "uchar", "ushort", "ulong", "short"};
  return types[pick(m, 7)];
}

static unsigned group_size(struct maker *m) {
  const struct shape *s = &m->kernel->shape;
  return (unsigned)(s->local[0] * s->local[1]);
}

static void fill_own(struct maker *m, unsigned k, const char *type, unsigned before) {
  if (one_in(m, 2)) {
    struct number at = at_most(m, any_index(m, 1), 2048);
    put(m, "l%u[ll + %u] = (%s)(M(b1[%s]) + X);\n", k, before, type, at.text);
  } else {
    put(m, "l%u[ll + %u] = (%s)X;\n", k, before, type);
  }
}

static void exchange(struct maker *m, unsigned k) {
  unsigned n = group_size(m), kind = pick(m, 6), by = 1 + pick(m, 20);
  if (kind == 0) put(m, "X += (uint)l%u[%u - ll];\n", k, n - 1);
  if (kind == 1) put(m, "X ^= (uint)l%u[(ll + %u) %% %u];\n", k, by, n);
  if (kind == 2) put(m, "X += (uint)l%u[min((int)(ll ^ 1), %u)];\n", k, n - 1);
  if (kind == 3) put(m, "X = X * 3u + (uint)l%u[%u];\n", k, by % n);
  if (kind == 4) put(m, "Y += (uint)l%u[X %% %uu];\n", k, n);
  if (kind == 5)
    put(m, "for (int w = 0; w < %u; w++) X = X * 5u + (uint)l%u[(ll * %u + w) %% %u];\n", 1 + by, k,
        by, n);
}

static void halo(struct maker *m, unsigned k) {
  unsigned n = group_size(m);
  const char *type = element_type(m);
  put(m, "LOCAL(%u, %s, l%u, %u)\n", k, type, k, n + 2);
  fill_own(m, k, type, 1);
  put(m, "if (ll == 0) l%u[0] = (%s)Y;\nif (ll == %u) l%u[%u] = (%s)7;\n", k, type, n - 1, k, n + 1,
      type);
  put(m, "BARRIER(CLK_LOCAL_MEM_FENCE)\nX += (uint)l%u[ll] * 3u + (uint)l%u[ll + 2];\n", k, k);
}

static void transpose(struct maker *m, unsigned k) {
  const struct shape *s = &m->kernel->shape;
  unsigned w = (unsigned)s->local[0], h = (unsigned)s->local[1], more = pick(m, 2);
  const char *type = element_type(m);
  struct number at = at_most(m, any_index(m, 1), 2048);
  put(m, "LOCAL2(%u, %s, l%u, %u, %u)\nl%u[ly][lx] = (%s)(M(b1[%s]) * 3 + X);\n", k, type, k, h,
      w + more, k, type, at.text);
  put(m, "BARRIER(CLK_LOCAL_MEM_FENCE)\n");
  if (w == h)
    put(m, "X ^= (uint)l%u[lx][ly];\n", k);
  else
    put(m, "X ^= (uint)l%u[(lx * %u + ly) / %u][(lx * %u + ly) %% %u];\n", k, h, w, h, w);
}

static void histogram(struct maker *m, unsigned k) {
  unsigned n = group_size(m), bins = 1 + pick(m, 70), trips = 1 + pick(m, 5);
  put(m, "LOCAL(%u, uint, l%u, %u)\nfor (uint w = ll; w < %u; w += %u) l%u[w] = 0;\n", k, k, bins,
      bins, n, k);
  put(m, "BARRIER(CLK_LOCAL_MEM_FENCE)\n");
  put(m, "for (uint w = 0; w < %u; w++) { ADD(l%u[(X >> w) %% %uu], 1) }\n", trips, k, bins);
  put(m, "BARRIER(CLK_LOCAL_MEM_FENCE)\n");
  put(m, "for (uint w = ll; w < %u; w += %u) { ADD(M(h0[w]), l%u[w]) }\n", bins, n, k);
}

static void tree(struct maker *m, unsigned k) {
  unsigned n = group_size(m), half = 1;
  while (2 * half < n) half *= 2;
  put(m, "LOCAL(%u, uint, l%u, %u)\nl%u[ll] = X;\nBARRIER(CLK_LOCAL_MEM_FENCE)\n", k, k, n, k);
  put(m,
      "for (uint s = %u; s > 0; s >>= 1) {\nif (ll < s && ll + s < %u) l%u[ll] += l%u[ll + s];\n",
      half, n, k, k);
  put(m, "BARRIER(CLK_LOCAL_MEM_FENCE)\n}\nY += l%u[0];\n", k);
}

static void tiles(struct maker *m, unsigned k) {
  unsigned n = group_size(m), turns = 1 + pick(m, 4), most = n < 16 ? n : 16;
  put(m, "LOCAL(%u, ushort, l%u, %u)\nfor (int t = 0; t < %u; t++) {\n", k, k, n, turns);
  put(m, "l%u[ll] = M(b1[t * %u + ll]) * 3;\nBARRIER(CLK_LOCAL_MEM_FENCE)\n", k, n);
  put(m,
      "for (int w = 0; w < %u; w++) X = X * 3u + l%u[w] * (Y & "
      "255u);\nBARRIER(CLK_LOCAL_MEM_FENCE)\n}\n",
      most, k);
}

static void scan(struct maker *m, unsigned k) {
  unsigned n = group_size(m);
  put(m, "LOCAL(%u, uint, l%u, %u)\nl%u[ll] = X & 1023u;\nBARRIER(CLK_LOCAL_MEM_FENCE)\n", k, k, n,
      k);
  put(m, "for (uint s = 1; s < %u; s *= 2) {\nuint v = ll >= s ? l%u[ll - s] : 0u;\n", n, k);
  put(m,
      "BARRIER(CLK_LOCAL_MEM_FENCE)\nl%u[ll] += v;\nBARRIER(CLK_LOCAL_MEM_FENCE)\n}\nX += "
      "l%u[ll];\n",
      k, k);
}

static void by_one(struct maker *m, unsigned k) {
  unsigned n = 1 + pick(m, 30), one = pick(m, group_size(m));
  const char *type = element_type(m);
  put(m,
      "LOCAL(%u, %s, l%u, %u)\nif (ll == %u) for (int w = 0; w < %u; w++) l%u[w] = (%s)(M(b1[w]) * "
      "w);\n",
      k, type, k, n, one, n, k, type);
  put(m, "BARRIER(CLK_LOCAL_MEM_FENCE)\nX += (uint)l%u[X %% %uu];\n", k, n);
}

/* An array that later statements read too, so it is never left out. */
static void filled(struct maker *m, unsigned k) {
  char name[8];
  const char *type = element_type(m);
  put(m, "LOCAL(%u, %s, l%u, %u)\n", k, type, k, group_size(m));
  fill_own(m, k, type, 0);
  put(m, "BARRIER(CLK_LOCAL_MEM_FENCE)\n");
  snprintf(name, sizeof name, "l%u", k);
  add_near(m, name, group_size(m));
}

void put_local(struct maker *m) {
  static void (*const kinds[])(struct maker *, unsigned) = {exchange, halo,  transpose, histogram,
                                                            tree,     tiles, scan,      by_one};
  unsigned kind = pick(m, 8), k = m->tiles++;
  if (kinds[kind] == exchange) filled(m, k);
  FILE *file = begin_statement(m);
  kinds[kind](m, k);
  m->file = file;
}
