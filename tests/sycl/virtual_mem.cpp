// Ranges of addresses and memory that is mapped to them (sycl_ext_oneapi_virtual_mem): what kernels
// and the system see there.  Of a program for GPUs, that it refuses.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <cstdint>
#include <unistd.h>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
using experimental::address_access_mode;
using experimental::physical_mem;

// The system's own answer: it reads from and writes to a place only where a program may.
struct permissions {
  bool read, write;
};
permissions permitted(void *at) {
  int ends[2];
  char was = 0;
  if (pipe(ends)) return {};
  permissions result{write(ends[1], at, 1) == 1, false};
  if (result.read) {
    result.write = read(ends[0], at, 1) == 1;
  } else {
    result.write = write(ends[1], &was, 1) == 1 && read(ends[0], at, 1) == 1;
  }
  close(ends[0]);
  close(ends[1]);
  return result;
}

[[maybe_unused]] void refused() {
  sycl::queue q = test::make_queue();
  sycl::device d = q.get_device();
  sycl::context c = q.get_context();
  EXPECT(!d.has(sycl::aspect::ext_oneapi_virtual_mem));
  auto no = sycl::errc::feature_not_supported;
  int x;
  EXPECT(test::code_of([&] { experimental::get_mem_granularity(d, c); }) == no);
  EXPECT(test::code_of([&] { experimental::get_mem_granularity(c); }) == no);
  EXPECT(test::code_of([&] { experimental::reserve_virtual_mem(4096, c); }) == no);
  EXPECT(test::code_of([&] { experimental::free_virtual_mem(4096, 4096, c); }) == no);
  EXPECT(test::code_of([&] { physical_mem(q, 4096); }) == no);
  EXPECT(test::code_of([&] { experimental::unmap(&x, 4096, c); }) == no);
  EXPECT(test::code_of([&] { experimental::get_access_mode(&x, 4096, c); }) == no);
  EXPECT(test::code_of(
             [&] { experimental::set_access_mode(&x, 4096, address_access_mode::read, c); }) == no);
}

#ifdef SYCL_EXT_ONEAPI_VIRTUAL_MEM

struct range { // two pieces of memory side by side
  sycl::queue q;
  sycl::context c = q.get_context();
  std::size_t page = experimental::get_mem_granularity(q.get_device(), c), size = 4 * page;
  std::uintptr_t at = experimental::reserve_virtual_mem(2 * size, c);
  physical_mem first{q, size}, second{q.get_device(), c, size};

  void *place(std::size_t pages) { return reinterpret_cast<void *>(at + pages * page); }
  ~range() { experimental::free_virtual_mem(at, 2 * size, c); }
};

void sizes() {
  range r;
  EXPECT(r.page == std::size_t(sysconf(_SC_PAGESIZE)));
  auto recommended = experimental::granularity_mode::recommended;
  auto minimum = experimental::granularity_mode::minimum;
  EXPECT(experimental::get_mem_granularity(r.c, recommended) %
             experimental::get_mem_granularity(r.c, minimum) ==
         0);
  EXPECT(r.first.size() == r.size && r.first.get_context() == r.c);
  EXPECT(r.second.get_device() == r.q.get_device());
  physical_mem same = r.first;
  EXPECT(same == r.first && same != r.second);
  EXPECT(std::hash<physical_mem>()(same) == std::hash<physical_mem>()(r.first));
  // A range where the program wants it, if nothing is there.
  std::uintptr_t other = experimental::reserve_virtual_mem(r.size, r.c);
  experimental::free_virtual_mem(other, r.size, r.c);
  EXPECT(experimental::reserve_virtual_mem(other, r.size, r.c) == other);
  std::uintptr_t third = experimental::reserve_virtual_mem(other, r.size, r.c);
  EXPECT(third != other);
  experimental::free_virtual_mem(other, r.size, r.c);
  experimental::free_virtual_mem(third, r.size, r.c);
}

// An array that grows, and memory that is found again at another address.
void kernels() {
  range r;
  std::size_t count = r.size / sizeof(int);
  int *x = static_cast<int *>(r.first.map(r.at, r.size, address_access_mode::read_write));
  EXPECT(reinterpret_cast<std::uintptr_t>(x) == r.at);
  r.q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { x[i] = int(i[0]); }).wait();
  r.second.map(r.at + r.size, r.size, address_access_mode::read_write);
  r.q.fill(x + count, 7, count).wait();
  r.q.parallel_for(sycl::range<1>(2 * count), [=](sycl::id<1> i) { x[i] += 1; }).wait();
  for (std::size_t i = 0; i < 2 * count; i++) EXPECT(x[i] == (i < count ? int(i) + 1 : 8));
  EXPECT(sycl::get_pointer_type(x + 5, r.c) == sycl::usm::alloc::device);
  EXPECT(sycl::get_pointer_device(x + count, r.c) == r.q.get_device());
  std::vector<int> copy(count);
  r.q.memcpy(copy.data(), x, r.size).wait();
  EXPECT(copy[0] == 1 && copy[count - 1] == int(count));

  experimental::unmap(x, r.size, r.c);
  experimental::unmap(x + count, r.size, r.c);
  EXPECT(sycl::get_pointer_type(x, r.c) == sycl::usm::alloc::unknown);
  EXPECT(!permitted(x).read);
  int *again =
      static_cast<int *>(r.first.map(r.at + r.page, r.page, address_access_mode::read, 2 * r.page));
  EXPECT(again[0] == int(2 * r.page / sizeof(int)) + 1);
  experimental::unmap(again, r.page, r.c);
}

