kernel void macro(global int *out) { *out = VALUE; }
