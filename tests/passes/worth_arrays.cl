// Places in private arrays, before AVX-512: lanes that go together take them out of a vector; where
// lanes part, one after another does.
// pass: widen
kernel void keys(global const uchar *keys, global uchar *out, int n) {
  size_t i = get_global_id(0);
  uchar s[256], j = 0;
  for (int k = 0; k < 256; k++) s[k] = k;
  for (int k = 0; k < 256; k++) {
    j += s[k] + keys[16 * i + k % 16];
    uchar t = s[k];
    s[k] = s[j];
    s[j] = t;
  }
  for (int k = 0; k < n; k++) {
    uchar a = k + 1, t = s[a];
    j += t;
    s[a] = s[j];
    s[j] = t;
    out[i * n + k] = s[(uchar)(s[a] + t)];
  }
}
kernel void sifts(global const uint *in, global uint *out, int n) {
  size_t i = get_global_id(0);
  uint heap[64];
  for (uint k = 0; k < 64; k++) heap[k] = 0;
  for (int k = 0; k < n; k++) {
    uint value = in[i * n + k], at = 0;
    while (2 * at + 1 < 64) {
      uint next = 2 * at + 1;
      if (next + 1 < 64 && heap[next + 1] < heap[next]) next++;
      if (heap[next] >= value) break;
      heap[at] = heap[next];
      at = next;
    }
    heap[at] = value;
  }
  out[i] = heap[0];
}

// What one iteration leaves in a row of a private array the next one takes out: alone, each waits for it.
kernel void handed_on(global const uchar *x, global uchar *y, int n) {
  short left[2][66];
  int row = get_global_id(0) * 8;
  for (int k = 0; k < 66; k++) left[0][k] = left[1][k] = 0;
  for (int r = 0; r < 8; r++) {
    int here = r & 1;
    for (int k = 0; k < n; k++) {
      int v = x[(row + r) * n + k] + (left[here][k] >> 2), bit = v > 99 ? 200 : 0;
      y[(row + r) * n + k] = bit;
      left[here][k + 1] += 3 * (v - bit);
      left[1 - here][k] += v - bit;
    }
  }
}
