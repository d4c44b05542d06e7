/* #embed "/etc/hostname" */
// #embed "/etc/hostname"
constant char text[] = "#embed";
constant uchar bytes[] = {
  /* one */ %: /*
  */ em\
bed "/etc/hostname"
};
kernel void k(global int *out) { out[0] = bytes[0] + text[0]; }
