// options: -cl-std=clc++
kernel void k(int *p) { p[0] = 1; }
