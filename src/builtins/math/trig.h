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

/* What is left of x, at most pi/4 and a little, and the multiple of pi/2 (its lowest bits). */
MPL_HELPER float huge_quarter(float x, uint *quarters) {
  ulong part = part_of_turn(x);
  float rest = (float)((double)(long)(part << 2) * 0x1.921fb54442d18p-64);
  uint n = (uint)((part + (1ul << 61)) >> 62);
  bool negative = x < 0;
  *quarters = negative ? -n : n;
  return (negative ? -rest : rest) + (x - x); /* of infinity: NaN */
}
MPL_HELPER float rest_of_quarter(float x, uint *quarters) {
  float sum = x * 0x1.45f306p-1f + MPL_ROUNDER_float, n = sum - MPL_ROUNDER_float, rest;
  uint q = mpl_bits(sum);
  if (__mpl_fused()) {
    rest = mpl_exact(n, -0x1.921fb4p0f, x);
    rest = n * -0x1.4442dp-24f + rest;
    rest = n * -0x1.846988p-48f + rest;
  } else {
    rest = (float)((x - (double)n * 0x1.921fb544p0) - (double)n * 0x1.0b4611a6p-34);
  }
  if (!(mpl_abs(x) < MPL_HUGE_ANGLE)) rest = huge_quarter(x, &q);
  *quarters = q;
  return rest;
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
  return cosine ? cosine_of_rest(x) : sine_of_rest(x);
}
#endif
MPL_HELPER float mpl_sine(float x) {
  uint q;
  float rest = rest_of_quarter(x, &q);
  return mpl_flip(either_of_rest(q & 1, rest), q >> 1);
}
MPL_HELPER float mpl_cosine(float x) {
  uint q;
  float rest = rest_of_quarter(x, &q);
  return mpl_flip(either_of_rest(!(q & 1), rest), q ^ q >> 1);
}
MPL_HELPER float mpl_tangent(float x) {
  uint q;
  float rest = rest_of_quarter(x, &q), sine = sine_of_rest(rest), cosine = cosine_of_rest(rest);
  return (q & 1 ? -cosine : sine) / (q & 1 ? sine : cosine);
}

#endif
