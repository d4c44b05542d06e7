// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: bitcast <8 x i1>|br i1|phi <8 x|phi i|fmul <8|fdiv <8
/* What takes long is passed by where no lane is; what it makes and where it leads is nothing then. */
kernel void rare(global float *x) {
  size_t i = get_local_linear_id();
  float v = x[i];
  if (v > 1e6f) {
    v = v * v + 3;
    v = v * v + 5;
    v = v * v + 7;
    v = v * v + 9;
    v = v * v + 11;
    v = v * v + 13;
    v = v * v + 15;
    v = v * v + 17;
    v = v * v + 19;
    v = v * v + 21;
    v = v * v + 23;
    v = v * v + 25;
  }
  x[i] = v;
}

/* A short side is not. */
kernel void brief(global float *x) {
  size_t i = get_local_linear_id();
  float v = x[i];
  if (v > 1e6f) v = 3 / v;
  x[i] = v;
}
