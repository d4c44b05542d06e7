// Groups that are parts of sub-groups: chunks, fragments, tangles.  Every group function and
// algorithm over them, in converged flow and under branches, against serial loops over the members,
// which the host finds from the place of each work-item and the rule that its part was made by.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <cstdint>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;

struct pair {
  std::int64_t first;
  char second;
};

enum { joint = 37 };

struct record {
  std::int64_t local_id, local_range, group_id, group_range, leader, lane, sub_group;
  std::int64_t sum, least, before, most_before, votes, first, last, left, right, across, chosen;
  std::int64_t joint_sum, joint_votes, neighbour, pair, vector;
  double product;
  std::int64_t scan[joint];
};

std::int64_t value_of(std::size_t i) {
  return std::int64_t((i * 2654435761u) % 1000) - 400;
}

/* What one work-item asks of its group. */
template <typename Group>
void ask(Group g, std::size_t i, const int *in, int *beside, record &r, int *scan) {
  int x = int(value_of(i));
  std::uint32_t me = g.get_local_linear_id(), count = g.get_local_linear_range();
  r.local_id = me, r.local_range = count, r.leader = g.leader();
  r.group_id = g.get_group_linear_id(), r.group_range = g.get_group_linear_range();
  r.sum = sycl::reduce_over_group(g, x, sycl::plus<>());
  r.least = sycl::inclusive_scan_over_group(g, x, sycl::minimum<>());
  r.before = sycl::exclusive_scan_over_group(g, x, 1000, sycl::plus<>());
  r.most_before = sycl::exclusive_scan_over_group(g, std::int16_t(x), sycl::maximum<>());
  r.votes = sycl::any_of_group(g, x > 500) + 2 * sycl::all_of_group(g, x > -300) +
            4 * sycl::none_of_group(g, x, [](int v) { return v % 7 == 0; });
  r.first = sycl::group_broadcast(g, x);
  r.last = sycl::group_broadcast(g, x, count - 1);
  r.left = sycl::shift_group_left(g, x, 1);
  r.right = sycl::shift_group_right(g, x, 2);
  r.across = sycl::permute_group_by_xor(g, x, 1);
  r.chosen = sycl::select_from_group(g, x, (me * 3 + 1) % count);
  r.joint_sum = sycl::joint_reduce(g, in, in + joint, 5, sycl::plus<>());
  r.joint_votes = sycl::joint_any_of(g, in, in + joint, [](int v) { return v == 399; }) +
                  2 * sycl::joint_all_of(g, in, in + joint, [](int v) { return v > -401; });
  *beside = x;
  sycl::group_barrier(g);
  std::int64_t next = sycl::select_from_group(g, beside - &beside[0], (me + 1) % count);
  int *theirs = sycl::select_from_group(g, beside, (me + 1) % count);
  r.neighbour = *theirs + next;
  pair p = sycl::group_broadcast(g, pair{x, char(x)}, count / 2);
  r.pair = p.first * 256 + std::uint8_t(p.second);
  auto v = sycl::reduce_over_group(g, sycl::vec<int, 2>(x, 2 * x), sycl::plus<>());
  r.vector = v[0] + v[1];
  r.product = sycl::inclusive_scan_over_group(g, x % 3 + 0.5, sycl::multiplies<>());
  int *mine = sycl::group_broadcast(g, scan);
  int *end = sycl::joint_inclusive_scan(g, in, in + joint, mine, sycl::plus<>());
  for (int k = 0; k < joint; k++) r.scan[k] = mine[k] + (end - mine - joint);
}

struct answers {
  std::vector<std::size_t> members; /* in their order */
  std::size_t me;

  std::int64_t at(std::size_t place) const { return value_of(members[place]); }
  void compare(const record &r) const;
  void compare_joint(const record &r) const;
};

void answers::compare(const record &r) const {
  std::size_t count = members.size();
  std::int64_t sum = 0, least = 1000, before = 1000, most = INT16_MIN;
  double product = 1;
  bool any = false, all = true, none = true;
  for (std::size_t k = 0; k < count; k++) {
    sum += at(k);
    if (k <= me) least = at(k) < least ? at(k) : least, product *= double(at(k) % 3) + 0.5;
    if (k < me) before += at(k), most = at(k) > most ? at(k) : most;
    any |= at(k) > 500, all &= at(k) > -300, none &= at(k) % 7 != 0;
  }
  EXPECT(r.local_id == std::int64_t(me) && r.local_range == std::int64_t(count));
  EXPECT(r.leader == (me == 0) && r.sum == sum && r.least == least && r.before == before);
  EXPECT(r.most_before == most && r.votes == any + 2 * all + 4 * none);
  EXPECT(r.first == at(0) && r.last == at(count - 1));
  EXPECT(me + 1 >= count || r.left == at(me + 1));
  EXPECT(me < 2 || r.right == at(me - 2));
  EXPECT((me ^ 1) >= count || r.across == at(me ^ 1));
  EXPECT(r.chosen == at((me * 3 + 1) % count) && r.neighbour == at((me + 1) % count));
  EXPECT(r.pair == at(count / 2) * 256 + std::uint8_t(at(count / 2)) && r.vector == 3 * sum);
  EXPECT(r.product == product);
  compare_joint(r);
}

