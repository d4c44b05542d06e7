// options: -cl-std=CL1.2 -Werror
/* clang has sub-groups from OpenCL C 2.0 on; here they are there in 1.2 too. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_gl_sharing : enable
kernel void k(global int *p) {
  p[get_global_id(0)] = sub_group_reduce_add(1);
}
