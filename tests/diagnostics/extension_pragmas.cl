// options: -cl-std=CL3.0 -Werror -Wno-error=unused-variable -Wunused-variable
/* Of extensions that are there, and one that is misspelled. */
#pragma OPENCL EXTENSION cl_khr_work_group_uniform_arithmetic : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shufle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : disable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k(global int *p) {
  int unused = 3;
  p[get_global_id(0)] = 1;
}
