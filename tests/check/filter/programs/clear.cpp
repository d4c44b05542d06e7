// clear CASE: right kernels in SYCL, each of which its filter clears of suspicion, as clear.c.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int count = 1024, group_size = 128, side = 32, tile_side = 8;
int bad;

#define EXPECT(got, wanted)                                                                        \
  do {                                                                                             \
    if ((got) == (wanted)) break;                                                                  \
    if (bad++ < 3)                                                                                 \
      std::printf("line %d: %g and not %g\n", __LINE__, double(got), double(wanted));              \
  } while (0)

const sycl::nd_range<1> groups(count, group_size);

template <typename T> T *shared(sycl::queue &q, int n = count) {
  T *memory = sycl::malloc_shared<T>(n, q);
  for (int i = 0; i < n; i++) memory[i] = T(i);
  return memory;
}

void usm(sycl::queue q) {
  int *a = shared<int>(q), *b = shared<int>(q);
  q.parallel_for(groups, [=](sycl::nd_item<1> it) {
     a[it.get_global_id(0)] += 2 * b[it.get_global_id(0)];
   }).wait();
  for (int i = 0; i < count; i++) EXPECT(a[i], 3 * i);
}

void range(sycl::queue q) {
  int *a = shared<int>(q), *b = shared<int>(q);
  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { a[i] += b[i]; }).wait();
  q.parallel_for(sycl::range<2>(side, side), [=](sycl::item<2> at) {
     a[at.get_linear_id()] += b[at[1] * side + at[0]];
   }).wait();
  for (int i = 0; i < count; i++) EXPECT(a[i], 2 * i + i % side * side + i / side);
}

void accessors(sycl::queue q) {
  std::vector<int> data(count, 3);
  {
    sycl::buffer<int> first(data.data(), sycl::range<1>(count));
    sycl::buffer<int, 2> second{sycl::range<2>(side, side)};
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(first, h, sycl::read_only);
      sycl::accessor out(second, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::range<2>(side, side),
                     [=](sycl::id<2> at) { out[at] = in[at[0] * side + at[1]] * int(at[0]); });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(second, h, sycl::read_only);
      sycl::accessor out(first, h);
      h.parallel_for(groups, [=](sycl::nd_item<1> it) {
        std::size_t i = it.get_global_id(0);
        out[i] += in[i / side][i % side];
      });
    });
  }
  for (int i = 0; i < count; i++) EXPECT(data[i], 3 + 3 * (i / side));
}

void local(sycl::queue q) {
  int *a = shared<int>(q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> tile(group_size, h);
     sycl::local_accessor<double, 2> other({2, 4}, h);
     h.parallel_for(groups, [=](sycl::nd_item<1> it) {
       int l = int(it.get_local_id(0));
       tile[l] = a[it.get_global_id(0)];
       if (l < 8) other[l / 4][l % 4] = l;
       sycl::group_barrier(it.get_group());
       a[it.get_global_id(0)] = tile[group_size - 1 - l] + int(other[l & 1][l >> 1 & 3]);
     });
   }).wait();
  for (int i = 0; i < count; i++) {
    int l = i % group_size;
    EXPECT(a[i], i - l + group_size - 1 - l + (l & 1) * 4 + (l >> 1 & 3));
  }
}

void tree(sycl::queue q) {
  float *a = shared<float>(q), *sums = shared<float>(q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<float> tile(group_size, h);
     h.parallel_for(groups, [=](sycl::nd_item<1> it) {
       std::size_t l = it.get_local_id(0);
       tile[l] = a[it.get_global_id(0)];
       for (std::size_t step = group_size / 2; step; step /= 2) {
         sycl::group_barrier(it.get_group());
         if (l < step) tile[l] += tile[l + step];
       }
       if (it.get_group().leader()) sums[it.get_group(0)] = tile[0];
     });
   }).wait();
  for (int g = 0; g < count / group_size; g++)
    EXPECT(sums[g], float(g * group_size * group_size + group_size * (group_size - 1) / 2));
}

void algorithms(sycl::queue q) {
  int *a = shared<int>(q), *out = shared<int>(q);
  int limit = 500;
  q.parallel_for(groups, [=](sycl::nd_item<1> it) {
     auto g = it.get_group();
     int x = a[it.get_global_id(0)];
     int sum = sycl::reduce_over_group(g, x, sycl::plus<>());
     int before = sycl::exclusive_scan_over_group(g, x, sycl::maximum<>());
     bool any = sycl::any_of_group(g, x, [=](int y) { return y > limit; });
     out[it.get_global_id(0)] = sum + sycl::group_broadcast(g, x, 5) + (any ? 1 : 0) +
                                (it.get_local_id(0) ? before : 0);
   }).wait();
  for (int i = 0; i < count; i++) {
    int first = i / group_size * group_size;
    int sum = first * group_size + group_size * (group_size - 1) / 2 + first + 5;
    EXPECT(out[i], sum + (first + group_size - 1 > limit) + (i > first ? i - 1 : 0));
  }
}

