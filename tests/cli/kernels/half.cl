#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void twice(global half *v) { v[get_global_id(0)] *= 2; }
