// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: masked|sdiv|fdiv|<8 x i8>|x i32> @llvm|lanes|select i1 .*, i1 false
/* Lanes leave the loop at different iterations: it goes on until none is left, and only what they have
 * done is kept. */
kernel void collatz(global const uint *x, global uint *steps) {
  uint v = x[get_global_id(0)], n = 0;
  while (v > 1) { v = v & 1 ? 3 * v + 1 : v / 2; n++; }
  steps[get_global_id(0)] = n;
}

/* Under a condition: masked accesses. */
kernel void guarded(global int *x, int n) {
  int i = get_global_id(0);
  if (x[i] > n) x[i] = n;
}

/* Vectors are lanes for each component; neighbouring ones are one access. */
kernel void scaled(global float4 *x, float a) { x[get_global_id(0)] *= a; }

/* A division by what varies goes through double. */
kernel void divided(global int *x, global const int *y) {
  x[get_global_id(0)] /= y[get_global_id(0)];
}

/* An array of each lane's own, by an index that all share. */
kernel void reversed(global int *x) {
  int own[16];
  for (int k = 0; k < 16; k++) own[k] = x[get_global_id(0) * 16 + k];
  for (int k = 0; k < 16; k++) x[get_global_id(0) * 16 + k] = own[15 - k] + k;
}

/* What others see at once is done lane by lane, if it is not of one place. */
kernel void atomic(global int *x) { atomic_inc(&x[get_global_id(0) & 3]); }

/* All lanes that are in the loop leave it together: its mask stays, and nothing is kept as they leave.  Without a
 * lane what they share may be poison: it is not looked at. */
kernel void summed(global float *x, global const float *y, int n) {
  int i = get_global_id(0);
  float sum = 0;
  if (x[i] <= 0) return;
  for (int k = 0; k < n; k++) sum += y[k * n + i];
  x[i] = sum;
}
