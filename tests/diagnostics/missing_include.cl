#include "no_such_file.h"
kernel void k(global int *out) { out[0] = 1; }
