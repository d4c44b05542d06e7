// Rows of different lengths, and graphs.

kernel void csr(global const int *start, global const int *column, global const float *value,
                global const float *x, global float *y, int rows) {
  int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// Sixteen work-items to a row.
kernel void csr_rows(global const int *start, global const int *column, global const float *value,
                     global const float *x, global float *y, int rows) {
  local float part[128];
  int l = get_local_id(0), lane = l & 15, row = get_global_id(0) >> 4;
  float sum = 0;
  if (row < rows)
    for (int k = start[row] + lane; k < start[row + 1]; k += 16) sum += value[k] * x[column[k]];
  part[l] = sum;
  for (int half_of = 8; half_of > 0; half_of >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_of) part[l] += part[l + half_of];
  }
  if (lane == 0 && row < rows) y[row] = part[l];
}

// As many columns for every row, the rows side by side; -1 where there is none.
kernel void ell(global const int *column, global const float *value, global const float *x,
                global float *y, int rows, int width) {
  int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; k++) {
    int c = column[k * rows + row];
    if (c >= 0) sum += value[k * rows + row] * x[c];
  }
  y[row] = sum;
}

kernel void front(global const int *start, global const int *edges, global const int *level,
                  global int *next, int now, int n) {
  int v = get_global_id(0);
  if (v >= n || level[v] != now) return;
  for (int k = start[v]; k < start[v + 1]; k++) {
    int to = edges[k];
    if (level[to] < 0) next[to] = now + 1;
  }
}
