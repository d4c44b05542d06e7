// The pointer leads to one of two arrays, to one that a loop has left, or to one of a function that has returned.
int *begin(int x) {
  int own[4];
  for (int j = 0; j < 4; j++) own[j] = x + j;
  int *p = own + (x & 1);
  return p;
}
kernel void k(global int *out) {
  int i = get_local_id(0), *p, *q = 0, sum = 0;
  if (i & 1) {
    int few[3] = {1, 2, i};
    p = few;
    sum += p[i % 3]; // here they live
  } else {
    int many[5] = {i, 2, 3, 4, 5};
    p = many;
    sum += p[i % 5];
  }
  for (int turn = 0; turn < 3; turn++) {
    int digits[8];
    for (int j = 0; j < 8; j++) digits[j] = i * turn + j;
    if (turn == i % 3) q = &digits[i & 7];
    sum += digits[i & 3];
  }
  out[i] = sum + p[i & 1];
  out[i] += *q;
  out[i] += begin(i)[i & 2];
}
