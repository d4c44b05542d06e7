/* Large work-groups, where a sub-group's own operation takes several steps: all work-items store
 * their operands, all meet, one sub-group combines them, all meet again.  That costs one meeting
 * more, and a fraction of the steps.
 *
 * Operands lie in one of two halves of memory of their own, as results do (group.h). */
#ifndef MPL_NVPTX_GROUP_STAGED_H
#define MPL_NVPTX_GROUP_STAGED_H

/* Bytes of a half: room for 2 KB, with 16 bytes more for each 128 (compiler/gpu/entry.c). */
enum { STAGE_ROOM = 2048, STAGE_HALF = STAGE_ROOM / 128 * 144, CHUNK = 16 };
#define STAGE(t, T) ((local T *)(__mpl_gpu_stage() + ((t)->phase ? STAGE_HALF : 0)))

NV bool is_power(uint n) { return !(n & (n - 1)); }
NV bool is_staged(const struct team *t, uint least, uint most) {
  return is_whole(t) && t->teams >= least && t->teams <= most && is_power(t->teams);
}
enum { MOST_TEAMS = 32 };
/* From how many sub-groups to how many reductions of 64 bits are staged.  Two steps of 32 bits, for
 * minima, maxima and bits, cost less than that but for four sub-groups' minima and maxima. */
#define STAGED_add 8, MOST_TEAMS
#define STAGED_min 4, 4
#define STAGED_max 4, 4
#define STAGED_and MOST_TEAMS, 0
#define STAGED_or MOST_TEAMS, 0
#define STAGED_xor MOST_TEAMS, 0

/* A chunk: 16 bytes of operands side by side.  All of it; and each with what is before it, in its
 * place, which returns what is before the next chunk. */
#define CHUNK_4(op, T) \
  NV T fold_##op##_##T(const local T *p) { return four_##op##_##T(*(const local T##4 *)p); } \
  typedef T##4 chunk_##op##_##T; \
  NV T spread_##op##_##T(local T *p, T##4 v, T before) { \
    T two = COMBINE_##op(v.x, v.y), three = COMBINE_##op(two, v.z), all = COMBINE_##op(three, v.w); \
    *(local T##4 *)p = (T##4)(before, COMBINE_##op(before, v.x), COMBINE_##op(before, two), \
                              COMBINE_##op(before, three)); \
    return COMBINE_##op(before, all); \
  }
#define CHUNK_8(op, T) \
  NV T fold_##op##_##T(const local T *p) { \
    T##2 v = *(const local T##2 *)p; \
    return COMBINE_##op(v.x, v.y); \
  } \
  typedef T##2 chunk_##op##_##T; \
  NV T spread_##op##_##T(local T *p, T##2 v, T before) { \
    T first = COMBINE_##op(before, v.x); \
    *(local T##2 *)p = (T##2)(before, first); \
    return COMBINE_##op(first, v.y); \
  }

/* Neighbours are combined first as often as there is no room for all. */
#define STAGED_REDUCE(op, T, total) \
  NV T staged_reduce_##op##_##T(const struct team *t, T x) { \
    enum { PER = CHUNK / sizeof(T), ROOM = STAGE_ROOM / sizeof(T) }; \
    local T *stage = STAGE(t, T), *own = stage + PER * t->lane; \
    uint slots = t->items, together = 0; \
    if (slots > ROOM) { \
      T y = other_##T(x, 1); \
      x = COMBINE_##op(x, y), slots /= 2, together++; \
    } \
    if (slots > ROOM) { \
      T y = other_##T(x, 2); \
      x = COMBINE_##op(x, y), slots /= 2, together++; \
    } \
    put_##T(stage + (t->id >> together), x, !(t->id & ((1u << together) - 1))); \
    meet(); \
    if (t->which == 0) { \
      T all = fold_##op##_##T(own); \
      if (slots >= 64 * PER) { \
        T more = fold_##op##_##T(own + 32 * PER); \
        all = COMBINE_##op(all, more); \
      } \
      if (slots >= 128 * PER) { \
        T a = fold_##op##_##T(own + 64 * PER), b = fold_##op##_##T(own + 96 * PER); \
        a = COMBINE_##op(a, b); \
        all = COMBINE_##op(all, a); \
      } \
      all = total(all); \
      put_##T(FINAL(t, T), all, t->lane == 0); \
    } \
    meet(); \
    return *FINAL(t, T); \
  }
