// pass: widen
// march: x86-64-v3
// Neighbours leave loops in which they look at nothing of their own at about the same time, also one loop inside
// another: lanes are there together.

kernel void marched(global float *out, float power, int turns) {
  float x = get_global_id(0) * 0.001f, t = 0;
  for (int s = 0; s < 40; s++) {
    float3 p = (float3)(x, t, x - t), z = p;
    float d = 1;
    for (int k = 0; k < turns; k++) {
      float r = length(z);
      if (r > 2) break;
      float theta = acos(z.z / r) * power, phi = atan2(z.y, z.x) * power;
      d = pow(r, power - 1) * power * d + 1;
      z = pow(r, power) * (float3)(sin(theta) * cos(phi), sin(phi) * sin(theta), cos(theta)) + p;
    }
    float step = 0.5f / d;
    if (step < 0.003f) break;
    t += step;
  }
  out[get_global_id(0)] = t;
}

// What each reads from a place of its own differs, and lanes are left one by one: one after another.
kernel void numbers(global const uchar *text, global const int *start, global float *out) {
  int i = get_global_id(0), at = start[i], end = start[i + 1];
  float sum = 0;
  while (at < end) {
    int value = 0, sign = 1;
    while (at < end && (text[at] < '0' || text[at] > '9')) sign = text[at++] == '-' ? -1 : 1;
    while (at < end && text[at] >= '0' && text[at] <= '9') value = value * 10 + (text[at++] - '0');
    sum += (float)(sign * value);
  }
  out[i] = sum;
}
