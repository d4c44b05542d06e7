// pass: widen
// march: x86-64-v4
// show: gather|scatter|cttz|lshr <
// Bytes and shorts: gathered by the words that they are in, stored one after another where only some lanes are.

kernel void letters(global const uchar *text, global const int *from, global int *out) {
  int i = get_global_id(0), k = from[i];
  if (k > 0) k = text[k] + text[k + 5];
  out[i] = k;
}

kernel void shorts(global const ushort *table, global const int *from, global ushort *out) {
  int i = get_global_id(0);
  out[i] = table[from[i]];
}

// One that may lie across the border of two words is not.
kernel void anywhere(global const uchar *text, global const int *from, global ushort *out) {
  int i = get_global_id(0);
  ushort two;
  __builtin_memcpy(&two, text + from[i], 2);
  out[i] = two;
}

kernel void some(global const int *to, global uchar *out) {
  int i = get_global_id(0);
  if (to[i] >= 0) out[to[i]] = i;
}
