// options: -I$DIR
/* The included file has it. */
#include "embed.h"
kernel void k(global int *out) { out[0] = bytes[0]; }