#define STEPS_TOTAL(op, T) \
  NV T steps_total_##op##_##T(T x) { \
    T y = other_##T(x, 16); \
    x = COMBINE_##op(x, y), y = other_##T(x, 8); \
    x = COMBINE_##op(x, y), y = other_##T(x, 4); \
    x = COMBINE_##op(x, y), y = other_##T(x, 2); \
    x = COMBINE_##op(x, y), y = other_##T(x, 1); \
    return COMBINE_##op(x, y); \
  }

/* Pairs are stored.  A lane of the first sub-group has half as many of them side by side as there are
 * sub-groups, of which there are 8 or 16: a chunk, two or four, which are read again for their places
 * and not kept; two chunks of 64 bits while the last step, for which everyone waits, is under way. */
#define CHUNK_OF(op, T, k) *(const local chunk_##op##_##T *)(own + (k) * PER)
#define STAGED_SCAN(op, T, none) \
  NV void rake_##op##_##T(const struct team *t, local T *own) { \
    enum { PER = CHUNK / sizeof(T) }; \
    const bool large = t->teams == 16, two = sizeof(T) == 8 || large; \
    const bool four = sizeof(T) == 8 && large; \
    T first = fold_##op##_##T(own), before = none; \
    if (two) { \
      T second = fold_##op##_##T(own + PER); \
      first = COMBINE_##op(first, second); \
    } \
    if (four) { \
      T a = fold_##op##_##T(own + 2 * PER), b = fold_##op##_##T(own + 3 * PER); \
      a = COMBINE_##op(a, b); \
      first = COMBINE_##op(first, a); \
    } \
    both_##op##_##T(&before, &first, 1); \
    both_##op##_##T(&before, &first, 2); \
    both_##op##_##T(&before, &first, 4); \
    both_##op##_##T(&before, &first, 8); \
    if (two && !four && sizeof(T) == 8) { \
      __asm__ volatile("" ::: "memory"); \
      const chunk_##op##_##T a = CHUNK_OF(op, T, 0), b = CHUNK_OF(op, T, 1); \
      both_##op##_##T(&before, &first, 16); \
      before = spread_##op##_##T(own, a, before); \
      spread_##op##_##T(own + PER, b, before); \
      return; \
    } \
    both_##op##_##T(&before, &first, 16); \
    __asm__ volatile("" ::: "memory"); \
    before = spread_##op##_##T(own, CHUNK_OF(op, T, 0), before); \
    if (two) before = spread_##op##_##T(own + PER, CHUNK_OF(op, T, 1), before); \
    if (four) { \
      before = spread_##op##_##T(own + 2 * PER, CHUNK_OF(op, T, 2), before); \
      spread_##op##_##T(own + 3 * PER, CHUNK_OF(op, T, 3), before); \
    } \
  } \
  NV T staged_scan_##op##_##T(const struct team *t, T x, const bool exclusive) { \
    enum { PER = CHUNK / sizeof(T), ROW = 128 / sizeof(T) }; \
    const uint slot = t->id / 2, first = t->lane * (t->teams / 2); \
    local T *stage = STAGE(t, T), *place = stage + slot + slot / ROW * PER; \
    const bool is_second = t->id & 1; \
    T other = other_##T(x, 1), pair = COMBINE_##op(other, x); \
    T first_own = exclusive ? none : x, second_own = exclusive ? other : pair; \
    put_##T(place, pair, is_second); \
    meet(); \
    if (t->which == 0) rake_##op##_##T(t, stage + first + first / ROW * PER); \
    meet(); \
    T before = *place, own = is_second ? second_own : first_own; \
    return COMBINE_##op(before, own); \
  }

#endif
