// launch: 16384 8192
kernel void k(void) { barrier(CLK_LOCAL_MEM_FENCE); }