void modes() {
  range r;
  auto of = [&](std::size_t from, std::size_t pages) {
    return experimental::get_access_mode(r.place(from), pages * r.page, r.c);
  };
  auto set = [&](std::size_t from, std::size_t pages, address_access_mode mode) {
    experimental::set_access_mode(r.place(from), pages * r.page, mode, r.c);
  };
  r.first.map(r.at, r.size);
  r.second.map(r.at + r.size, r.size, address_access_mode::read_write);
  address_access_mode expected[8];
  for (int i = 0; i < 8; i++)
    expected[i] = i < 4 ? address_access_mode::none : address_access_mode::read_write;
  struct {
    std::size_t from, pages;
    address_access_mode mode;
  } changes[] = {{0, 4, address_access_mode::read_write}, {1, 2, address_access_mode::read},
                 {2, 4, address_access_mode::none},       {7, 1, address_access_mode::read},
                 {0, 8, address_access_mode::read},       {5, 1, address_access_mode::read_write},
                 {4, 2, address_access_mode::none}};
  auto check = [&] {
    for (std::size_t i = 0; i < 8; i++) {
      permissions now = permitted(r.place(i));
      EXPECT(of(i, 1) == expected[i]);
      EXPECT(now.read == (expected[i] != address_access_mode::none));
      EXPECT(now.write == (expected[i] == address_access_mode::read_write));
      auto least = expected[i]; // of all up to there
      for (std::size_t k = 0; k < i; k++) least = expected[k] < least ? expected[k] : least;
      EXPECT(of(0, i + 1) == least);
    }
  };
  check();
  for (auto &change : changes) {
    set(change.from, change.pages, change.mode);
    for (std::size_t i = 0; i < change.pages; i++) expected[change.from + i] = change.mode;
    check();
  }
  experimental::unmap(r.place(0), r.size, r.c);
  experimental::unmap(r.place(4), r.size, r.c);
}

void errors() {
  range r;
  auto invalid = sycl::errc::invalid;
  auto write = address_access_mode::read_write;
  std::size_t all = r.q.get_device().get_info<sycl::info::device::global_mem_size>();
  EXPECT(test::code_of([&] { physical_mem(r.q, all / r.page * r.page * 1024); }) ==
         sycl::errc::memory_allocation);
  EXPECT(test::code_of([&] { physical_mem(r.q, r.page / 2); }) == invalid);
  EXPECT(test::code_of([&] { r.first.map(r.at, r.size, write, r.page); }) == invalid);
  EXPECT(test::code_of([&] { r.first.map(r.at + 1, r.page, write); }) == invalid);
  EXPECT(test::code_of([&] { r.first.map(r.at + 2 * r.size, r.page, write); }) == invalid);
  void *x = r.first.map(r.at, r.size, write);
  EXPECT(test::code_of([&] { r.second.map(r.at + r.page, r.page, write); }) == invalid);
  EXPECT(test::code_of([&] { experimental::unmap(x, r.page, r.c); }) == invalid);
  EXPECT(test::code_of([&] { experimental::get_access_mode(x, 5 * r.page, r.c); }) == invalid);
  EXPECT(test::code_of([&] { experimental::free_virtual_mem(r.at, 2 * r.size, r.c); }) == invalid);
  experimental::unmap(x, r.size, r.c);
  EXPECT(test::code_of([&] { experimental::free_virtual_mem(r.at, r.size, r.c); }) == invalid);
  EXPECT(test::code_of([&] { experimental::unmap(x, r.size, r.c); }) == invalid);

  sycl::device d = r.q.get_device();
  if (d.get_info<sycl::info::device::max_compute_units>() < 2) return;
  auto parts = d.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  sycl::context of_part(parts[0]);
  EXPECT(physical_mem(parts[1], r.c, r.page).get_device() == parts[1]); // the device's descendant
  EXPECT(test::code_of([&] { physical_mem(d, of_part, r.page); }) == invalid);
  EXPECT(test::code_of([&] { physical_mem(parts[1], of_part, r.page); }) == invalid);
}

#endif

} // namespace

int main() {
#ifdef SYCL_EXT_ONEAPI_VIRTUAL_MEM
  EXPECT(sycl::device().has(sycl::aspect::ext_oneapi_virtual_mem));
  sizes();
  kernels();
  modes();
  errors();
#else
  refused();
#endif
  return test::result();
}
