// The same in SYCL, by `maniple c++`.
#include <sycl/sycl.hpp>

#include <cstring>

int main(int count, char **name) {
  sycl::queue q;
  static int out[32];
  bool is_legal = count > 1 && !std::strcmp(name[1], "legal"),
       is_joint = count > 1 && !std::strcmp(name[1], "joint");
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
     int i = int(it.get_local_id(0)), right = 1;
     for (int row = i; row < i + 2; row++)
       for (int j = 0; j < 2; j++)
         if (is_joint && j == (i & 1))
           sycl::joint_reduce(it.get_group(), &out[0], &out[0], sycl::plus<>());
         else if (is_legal || j == (i & 1))
           right &= sycl::reduce_over_group(it.get_group(), row - i, sycl::plus<>()) == 32 * (row - i);
     out[i] = right;
   }).wait();
  for (int i = 0; i < 32 && is_legal; i++)
    if (out[i] != 1) return 1;
  return 0;
}
