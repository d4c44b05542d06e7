// options: -cl-std=CL1.2
// launch: 100 16
kernel void k(void) { barrier(CLK_LOCAL_MEM_FENCE); }
