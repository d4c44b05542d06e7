// pass: inline
// march: x86-64-v4
// show: fmuladd
/* A body of many components is not unrolled; a short one is. */
kernel void sixteen(global float16 *x) {
  float16 v = x[get_global_id(0)], c = v;
  for (int k = 0; k < 4; k++) {
    v = v * v + c, v = v * v + c, v = v * v + c, v = v * v + c;
    v = v * v + c, v = v * v + c, v = v * v + c, v = v * v + c;
  }
  x[get_global_id(0)] = v;
}
kernel void four(global float4 *x) {
  float4 v = x[get_global_id(0)], c = v;
  for (int k = 0; k < 4; k++) v = v * v + c;
  x[get_global_id(0)] = v;
}
