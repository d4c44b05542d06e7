// pass: widen
// march: x86-64-v4

/* Two registers of what is computed with, and not of the addresses. */
kernel void floats(global float *x, global const long *at) { x[get_global_id(0)] *= 2; }
kernel void doubles(global double *x, float a) { x[get_global_id(0)] = x[get_global_id(0)] * a + 1; }
kernel void bytes(global uchar *x) { x[get_global_id(0)] ^= 1; }

/* Rows are short, and have copies if there is something to wait for. */
kernel void rows(global float *x, int n) { x[get_global_id(1) * n + get_global_id(0)] *= 2; }
kernel void escape(global int *o, int n) {
  int x = get_global_id(0), y = get_global_id(1), k = 0;
  for (float r = x * 0.01f; k < n && r < 4; k++) r = r * r + y;
  o[y * n + x] = k;
}

/* Not wider than groups are. */
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global float *x) {
  x[get_global_id(0)] *= 2;
}

/* What a loop carries is waited for: so many registers are busy meanwhile. */
kernel void carried(global float *x, int n) {
  float a = x[get_global_id(0)], b = a;
  for (int k = 0; k < n; k++) a = a * a + b;
  x[get_global_id(0)] = a;
}
kernel void carried_longs(global ulong *x, int n) {
  ulong a = x[get_global_id(0)];
  for (int k = 0; k < n; k++) a = a * 3 ^ a >> 7;
  x[get_global_id(0)] = a;
}
kernel void sums(global float *x, global const float *y, int n, int by) {
  float a = 0;
  for (int k = 0; k < n; k++) a += y[k * by + get_global_id(0)];
  x[get_global_id(0)] = a;
}
/* Not where all of a loop is so short that the next chunk's begins meanwhile. */
kernel void few_turns(global float *x) {
  float a = x[get_global_id(0)], b = a;
  for (int k = 0; k < 32; k++) a = a * b + k;
  x[get_global_id(0)] = a;
}
/* But it has to fit the registers, and a private array the nearest cache. */
kernel void sixteen(global float *x, float4 a, int n) {
  float16 s = (float16)(a, a, a, a), b = s * x[get_global_id(0)];
  for (int k = 0; k < n; k++) s = s * b + s, b = b * s + b;
  s += b;
  x[get_global_id(0)] = dot(s.lo.lo + s.lo.hi, s.hi.lo + s.hi.hi);
}
kernel void array(global float *x, global const float *y, int n, int by) {
  float a = 0, own[128];
  for (int k = 0; k < n; k++) own[k & 127] = y[k * by + get_global_id(0)];
  for (int k = 0; k < n; k++) a += own[k & 127];
  x[get_global_id(0)] = a;
}

/* Two halves of 16, with a loop each. */
kernel void halves(global const float *a, local float *x, local float *y, int n) {
  int l = get_local_id(0);
  if (l < 16) {
    for (int k = 0; k < n; k++) x[l + 16 * k] = a[l + 16 * k] * 2;
  } else {
    for (int k = 0; k < n; k++) y[l + 16 * k] = a[l + 16 * k] + y[k];
  }
}

/* Lanes that walk along rows of their own: no more than the nearest cache has ways, or half of that
 * from three rows on, whatever is added up; but where the rows are all lanes', or a lane's next element is far, as many as above. */
kernel void one_row(global float *x, global const float *y, int n) {
  float a = 0;
  for (int k = 0; k < n; k++) a += y[get_global_id(0) * n + k];
  x[get_global_id(0)] = a;
}
kernel void two_rows(global float *x, global const float *y, global const float *z, int n) {
  float a = 0, b = 0;
  for (int k = 0; k < n; k++) {
    a += y[get_global_id(0) * n + k];
    b += z[get_global_id(0) * n + k];
  }
  x[get_global_id(0)] = a * b;
}
kernel void three_rows(global float *x, global const float *y, global const float *z, global const float *w, int n) {
  float a = 0, b = 0, c = 0;
  for (int k = 0; k < n; k++) {
    a += y[get_global_id(0) * n + k];
    b += z[get_global_id(0) * n + k];
    c += w[get_global_id(0) * n + k];
  }
  x[get_global_id(0)] = a * b * c;
}
kernel void shared_row(global float *x, global const float *y, int n) {
  float a = 0;
  for (int k = 0; k < n; k++) a += y[k] * x[get_global_id(0)];
  x[get_global_id(0)] = a;
}
kernel void far(global float *x, global const float *y, int n, int by) {
  float a = 0;
  for (int k = 0; k < n; k++) a += y[get_global_id(0) * n + k * 64];
  x[get_global_id(0)] = a;
}

/* No fewer than a register has, for the other loop. */
kernel void row_and_chain(global float *x, global const float *y, int n) {
  float a = 0;
  for (int k = 0; k < n; k++) a += y[get_global_id(0) * n + k];
  for (int k = 0; k < n; k++) a = a * a + 1;
  x[get_global_id(0)] = a;
}

/* A row that is read once for a loop of loops does not count. */
kernel void read_once(global float *x, global const float *y, int n) {
  float a = 0, b = 0;
  for (int k = 0; k < n; k++) b += y[get_global_id(0) * n + k];
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) a = a * b + y[j * n + k];
  x[get_global_id(0)] = a;
}

/* Lanes that gather all the time and leave one after the other: a register; more where others wait. */
kernel void leaving(global const int *start, global const int *column, global const float *x, global float *y) {
  local float part[128];
  int l = get_local_id(0), row = get_global_id(0) >> 4;
  float sum = 0;
  for (int k = start[row] + (l & 15); k < start[row + 1]; k += 16) sum += x[column[k]];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = part[l ^ 1];
}
kernel void leaving_and_staying(global const int *start, global const int *column, global const float *x, global float *y, int n) {
  local float part[128];
  int l = get_local_id(0), row = get_global_id(0) >> 4;
  float sum = 0;
  for (int k = start[row] + (l & 15); k < start[row + 1]; k += 16) sum += x[column[k]];
  for (int k = 0; k < n; k++) sum += x[l + k];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = part[l ^ 1];
}

/* Bytes that are gathered come one by one, however many lanes: one work-item after another is as fast. */
kernel void letters(global const uchar4 *in, global uchar4 *out, constant uchar *table) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = (uchar4)(table[v.x], table[v.y], table[v.z], table[v.w]);
}
/* Of these most is computed. */
kernel void few_letters(global const uchar *in, global uchar *out, constant uchar *table) {
  uchar v = in[get_global_id(0)], a = v, b = 3;
  for (int k = 0; k < 20; k++) {
    a = (a << 3 | a >> 5) ^ b;
    b += a & v;
  }
  out[get_global_id(0)] = table[a] + b;
}

/* Fields smaller than a word: shuffles of 64 bytes. */
kernel void pixels(global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  uchar r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
  out[3 * i] = b;
  out[3 * i + 1] = (r + g) / 2;
  out[3 * i + 2] = r;
}
