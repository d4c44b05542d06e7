/* Sine, cosine and tangent of float: of what is left of x when a multiple of pi/2 is taken off, so
 * that they share it where a program asks for several. */
#ifndef MPL_BUILTINS_TRIG_H
#define MPL_BUILTINS_TRIG_H

#include "math.h"

/* Multiples of pi/2 are taken off in three parts; from here on that is not
 * exact enough. */
#define MPL_HUGE_ANGLE 0x1p16f

/* 1 / (2 pi), 32 bits in each word and 8 from word to word, from 2^7 down. */
static __constant const uint one_turn[] = {
    0x0028be60, 0x28be60db, 0xbe60db93, 0x60db9391, 0xdb939105, 0x9391054a,
    0x91054a7f, 0x054a7f09, 0x4a7f09d5, 0x7f09d5f4, 0x09d5f47d, 0xd5f47d4d,
    0xf47d4d37, 0x7d4d3770, 0x4d377036, 0x377036d8, 0x7036d8a5, 0x36d8a566,
    0xd8a5664f, 0xa5664f10, 0x664f10e4, 0x4f10e410, 0x10e4107f, 0xe4107f94};

/* The part of a turn by which |x| >= MPL_HUGE_ANGLE is beyond whole turns, in units of 2^-64:
 * Payne and Hanek, "Radian reduction for trigonometric functions" (SIGNUM 18, 1983). */
MPL_HELPER ulong part_of_turn(float x) {
  uint bits = mpl_bits(x), exponent = (bits >> 23 & 255) - 142, at = exponent >> 3;
  ulong mantissa = ((bits & 0x7fffff) | 0x800000) << (exponent & 7);
  return (mantissa * one_turn[at] << 32) + mantissa * one_turn[at + 4] +
         (mantissa * one_turn[at + 8] >> 32);
}

/* What is left of an angle, at most pi/4 and a little, and the multiple of pi/2 (its lowest bits). */
struct angle {
  float rest;
  uint quarters;
};

MPL_HELPER struct angle angle_of_part(float x) {
  ulong part = part_of_turn(x);
  float rest = (float)((double)(long)(part << 2) * 0x1.921fb54442d18p-64);
  uint n = (uint)((part + (1ul << 61)) >> 62);
  bool negative = x < 0;
  rest = (negative ? -rest : rest) + (x - x); /* of infinity: NaN */
  return (struct angle){rest, negative ? -n : n};
}
#ifdef __NVPTX__
MPL_HELPER struct angle huge_angle(float x) { return angle_of_part(x); }
#else
/* Goes into kernels only where there are few of them, as the name says (compiler/source/inline.c). */
static __attribute__((cold, noinline, unused, const)) ulong mpl_rare_angle(float x) {
  struct angle a = angle_of_part(x);
  return (ulong)a.quarters << 32 | mpl_bits(a.rest);
}
MPL_HELPER struct angle huge_angle(float x) {
  ulong both = mpl_rare_angle(x);
  return (struct angle){mpl_number((uint)both), (uint)(both >> 32)};
}
#endif
MPL_HELPER struct angle small_angle(float x) {
  float sum = x * 0x1.45f306p-1f + MPL_ROUNDER_float, n = sum - MPL_ROUNDER_float, rest;
  if (__mpl_fused()) {
    rest = mpl_exact(n, -0x1.921fb4p0f, x);
    rest = n * -0x1.4442dp-24f + rest;
    rest = n * -0x1.846988p-48f + rest;
  } else {
    rest = (float)((x - (double)n * 0x1.921fb544p0) - (double)n * 0x1.0b4611a6p-34);
  }
  return (struct angle){rest, mpl_bits(sum)};
}

/* 0.0 is added for the sign of -0, which a product with -0 loses. */
MPL_HELPER float sine_of_rest(float x) {
  float z = x * x, p = MPL_POLY_3(z, -0x1.9a994p-13f, 0x1.110bbcp-7f, -0x1.555552p-3f);
  return x * (z * p + 0.0f) + x;
}
MPL_HELPER float cosine_of_rest(float x) {
  float z = x * x, p = MPL_POLY_3(z, 0x1.9bb1cap-16f, -0x1.6c127cp-10f, 0x1.555554p-5f);
  return z * (z * p - 0.5f) + 1.0f;
}
#ifdef __NVPTX__ /* a way for each would be gone one after the other */
MPL_HELPER float either_of_rest(bool cosine, float x) {
  float z = x * x, p = cosine ? 0x1.9bb1cap-16f : -0x1.9a994p-13f;
  p = p * z + (cosine ? -0x1.6c127cp-10f : 0x1.110bbcp-7f);
  p = p * z + (cosine ? 0x1.555554p-5f : -0x1.555552p-3f);
  return (cosine ? z : x) * (z * p + (cosine ? -0.5f : 0.0f)) + (cosine ? 1.0f : x);
}
#else
MPL_HELPER float either_of_rest(bool cosine, float x) {
  float of_sine = sine_of_rest(x), of_cosine = cosine_of_rest(x); /* both: no branch */
  return cosine ? of_cosine : of_sine;
}
#endif
MPL_HELPER float sine_of(struct angle a) {
  return mpl_flip(either_of_rest(a.quarters & 1, a.rest), a.quarters >> 1);
}
MPL_HELPER float cosine_of(struct angle a) {
  return mpl_flip(either_of_rest(!(a.quarters & 1), a.rest), a.quarters ^ a.quarters >> 1);
}
MPL_HELPER float tangent_of(struct angle a) {
  float sine = sine_of_rest(a.rest), cosine = cosine_of_rest(a.rest);
  return (a.quarters & 1 ? -cosine : sine) / (a.quarters & 1 ? sine : cosine);
}

#ifdef __NVPTX__ /* less code, most of which lanes that part would run twice */
#define OF_ANGLE(name) \
  MPL_HELPER float mpl_##name(float x) { \
    struct angle a = small_angle(x); \
    if (MPL_RARELY(!(mpl_abs(x) < MPL_HUGE_ANGLE))) a = huge_angle(x); \
    return name##_of(a); \
  }
#else
/* The result for a huge angle takes the place of another one: what is in front of a branch is found
 * to be the same for sine and cosine, what is behind it is not. */
#define OF_ANGLE(name) \
  MPL_HELPER float mpl_##name(float x) { \
    float result = name##_of(small_angle(x)); \
    if (MPL_RARELY(!(mpl_abs(x) < MPL_HUGE_ANGLE))) result = name##_of(huge_angle(x)); \
    return result; \
  }
#endif
OF_ANGLE(sine)
OF_ANGLE(cosine)
OF_ANGLE(tangent)
#undef OF_ANGLE

#endif
