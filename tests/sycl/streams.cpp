// sycl::stream: what kernels write, against what an ostream writes.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

// What goes to std::cout while `action` runs.
template <typename F> std::string printed(const F &action) {
  std::ostringstream text;
  std::streambuf *old = std::cout.rdbuf(text.rdbuf());
  action();
  std::cout.rdbuf(old);
  return text.str();
}

void formats(sycl::queue &q) {
  std::string got = printed([&] {
    q.submit([&](sycl::handler &h) {
      sycl::stream out(1024, 256, h);
      EXPECT(out.size() == 1024 && out.get_work_item_buffer_size() == 256);
      h.single_task([=] {
        char local[] = "a text of more than one piece of the buffer";
        out << local << ' ' << 'c' << -1 << ' ' << 2u << ' ' << std::size_t(3) << ' ' << short(-4);
        out << sycl::endl << 0.1f << ' ' << 0.1 << ' ' << sycl::half(0.5f) << ' ' << true << "\n";
        out << sycl::hex << sycl::showbase << 255 << sycl::dec << sycl::noshowbase << ' ';
        out << sycl::oct << 8 << sycl::dec << ' ' << sycl::showpos << 5 << sycl::noshowpos << '\n';
        out << sycl::setprecision(3) << 3.14159 << ' ' << sycl::fixed << 2.5 << ' ';
        out << sycl::scientific << 2.5 << ' ' << sycl::defaultfloat << sycl::setw(6) << 7 << '\n';
        out << sycl::int3(1, 2, 3) << ' ' << sycl::marray<float, 2>(1.5f, 2) << ' ';
        out << sycl::id<2>(4, 5) << sycl::range<1>(6) << sycl::flush;
        out << static_cast<const int *>(nullptr) << "";
      });
    });
    q.wait_and_throw();
  });
  std::ostringstream want;
  want << "a text of more than one piece of the buffer c-1 2 3 -4\n0.1 0.1 0.5 1\n0xff 10 +5\n";
  want << std::setprecision(3) << 3.14159 << ' ' << std::fixed << 2.5 << ' ' << std::scientific
       << 2.5 << "      7\n1, 2, 3 1.5, 2 {4, 5}{6}" << static_cast<const void *>(nullptr);
  EXPECT(got == want.str());
}

// Each work-item's lines are whole, and its own in order.
void lines(sycl::queue &q) {
  constexpr int items = 1000;
  int none = 3;
  std::string got = printed([&] {
    q.submit([&](sycl::handler &h) {
      sycl::stream out(1 << 16, 256, h);
      h.parallel_for(sycl::nd_range<1>(items, 50), [=](sycl::nd_item<1> it) {
        int sum = sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
        out << "item " << it.get_global_id(0);
        sycl::group_barrier(it.get_group());
        out << " of " << sum << '\n' << "and " << it.get_global_id(0) << sycl::endl;
      });
    });
    q.submit([&](sycl::handler &h) { // and beside a reduction
      sycl::stream out(100, 100, h);
      h.parallel_for(sycl::range<1>(0), sycl::reduction(&none, sycl::plus<>()),
                     [=](sycl::id<1> i, auto &) { out << "nobody" << i; });
    });
    q.wait_and_throw();
  });
  std::istringstream text(got);
  std::multiset<std::string> all, expected;
  std::vector<bool> begun(items);
  for (std::string line; std::getline(text, line);) {
    all.insert(line);
    int number = std::atoi(line.c_str() + (line[0] == 'i' ? 5 : 4));
    if (number < 0 || number >= items) continue;
    if (line[0] == 'i')
      begun[number] = true;
    else
      EXPECT(begun[number]);
  }
  for (int i = 0; i < items; i++) {
    expected.insert("item " + std::to_string(i) + " of 50");
    expected.insert("and " + std::to_string(i));
  }
  EXPECT(all == expected && none == 3);
}

// More than the buffer holds is dropped.
void too_much(sycl::queue &q) {
  std::string got = printed([&] {
    q.submit([&](sycl::handler &h) {
      sycl::stream out(4, 4, h);
      h.single_task([=] {
        for (int i = 0; i < 100; i++) out << i << "\n";
      });
    });
    q.wait_and_throw();
  });
  EXPECT(got == "0\n1\n");
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  formats(q);
  lines(q);
  too_much(q);
  return test::result();
}
