// link
int elsewhere(int x);
kernel void k(global int *out) { out[0] = elsewhere(3); }
