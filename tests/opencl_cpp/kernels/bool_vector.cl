/* Components of vectors of bool, one and several (section 2.1.2.3). */
#include "check.h"
#include <opencl_convert>
#include <opencl_relational>
#include <opencl_vec>
using namespace cl;

bool2 swap(bool2 v) { return v.yx; }

kernel void swizzles(uint *failed, int *data) {
  int i = data[0];
  bool4 a = bool4(i == 0, i == 1, i == 2, true), *p = &a;
  bool2 b = a.xy, c = a.wz;
  CHECK(b.x && !b.y && c.x && !c.y && swap(b).y && !swap(b).x);
  CHECK(all(a.xw) && !any(a.yz) && all(a.xxww == bool4(true)) && p->s30.s1 && p->rgb.r);
  a.yz = bool2(true, false);
  CHECK(a.y && !a.z && all(a.xyw));
  p->s32 = a.yz;
  CHECK(p->w && !p->z && all((a.s013)) && all(!a.zz));
  a.zw = a.wz;
  CHECK(a.z && !a.w);
  bool8 e = bool8(a, a.wzyx);
  CHECK(e.s3 == false && !e.s4 && all(e.s0126) && all(e.s45 && e.s70) == false && e.s0745.even.x);
  bool16 f = bool16(e, e.s76543210);
  CHECK(all(f.s01ef) && all(f.sF0) && f.sfedcba9876543210.s0);
}

kernel void halves(uint *failed, int *data) {
  bool t = data[1] == 1;
  bool4 a = bool4(t, !t, t, t);
  CHECK(a.even.x && a.even.y && !a.odd.x && a.odd.y && a.lo.even && !a.lo.odd && a.hi.odd);
  a.odd = bool2(t, !t);
  CHECK(a.y && !a.w && a.x && a.z);
  a.even = a.odd;
  CHECK(a.x && !a.z);
  bool3 b = bool3(t, !t, t);
  CHECK(b.even.x && b.even.y && !b.odd.x && b.lo.x && !b.lo.y && b.hi.x && all(b.xz) && !b.zyx.y);
  bool2 c = bool2(t, !t);
  CHECK(c.even && !c.odd && c.lo && !c.hi);
  c.odd = t;
  CHECK(all(c) && all(convert_cast<int2>(c.yx) == int2(1)));
  const bool16 d = bool16(t);
  CHECK(all(d.even) && all(d.hi.odd.lo));
  a[1] = false;
  vec<bool, 4> wrapped(a.lo, t, !t);
  bool4 w = wrapped;
  CHECK(!a.y && w.x && !w.y && w.z && !w.w && (bool)wrapped.swizzle<2>());
}