void answers::compare_joint(const record &r) const {
  std::int64_t upto = 0;
  bool any = false, all = true;
  for (std::size_t k = 0; k < joint; k++) {
    upto += value_of(k);
    any |= value_of(k) == 399, all &= value_of(k) > -401;
    EXPECT(r.scan[k] == upto);
  }
  EXPECT(r.joint_sum == upto + 5 && r.joint_votes == any + 2 * all);
}

/* Runs `kernel`, which fills in the records of the work-items whose `key` is not negative;
 * work-items of one sub-group with the same key are one part, whose number and range are the last
 * two. */
template <typename Kernel, typename Key>
void run(std::size_t local, const Kernel &kernel, Key key, std::int64_t (*number)(std::int64_t),
         std::int64_t range) {
  sycl::queue q = test::make_queue();
  std::size_t global = local * 2;
  record *out = sycl::malloc_shared<record>(global, q);
  int *in = sycl::malloc_shared<int>(joint, q);
  int *scan = sycl::malloc_shared<int>(global * joint, q);
  for (std::size_t i = 0; i < joint; i++) in[i] = int(value_of(i));
  for (std::size_t i = 0; i < global; i++) out[i] = record();
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> beside(local, h);
     h.parallel_for(sycl::nd_range<1>(global, local), [=](sycl::nd_item<1> it) {
       std::size_t i = it.get_global_id(0);
       sycl::sub_group s = it.get_sub_group();
       out[i].lane = s.get_local_linear_id();
       out[i].sub_group = std::int64_t(it.get_group(0) * 1000 + s.get_group_linear_id());
       kernel(s, s.get_local_linear_id(), [&](auto g) {
         ask(g, i, in, &beside[it.get_local_id(0)], out[i], scan + i * joint);
       });
     });
   }).wait_and_throw();
  for (std::size_t i = 0; i < global; i++) {
    std::int64_t mine = key(out[i].lane);
    if (mine < 0) {
      EXPECT(out[i].local_range == 0);
      continue;
    }
    answers a;
    for (std::size_t k = 0; k < global; k++) {
      if (out[k].sub_group != out[i].sub_group || key(out[k].lane) != mine) continue;
      if (k == i) a.me = a.members.size();
      a.members.push_back(k);
    }
    a.compare(out[i]);
    EXPECT(out[i].group_id == number(mine));
    EXPECT(out[i].group_range == range || range == 0);
  }
  sycl::free(out, q);
  sycl::free(in, q);
  sycl::free(scan, q);
}

std::int64_t itself(std::int64_t key) {
  return key;
}
std::int64_t none(std::int64_t) {
  return 0;
}

void chunks(std::size_t local) {
  run(
      local,
      [](sycl::sub_group s, std::uint32_t, auto then) {
        then(experimental::chunked_partition<4>(s));
      },
      [](std::int64_t lane) { return lane / 4; }, itself, local == 4 ? 1 : 0);
}

/* A chunk of a chunk: sums, and its number among those of its parent. */
void inner_chunks() {
  sycl::queue q = test::make_queue();
  const std::size_t size = 48;
  std::int64_t *out = sycl::malloc_shared<std::int64_t>(size * 4, q);
  q.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
     auto eight = experimental::chunked_partition<8>(it.get_sub_group());
     auto two = experimental::chunked_partition<2>(eight);
     std::int64_t *mine = out + it.get_global_id(0) * 4;
     mine[0] = two.get_group_linear_id() * 10 + two.get_group_linear_range();
     mine[1] = sycl::reduce_over_group(two, value_of(it.get_global_id(0)), sycl::plus<>());
     experimental::fragment<decltype(eight)> same = two;
     mine[2] = same.get_group_linear_id() * 10 + same.get_group_linear_range();
     mine[3] = same.get_local_linear_id() * 10 + same.get_local_linear_range();
   }).wait_and_throw();
  for (std::size_t i = 0; i < size; i++) {
    const std::int64_t *mine = out + i * 4;
    EXPECT(mine[0] == std::int64_t(i / 2 % 4 * 10 + 4) && mine[2] == mine[0]);
    EXPECT(mine[1] == value_of(i) + value_of(i ^ 1) && mine[3] == std::int64_t(i % 2 * 10 + 2));
  }
  sycl::free(out, q);
}

