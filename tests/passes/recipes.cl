// pass: widen
// march: x86-64-v3
// facts: yes
// plan: yes
// One access of each form, on a processor without masks that gathers slowly.
kernel void alike(global int *to, global const int *from, global const int *one, int n) {
  size_t i = get_global_id(0);
  to[i] = from[i] + one[n];
  to[4096 - i] = from[8192 - i];
}

kernel void fields(global float *to, global const float *from) {
  size_t i = get_global_id(0);
  to[i] = from[4 * i] * from[4 * i + 3];
}

struct quad {
  float a, b, c, d;
};

kernel void varying(global float *to, global struct quad *q, global const int *where) {
  size_t i = get_global_id(0);
  int at = where[i];
  to[i] = q[at].a + q[at].b + q[at].c + q[at].d;
  q[at].b = to[at];
  q[at].a = i;
}

kernel void near_border(global float *to, global const float *from, int n) {
  int i = get_global_id(0);
  to[i] = from[min(i + 1, n)];
}

// A store of some lanes to places that vary is done for one after another.
kernel void some_scatter(global int *to, global const int *where, int n) {
  size_t i = get_global_id(0);
  int at = where[i];
  if (at > n) to[at] = n;
}

kernel void rows(global float *to, global const float *from, int n) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += from[i * n + k] * from[k];
  to[i] = sum;
}
/* Words that a chunk shares are one number each, whether or not they are one vector's. */
kernel void line_of_many(global const float2 *line, global float *x) {
  size_t i = get_global_id(0);
  float2 l = line[i / 64];
  x[i] = x[i] * l.x + l.y;
}
