kernel void null_pointer(global int *p) { *p = 1; }
kernel void zero(global int *p, int by) { *p /= by; }
