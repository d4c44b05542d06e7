// What a group function costs in SYCL as `maniple c++` compiles it, beside plain loops over the
// same data, vectorised by the same compiler.
//
// One work-group does a collective again and again, each on what the one before gave; the time is
// the slope between few and many rounds, so that launches drop out.  Processor time, the best of
// several, kernel and loop in turn.  Prints the ratio, kernel over loop; WRONG if the two do not
// agree.
//
//   bench_sycl [most ratio]      exit status 1 if a ratio is above that, or an answer wrong
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

using u32 = std::uint32_t;

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

// Small and exact in any type; depends on the result before, so that rounds stay in order.
template <typename T> T mix(T before, u32 item, u32 round) {
  return T((u32(std::int32_t(before)) + item * 5u + round) & 7u);
}

// Each: what a work-item does in a round, and the same for the group as loops.
struct reduce {
  static constexpr const char *name = "reduce_over_group";
  template <typename T, typename G> static T item(G g, T s, u32 i, u32, u32 round) {
    return sycl::reduce_over_group(g, mix(s, i, round), sycl::plus<T>());
  }
  template <typename T> static void loop(T *s, u32 n, u32 round) {
    T sum = 0;
#pragma clang loop vectorize(assume_safety)
    for (u32 i = 0; i < n; i++) {
#pragma clang fp reassociate(on)
      sum += mix(s[i], i, round);
    }
    for (u32 i = 0; i < n; i++) s[i] = sum;
  }
};

struct broadcast {
  static constexpr const char *name = "group_broadcast";
  template <typename T, typename G> static T item(G g, T s, u32 i, u32 n, u32 round) {
    return sycl::group_broadcast(g, mix(s, i, round), round & (n - 1));
  }
  // Every work-item computes its value: which of them it may leave out only this loop knows.
  template <typename T> static void loop(T *s, u32 n, u32 round) {
    for (u32 i = 0; i < n; i++) s[i] = mix(s[i], i, round);
    T value = s[round & (n - 1)];
    for (u32 i = 0; i < n; i++) s[i] = value;
  }
};

struct scan {
  static constexpr const char *name = "exclusive_scan_over_group";
  template <typename T, typename G> static T item(G g, T s, u32 i, u32, u32 round) {
    return sycl::exclusive_scan_over_group(g, mix(s, i, round), sycl::plus<T>());
  }
  template <typename T> static void loop(T *s, u32 n, u32 round) {
    T sum = 0;
    for (u32 i = 0; i < n; i++) {
      T own = mix(s[i], i, round);
      s[i] = sum;
      sum += own;
    }
  }
};

struct any {
  static constexpr const char *name = "any_of_group";
  template <typename T, typename G> static T item(G g, T s, u32 i, u32, u32 round) {
    T own = mix(s, i, round);
    return T(own + T(sycl::any_of_group(g, own == T(round & 7u))));
  }
  template <typename T> static void loop(T *s, u32 n, u32 round) {
    int found = 0;
    for (u32 i = 0; i < n; i++) {
      s[i] = mix(s[i], i, round);
      found |= s[i] == T(round & 7u);
    }
    for (u32 i = 0; i < n; i++) s[i] += T(found);
  }
};

struct bench {
  sycl::queue queue{sycl::property::queue::in_order()};
  double most = 0;
  bool wrong = false;

  template <typename Body, typename T> double kernel(T *out, u32 n, u32 rounds) {
    double begin = now();
    queue
        .parallel_for(sycl::nd_range<1>(n, n),
                      [=](sycl::nd_item<1> it) {
                        u32 i = u32(it.get_local_id(0));
                        T s = T(i & 3u);
                        for (u32 round = 0; round < rounds; round++)
                          s = Body::item(it.get_group(), s, i, n, round);
                        out[i] = s;
                      })
        .wait();
    return now() - begin;
  }
  template <typename Body, typename T>
  [[gnu::noinline]] static double loop(T *s, u32 n, u32 rounds) {
    double begin = now();
    for (u32 i = 0; i < n; i++) s[i] = T(i & 3u);
    for (u32 round = 0; round < rounds; round++) Body::loop(s, n, round);
    return now() - begin;
  }

  template <typename Body, typename T> void compare(const char *type, u32 n) {
    enum { few = 64, times = 15 };
    u32 many = few + (1u << 20) / n;
    T *out = sycl::malloc_shared<T>(n, queue);
    std::vector<T> right(n);
    double best[2][2] = {{1e18, 1e18}, {1e18, 1e18}};
    auto keep = [](double &best, double time) { best = time < best ? time : best; };
    for (int t = 0; t < times; t++) {
      keep(best[0][0], kernel<Body, T>(out, n, few));
      keep(best[1][0], loop<Body, T>(right.data(), n, few));
      keep(best[0][1], kernel<Body, T>(out, n, many));
      keep(best[1][1], loop<Body, T>(right.data(), n, many));
    }
    double ours = (best[0][1] - best[0][0]) / (many - few);
    double plain = (best[1][1] - best[1][0]) / (many - few), ratio = ours / plain;
    bool good = true;
    for (u32 i = 0; i < n; i++) good = good && out[i] == right[i];
    std::printf("%-26s %-6s %5u %9.1f %9.1f %7.2f%s\n", Body::name, type, n, ours, plain, ratio,
                good ? "" : "  WRONG");
    most = ratio > most ? ratio : most;
    wrong = wrong || !good;
    sycl::free(out, queue);
  }

  template <typename Body> void all() {
    for (u32 n : {64u, 256u, 1024u}) {
      compare<Body, std::int32_t>("int", n);
      compare<Body, float>("float", n);
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  bench b;
  double limit = argc > 1 ? std::atof(argv[1]) : 1e9;
  std::printf("%-26s %-6s %5s %9s %9s %7s\n", "group function", "type", "group", "ns", "loops ns",
              "ratio");
  b.all<reduce>();
  b.all<broadcast>();
  b.all<scan>();
  b.all<any>();
  std::printf("largest ratio %.2f\n", b.most);
  return b.wrong || b.most > limit;
}
