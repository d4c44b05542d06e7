// A small function is never left out, however often it is called.
// pass: inline
#define TURN(k) x = rotate(x ^ k, (uint)k) + y; y = rotate(y + x, 7u);
#define TURNS_16(k) \
  TURN(k) TURN(k + 1) TURN(k + 2) TURN(k + 3) TURN(k + 4) TURN(k + 5) TURN(k + 6) TURN(k + 7) \
  TURN(k + 8) TURN(k + 9) TURN(k + 10) TURN(k + 11) TURN(k + 12) TURN(k + 13) TURN(k + 14) TURN(k + 15)
kernel void rotates(global uint *out) {
  size_t i = get_global_id(0);
  uint x = out[i], y = i;
  TURNS_16(1) TURNS_16(17) TURNS_16(33) TURNS_16(49) TURNS_16(65)
  out[i] = x;
}
