// launch: 3 3
// What a kernel prints, in the order of the work-items between sync points (OpenCL C 6.15.14).
kernel void k(void) {
  int id = get_local_id(0);
  printf("work-item %d of %u\n", id, (uint)get_local_size(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = work_group_reduce_add(id * 10);
  if (id == 1) {
    printf("%5d|%-5d|%05d|%+d|%x|%#o|%c|%%\n", sum, sum, sum, sum, sum, sum, 'a');
    printf("%s %s\n", "text", "");
    printf("%.3f %e %g %a\n", 1.5f, 12345.678f, 0.0001f, 1.0f);
    printf("%v4d %v2hlx %#v4hlx\n", (int4)(1, -2, 3, -4), (uint2)(16, 255), (uint4)(1, 2, 3, 4));
    printf("%v4hd %v8hhu\n", (short4)(1, -2, 3, -4), (uchar8)(0, 1, 2, 3, 4, 5, 6, 255));
    printf("%v4hlf %.1v3hlf\n", (float4)(1, 2.5f, -3, 4), (float3)(0.25f, 0.5f, 1));
    printf("%v8hld %d %v4ld\n", (int8)(1, -2, 3, -4, 5, -6, 7, -8), 9, (long4)(1, -2, 3, -4));
    printf("%ld %lu %lx\n", -5L, 18446744073709551615UL, 1UL << 40);
    printf("%zu %td %zx\n", get_local_size(0), (ptrdiff_t)-3, sizeof(int4));
    printf("%f %d %f\n", 1.0f, 2, 3.0f);
    printf("nothing to convert\n");
  }
}
