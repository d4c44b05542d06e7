/* The log: any piece of it can be made without the rest, in C and in OpenCL C, the same bytes on
 * every machine.  A cell of CELL bytes has one newline or none. */
#ifndef TEXT_H
#define TEXT_H

#ifdef __OPENCL_C_VERSION__
typedef ulong number;
#else
#include <stdint.h>
typedef uint64_t number;
#endif

#define CELL 64
#define BINS 8 /* of the histogram: of 16 values of a byte, which is below 128, each */

/* The finisher of SplitMix64: what belongs to the number, and seems random. */
static inline number mix(number z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Where the newline of a cell stands; CELL or more: nowhere. */
static inline unsigned newline_of(number random) {
  return (unsigned)(random >> 8) % (CELL + CELL / 2);
}

/* Letters, more of the first ones. */
static inline unsigned char letter_of(number random, unsigned i) {
  unsigned bits = (unsigned)(mix(random + i / 8) >> (i % 8 * 8)) & 0xff;
  return (unsigned char)(32 + (bits * bits >> 10));
}

#endif
