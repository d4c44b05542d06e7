// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: leaving|phi <8 x i1>|phi i1|select i1 .*, i1 false|lanes, label

/* The count is the same for all lanes that come to it: it is a branch, and those that are there when it
 * ends leave behind the loop.  Only what leaves early is kept. */
kernel void search(global const uchar *text, global const uchar *word, int n, global int *out) {
  int i = get_global_id(0), k = 0;
  while (k < n && text[i + k] == word[k]) k++;
  out[i] = k == n;
}

/* Nobody leaves early with anything: no value is kept. */
kernel void all_below(global const float *x, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) {
    if (x[k * 64 + i] > 1) return;
    sum += x[k * 64 + i];
  }
  out[i] = sum;
}

/* The number of turns varies: that is no count. */
kernel void first_zero(global const int *x, global const int *n, global int *out) {
  int i = get_global_id(0), k;
  for (k = 0; k < n[i]; k++)
    if (x[k * 64 + i] == 0) break;
  out[i] = k;
}
