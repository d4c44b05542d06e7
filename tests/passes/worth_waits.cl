// pass: widen
// march: x86-64-v4
// Lanes wait together for what one work-item waits for alone; with masks they load it together too.

// A tree whose nodes know the one above: where an iteration loads depends on what the last one has loaded.
kernel void roots(global const int *above, global int *out) {
  int i = get_global_id(0), a = i, b = i + 1;
  while (above[a] != a) a = above[a];
  while (above[b] != b) b = above[b];
  while (a != b) {
    if (a < b) {
      int t = a;
      a = b;
      b = t;
    }
    a = atomic_min(&out[a], b);
    while (above[a] != a) a = above[a];
    while (above[b] != b) b = above[b];
  }
}
