// options: -cl-std=CL3.0 -I $DIR -DLIMIT=5
#include "include.h"
kernel void k(global int *out) { out[0] = from_header(LIMIT); }