void joint(sycl::queue q) {
  int *a = shared<int>(q), *out = shared<int>(q);
  q.parallel_for(groups, [=](sycl::nd_item<1> it) {
     out[it.get_global_id(0)] = sycl::joint_reduce(it.get_group(), a, a + 1000, sycl::plus<>());
   }).wait();
  for (int i = 0; i < count; i++) EXPECT(out[i], 499500);
}

void product(sycl::queue q) {
  float *a = shared<float>(q), *b = shared<float>(q), *c = shared<float>(q);
  for (int i = 0; i < count; i++) a[i] = float(i % 7), b[i] = float(i % 5);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<float, 2> left({tile_side, tile_side}, h), right({tile_side, tile_side}, h);
     h.parallel_for(sycl::nd_range<2>({side, side}, {tile_side, tile_side}),
                    [=](sycl::nd_item<2> it) {
                      std::size_t y = it.get_local_id(0), x = it.get_local_id(1);
                      std::size_t row = it.get_global_id(0), column = it.get_global_id(1);
                      float sum = 0;
                      for (int t = 0; t < side; t += tile_side) {
                        left[y][x] = a[row * side + t + x];
                        right[y][x] = b[(t + y) * side + column];
                        sycl::group_barrier(it.get_group());
                        for (int k = 0; k < tile_side; k++) sum += left[y][k] * right[k][x];
                        sycl::group_barrier(it.get_group());
                      }
                      c[row * side + column] = sum;
                    });
   }).wait();
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      float sum = 0;
      for (int k = 0; k < side; k++) sum += a[y * side + k] * b[k * side + x];
      EXPECT(c[y * side + x], sum);
    }
}

void arrays(sycl::queue q) {
  int *a = shared<int>(q);
  sycl::vec<float, 4> *v = sycl::malloc_shared<sycl::vec<float, 4>>(count, q);
  q.parallel_for(groups, [=](sycl::nd_item<1> it) {
     int counts[4] = {}, i = int(it.get_global_id(0));
     for (int k = 0; k < 12; k++) counts[(i >> k) & 3]++;
     v[i] = sycl::vec<float, 4>(float(i)) * 2.0f;
     a[i] = counts[i & 3] + int(v[i].y());
   }).wait();
  for (int i = 0; i < count; i++) {
    int same = 0;
    for (int k = 0; k < 12; k++) same += ((i >> k) & 3) == (i & 3);
    EXPECT(a[i], same + 2 * i);
  }
}

void atomics(sycl::queue q) {
  int *bins = shared<int>(q, 16);
  q.parallel_for(groups, [=](sycl::nd_item<1> it) {
     sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> bin(
         bins[it.get_global_id(0) & 15]);
     bin += 1;
   }).wait();
  for (int i = 0; i < 16; i++) EXPECT(bins[i], i + count / 16);
}

void sub_groups(sycl::queue q) {
  int *a = shared<int>(q), *out = shared<int>(q);
  q.parallel_for(groups, [=](sycl::nd_item<1> it) {
     auto sg = it.get_sub_group();
     int x = a[it.get_global_id(0)];
     int sum = sycl::reduce_over_group(sg, x, sycl::plus<>());
     sum += sycl::reduce_over_group(sg, x, sycl::bit_or<>());
     sum += sycl::permute_group_by_xor(sg, x, 3);
     sum += sycl::select_from_group(sg, x, (sg.get_local_id() + 1) % 16);
     out[it.get_global_id(0)] = sum + sycl::group_broadcast(sg, x, 2);
   }).wait();
  for (int i = 0; i < count; i++) {
    int first = i / 16 * 16;
    EXPECT(out[i], 16 * first + 120 + (first | 15) + (i ^ 3) + first + (i + 1) % 16 + first + 2);
  }
}

void reductions(sycl::queue q) {
  int *a = shared<int>(q), *sum = shared<int>(q, 1);
  q.parallel_for(groups, sycl::reduction(sum, sycl::plus<>()), [=](sycl::nd_item<1> it, auto &r) {
     r += a[it.get_global_id(0)];
   }).wait();
  EXPECT(sum[0], count * (count - 1) / 2);
}

struct { const char *name; void (*run)(sycl::queue); } cases[] = {
#define CASE(name) {#name, name}
    CASE(usm), CASE(range), CASE(accessors), CASE(local), CASE(tree), CASE(algorithms), CASE(joint),
    CASE(product), CASE(arrays), CASE(atomics), CASE(sub_groups), CASE(reductions)};

} // namespace

int main(int argc, char **argv) {
  for (auto &each : cases) {
    if (argc < 2) std::puts(each.name);
    if (argc > 1 && !std::strcmp(argv[1], each.name)) each.run(sycl::queue(sycl::property::queue::in_order()));
  }
  return bad != 0;
}
