// pass: widen
// show: uses-nothing-else
// plan: yes
/* Of the copies for short rows that there is room for, those with which rows of 8, 16 and 32 cost
 * least: the sum waits for itself, so 16 lanes take as long as 8, and those by 16 are worth more
 * than those by 8. */
constant float taps[9] = {0.05f, 0.09f, 0.12f, 0.15f, 0.18f, 0.15f, 0.12f, 0.09f, 0.05f};

kernel void convolve(global const float *in, global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -4; k <= 4; k++)
    if (y + k >= 0 && y + k < height) sum += taps[k + 4] * in[(y + k) * width + x];
  out[y * width + x] = sum;
}
