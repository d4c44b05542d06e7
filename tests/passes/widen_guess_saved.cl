// Where code is saved, lanes at the border of an image gather: there is no second guess, of lanes that stop there.
// pass: widen
// show: masked.(load|gather)
// set: MANIPLE_CODE_ECONOMY=1
kernel void blur_row(global float *out, global const float *in, int width) {
  int x = get_global_id(0);
  float sum = 0;
  for (int dx = -1; dx <= 1; dx++) sum += in[clamp(x + dx, 0, width - 1)];
  out[x] = sum;
}
