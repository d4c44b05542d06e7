// launch: 16 16
kernel void other(void) {}
