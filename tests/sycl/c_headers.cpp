// Macros of the C library's headers, which a program may have included before: no name of the
// headers of SYCL is one of them (I of the complex numbers, major of device numbers, ...).
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#ifndef I
#define I (__extension__ 1.0iF) // as C has it for complex numbers
#endif

#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

int main() {
  sycl::vec<float, 4> v(1, 2, 3, 4);
  sycl::vec<float, 4> w = v.wzyx() + v.swizzle<0, 0, 1, 1>();
  sycl::queue q;
  int *sum = sycl::malloc_shared<int>(1, q);
  q.parallel_for(sycl::range<1>(8), sycl::reduction(sum, sycl::plus<>()),
                 [=](sycl::id<1> at, auto &all) { all += int(at[0]); });
  q.submit([&](sycl::handler &h) {
     sycl::stream out(64, 64, h);
     h.single_task([=] { out << w.lo() << sycl::endl; });
   }).wait();
  sycl::free(sum, q);
  return 0;
}
