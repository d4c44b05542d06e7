// How fast arithmetic itself is: two chains that wait for one another, as throughput tests have
// them.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define TURN(x, y) x = y * x + y, y = x * y + x
#define TURNS(x, y) TURN(x, y), TURN(x, y), TURN(x, y), TURN(x, y)
#define CHAIN(name, T, S, first, sum) \
  kernel void name(global S *out, S a) { \
    T x = first, y = (T)((S)get_local_id(0)) * (S)1; \
    for (int k = 0; k < 32; k++) TURNS(x, y), TURNS(x, y), TURNS(x, y), TURNS(x, y); \
    x = y; \
    out[get_global_id(0)] = sum; \
  }
#define SUM4(v) (v.x + v.y + v.z + v.w)
CHAIN(float_chain, float, float, a, x)
CHAIN(float4_chain, float4, float, (float4)(a, a + 1, a + 2, a + 3), SUM4(x))
CHAIN(float16_chain, float16, float, ((float16)((float4)(a), (float4)(a + 1), (float4)(a + 2), (float4)(a + 3))),
      SUM4(x.lo.lo) + SUM4(x.lo.hi) + SUM4(x.hi.lo) + SUM4(x.hi.hi))
CHAIN(double_chain, double, double, a, x)
CHAIN(double2_chain, double2, double, (double2)(a, a + 1), x.x + x.y)
CHAIN(int_chain, int, int, a, x)
CHAIN(int4_chain, int4, int, (int4)(a, a + 1, a + 2, a + 3), SUM4(x))
CHAIN(long_chain, long, long, a, x)
CHAIN(short_chain, short, short, a, x)
CHAIN(char4_chain, char4, char, (char4)(a, a + 1, a + 2, a + 3), SUM4(x))
