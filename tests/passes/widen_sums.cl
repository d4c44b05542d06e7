// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: shufflevector.*<8 x i32> <i32|select <|extractelement|bitcast <8 x i1>|store i32 %, ptr %
/* Each lane has a sum of its own; behind the loop one fold.  Lanes that are not there add nothing. */
kernel void sum(global int *out, global const int *in) {
  size_t i = get_local_linear_id();
  out[i] = work_group_reduce_max(in[i] ^ 5);
}

/* A vote is any lane's. */
kernel void vote(global int *out, global const int *in) {
  size_t i = get_local_linear_id();
  out[i] = work_group_all(in[i] > 20);
}

/* What all lanes share is handed on by one of them. */
kernel void handed(global int *out, global const int *in, int n) {
  size_t i = get_local_linear_id();
  int k = 0;
  for (; k < n; k++) k += work_group_broadcast(in[i], 3);
  out[i] = k;
}
