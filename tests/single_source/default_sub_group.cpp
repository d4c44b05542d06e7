// -fsycl-default-sub-group-size=32: the size of kernels that ask for none, and of no others.  -fsycl: the language's
// macro is there before a header is read.
#if SYCL_LANGUAGE_VERSION != 202012L
#error "-fsycl predefines no SYCL_LANGUAGE_VERSION"
#endif
#include "../sycl/check.hpp"

int main() {
  sycl::queue q = test::make_queue();
  int *o = sycl::malloc_shared<int>(64 * 4, q);
  q.parallel_for<class unsaid>(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {
     sycl::sub_group s = it.get_sub_group();
     std::size_t i = it.get_global_id(0);
     o[i] = int(s.get_local_linear_range());
     o[64 + i] = sycl::reduce_over_group(s, int(i), sycl::plus<>());
   }).wait_and_throw();
  q.parallel_for<class said>(sycl::nd_range<1>(64, 64),
                             sycl::ext::oneapi::experimental::properties{
                                 sycl::ext::oneapi::experimental::sub_group_size<8>},
                             [=](sycl::nd_item<1> it) {
                               o[128 + it.get_global_id(0)] =
                                   int(it.get_sub_group().get_local_linear_range());
                             })
      .wait_and_throw();
  for (int i = 0; i < 64; i++) {
    int first = i / 32 * 32;
    EXPECT(o[i] == 32 && o[64 + i] == 32 * first + 31 * 16 && o[128 + i] == 8);
  }
  sycl::free(o, q);
  return test::result();
}
