int twice(int);
kernel void doubled(global int *v) { v[get_global_id(0)] = twice(v[get_global_id(0)]); }
