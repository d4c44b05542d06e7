// env: MANIPLE_CLANG=/nowhere/clang-19
kernel void k(void) {}
