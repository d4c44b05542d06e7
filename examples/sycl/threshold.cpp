// Example in SYCL: a photograph in black and white, with the threshold that separates dark from
// bright best (Otsu 1979): the level at which the variance between the two classes is largest.
//   histogram   each work-group counts its pixels in local memory
//   threshold   one work-group of 256, a work-item for each level: two scans and a reduction
//   apply       each pixel by itself
#include <sycl/sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

extern "C" {
#include "../equalise/picture.h"
}

namespace {

constexpr std::size_t levels = 256, pixels_per_item = 64;

// Variance between the pixels up to a level and the others, but for a constant factor.  Exact: sums
// of 2^26 pixels fit, and both sides compute the same.
double separation(std::uint64_t below, std::uint64_t sum_below, std::uint64_t all,
                  std::uint64_t sum) {
  if (below == 0 || below == all) return 0;
  double above = double(all - below);
  double difference = double(sum_below) / double(below) - double(sum - sum_below) / above;
  return double(below) * above * difference * difference;
}

// The same in plain C++.
unsigned plain_threshold(const picture &p) {
  std::uint64_t counts[levels] = {}, all = std::uint64_t(p.width) * p.height, sum = 0;
  for (std::uint64_t i = 0; i < all; i++) counts[p.pixels[i]]++;
  for (std::size_t i = 0; i < levels; i++) sum += i * counts[i];
  std::uint64_t below = 0, sum_below = 0;
  unsigned best = 0;
  double most = -1;
  for (unsigned i = 0; i < levels; i++) {
    below += counts[i];
    sum_below += i * counts[i];
    double s = separation(below, sum_below, all, sum);
    if (s > most) {
      most = s;
      best = i;
    }
  }
  return best;
}

void count_levels(sycl::queue &q, sycl::buffer<unsigned char> &picture,
                  sycl::buffer<std::uint32_t> &counts) {
  std::size_t pixels = picture.size();
  std::size_t items = (pixels + pixels_per_item - 1) / pixels_per_item;
  std::size_t groups = (items + levels - 1) / levels;
  q.submit([&](sycl::handler &h) {
    sycl::accessor from(picture, h, sycl::read_only);
    sycl::accessor to(counts, h);
    sycl::local_accessor<std::uint32_t> mine(levels, h);
    h.parallel_for<class histogram>(sycl::nd_range<1>(groups * levels, levels), [=](sycl::nd_item<1>
                                                                                        it) {
      std::size_t level = it.get_local_id(0), begin = it.get_global_id(0) * pixels_per_item;
      mine[level] = 0;
      sycl::group_barrier(it.get_group());
      for (std::size_t i = begin; i < begin + pixels_per_item && i < pixels; i++)
        sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed,
                         sycl::memory_scope::work_group>(mine[from[i]])++;
      sycl::group_barrier(it.get_group());
      if (mine[level])
        sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>(
            to[level]) += mine[level];
    });
  });
}

void find_threshold(sycl::queue &q, sycl::buffer<std::uint32_t> &counts,
                    sycl::buffer<std::uint32_t> &threshold) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor from(counts, h, sycl::read_only);
    sycl::accessor to(threshold, h, sycl::write_only);
    h.parallel_for<class otsu>(sycl::nd_range<1>(levels, levels), [=](sycl::nd_item<1> it) {
      auto group = it.get_group();
      std::uint64_t level = it.get_local_id(0), count = from[level];
      std::uint64_t below = sycl::inclusive_scan_over_group(group, count, sycl::plus<>());
      std::uint64_t sum_below =
          sycl::inclusive_scan_over_group(group, level * count, sycl::plus<>());
      std::uint64_t all = sycl::group_broadcast(group, below, levels - 1);
      std::uint64_t sum = sycl::group_broadcast(group, sum_below, levels - 1);
      double mine = separation(below, sum_below, all, sum);
      double most = sycl::reduce_over_group(group, mine, sycl::maximum<>());
      std::uint64_t first =
          sycl::reduce_over_group(group, mine == most ? level : levels, sycl::minimum<>());
      if (group.leader()) to[0] = std::uint32_t(first);
    });
  });
}

void apply(sycl::queue &q, sycl::buffer<unsigned char> &picture,
           sycl::buffer<std::uint32_t> &threshold) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor pixels(picture, h);
    sycl::accessor level(threshold, h, sycl::read_only);
    h.parallel_for<class black_and_white>(
        picture.get_range(), [=](sycl::id<1> i) { pixels[i] = pixels[i] > level[0] ? 255 : 0; });
  });
}

// The whole job on the pixels as they are; returns the threshold.
std::uint32_t black_and_white_by_kernels(sycl::queue &q, unsigned char *image, std::size_t size) {
  std::uint32_t found = 0;
  std::vector<std::uint32_t> zeros(levels);
  {
    sycl::buffer<unsigned char> pixels(image, size);
    sycl::buffer counts(zeros);
    sycl::buffer<std::uint32_t> threshold(&found, 1);
    count_levels(q, pixels, counts);
    find_threshold(q, counts, threshold);
    apply(q, pixels, threshold);
  } // the buffers end here: the pixels and the threshold are up to date
  q.wait_and_throw();
  return found;
}

std::uint32_t black_and_white_by_loops(picture &p) {
  unsigned found = plain_threshold(p);
  for (std::size_t i = 0; i < std::size_t(p.width) * p.height; i++)
    p.pixels[i] = p.pixels[i] > found ? 255 : 0;
  return found;
}

// The result of `job`, each time on a copy of the picture, which is the result in the end; and the
// best time in milliseconds.
template <typename F>
std::uint32_t timed(const std::vector<unsigned char> &original, picture &p, double &best, F job) {
  using clock = std::chrono::steady_clock;
  std::uint32_t found = 0;
  for (int run = 0; run < 20; run++) {
    std::copy(original.begin(), original.end(), p.pixels);
    auto begin = clock::now();
    found = job();
    double time = std::chrono::duration<double, std::milli>(clock::now() - begin).count();
    best = run && best < time ? best : time;
  }
  return found;
}

int run(const char *in, const char *out) {
  sycl::queue q([](sycl::exception_list errors) {
    for (const auto &error : errors) std::rethrow_exception(error);
  });
  picture p = picture_read(in);
  std::size_t size = std::size_t(p.width) * p.height;
  std::vector<unsigned char> original(p.pixels, p.pixels + size);
  double ours, plain;
  std::uint32_t expected = timed(original, p, plain, [&] { return black_and_white_by_loops(p); });
  std::vector<unsigned char> right(p.pixels, p.pixels + size);
  std::uint32_t found =
      timed(original, p, ours, [&] { return black_and_white_by_kernels(q, p.pixels, size); });
  bool good = found == expected && std::equal(right.begin(), right.end(), p.pixels);
  const char *name = std::strrchr(in, '/');
  std::printf("   %s, %u x %u, on %s\n   threshold %u, plain C++ finds %u; all pixels %s\n",
              name ? name + 1 : in, p.width, p.height,
              q.get_device().get_info<sycl::info::device::name>().c_str(), found, expected,
              good ? "equal" : "NOT equal");
  std::printf("   kernels   %8.3f ms\n   plain C++ %8.3f ms   1 thread; %.1fx\n", ours, plain,
              plain / ours);
  picture_write(out, &p);
  std::printf("   black and white: %s\n", out);
  std::free(p.pixels);
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: example_sycl IN.png OUT.png\n");
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "example_sycl: %s\n", e.what());
    return 1;
  }
}
