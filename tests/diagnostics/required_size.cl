// launch: 64 32
kernel void __attribute__((reqd_work_group_size(16, 1, 1))) k(void) { barrier(0); }
