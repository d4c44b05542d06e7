// pass: widen
// march: x86-64-v4
// facts: yes
// plan: yes
// set: MANIPLE_VECTOR_WIDTH=16
// The kernels of recipes.cl with masks, gathers and scatters (AVX-512); and elements smaller than a word.
#include "recipes.cl"

kernel void bytes(global uchar *to, global const uchar *from, global const int *where) {
  size_t i = get_global_id(0);
  to[where[i]] = from[where[i]];
}
