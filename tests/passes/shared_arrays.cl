// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: store .*<8 x i32>|masked.gather|load <8 x i32>

// A table of numbers is one for all lanes.  At a border places wrap round: the neighbours of most chunks are side by side.
kernel void table(global int *out, global const int *in, int width, int n) {
  const int by[8] = {0, 1, 0, -1, 0, 0, 2, 0};
  int x = get_global_id(0), sum = 0;
  for (int k = 0; k < n; k++) sum += in[k * width + (x - by[k & 7] + width) % width];
  out[x] = sum;
}

// What only some lanes write is each lane's own.
kernel void some(global int *out, global const int *in, int n) {
  int x = get_global_id(0), own[4] = {0, 0, 0, 4};
  for (int k = 0; k < n; k++)
    if (in[x] > k) own[k & 3] = k;
  out[x] = own[n & 3];
}