void fragments(std::size_t local) {
  // Both at once.
  run(
      local,
      [](sycl::sub_group s, std::uint32_t lane, auto then) {
        then(experimental::get_ballot_group(s, lane > 6));
      },
      [](std::int64_t lane) { return std::int64_t(lane > 6); }, itself, 2);
  // Parts of a part, two at once on each side of a branch.
  run(
      local,
      [](sycl::sub_group s, std::uint32_t lane, auto then) {
        auto outer = experimental::binary_partition(s, lane % 5 < 3);
        auto inner = experimental::binary_partition(outer, lane & 1);
        sycl::group_barrier(outer);
        if (lane & 1)
          then(inner);
        else
          then(inner);
      },
      [](std::int64_t lane) { return (lane % 5 < 3) * 2 + (lane & 1); },
      [](std::int64_t key) { return key & 1; }, 2);
}

void tangles(std::size_t local) {
  run(
      local,
      [](sycl::sub_group s, std::uint32_t lane, auto then) {
        if (lane % 4 != 2 && lane > 5) then(experimental::entangle(s));
      },
      [](std::int64_t lane) { return lane % 4 == 2 || lane <= 5 ? -1 : 0; }, none, 1);
}

/* Whoever comes together takes numbers together: each number is taken once. */
void numbers(std::size_t local) {
  sycl::queue q = test::make_queue();
  std::size_t global = local * 2, count = 0;
  int *next = sycl::malloc_shared<int>(1, q), *taken = sycl::malloc_shared<int>(global * 4, q);
  *next = 0;
  for (std::size_t i = 0; i < global * 4; i++) taken[i] = -1;
  q.parallel_for(sycl::nd_range<1>(global, local), [=](sycl::nd_item<1> it) {
     std::size_t i = it.get_global_id(0);
     for (std::size_t k = 0; k < i % 5; k++) {
       auto those = experimental::this_kernel::get_opportunistic_group();
       int first = 0;
       if (those.leader()) {
         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> all(*next);
         first = all.fetch_add(int(those.get_local_linear_range()));
       }
       taken[i * 4 + k] = sycl::group_broadcast(those, first) + int(those.get_local_linear_id());
     }
   }).wait_and_throw();
  for (std::size_t i = 0; i < global; i++) count += i % 5;
  std::vector<bool> seen(count);
  EXPECT(*next == int(count));
  for (std::size_t i = 0; i < global; i++)
    for (std::size_t k = 0; k < 4; k++) {
      int n = taken[i * 4 + k];
      if (k >= i % 5) {
        EXPECT(n == -1);
      } else if (EXPECT(n >= 0 && n < int(count))) {
        EXPECT(!seen[std::size_t(n)]);
        seen[std::size_t(n)] = true;
      }
    }
  sycl::free(next, q);
  sycl::free(taken, q);
}

using whole = sycl::sub_group;
static_assert(sycl::is_group_v<experimental::fragment<whole>> &&
              sycl::is_group_v<experimental::chunk<8, whole>> &&
              sycl::is_group_v<experimental::tangle<whole>> &&
              sycl::is_group_v<experimental::opportunistic_group>);
static_assert(experimental::is_user_constructed_group_v<experimental::fixed_size_group<4, whole>> &&
              experimental::is_user_constructed_group_v<experimental::ballot_group<whole>> &&
              !experimental::is_user_constructed_group_v<whole> &&
              experimental::is_fixed_topology_group_v<whole> &&
              experimental::is_fixed_topology_group_v<sycl::group<2>>);

} // namespace

int main() {
  sycl::device d = test::make_queue().get_device();
  EXPECT(d.has(sycl::aspect::ext_oneapi_chunk) && d.has(sycl::aspect::ext_oneapi_fragment) &&
         d.has(sycl::aspect::ext_oneapi_tangle));
  for (std::size_t local : {4, 32}) chunks(local);
  inner_chunks();
  for (std::size_t local : {5, 16, 40}) {
    fragments(local);
    tangles(local);
    numbers(local);
  }
  return test::result();
}
