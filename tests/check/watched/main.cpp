// main NAME: a command group with one mistake in its accesses to memory; what is reported stands in
// NAME.ref.  Compiled with the accesses watched (docs/checking.md).
#include "../mistakes/sycl/mistake.hpp"

#include <cstring>
#include <string>

// Barriers between writes and reads, but none between the reads and the writes of the next turn.
MISTAKE(next_turn) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> tile(32, h);
    h.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
      size_t i = it.get_local_id(0);
      int sum = 0;
      for (int turn = 0; turn < 3; turn++) {
        tile[i] = turn;
        sycl::group_barrier(it.get_group());
        sum += tile[31 - i];
      }
      out[i] = sum;
    });
  });
}

MISTAKE(groups) {
  q.parallel_for(sycl::nd_range<1>(64, 32),
                 [=](sycl::nd_item<1> it) { out[it.get_local_id(0)] = int(it.get_global_id(0)); });
}

// Work-items without groups.
MISTAKE(range) {
  q.parallel_for(sycl::range<1>(32), [=](sycl::id<1> i) { out[0] += int(i[0]); });
}

MISTAKE(buffers) {
  int data[32] = {};
  sycl::buffer<int> b(data, sycl::range<1>(32));
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
      size_t i = it.get_local_id(0);
      a[i] = a[(i + 16) % 32] + 1;
    });
  });
}

// One of the accesses is atomic.
MISTAKE(half_atomic) {
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(out[0]);
    sum += 1;
    out[1 + it.get_local_id(0)] = out[0];
  });
}

MISTAKE(unwritten) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> tile(33, h);
    h.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
      size_t i = it.get_local_id(0);
      tile[i] = int(i);
      sycl::group_barrier(it.get_group());
      out[i] = tile[i + 1];
    });
  });
}

MISTAKE(unwritten_sum) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> sum(1, h);
    h.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
      if (it.get_local_id(0) == 0) sum[0] += 1;
      out[it.get_local_id(0)] = 0;
    });
  });
}

MISTAKE(copied) {
  struct block {
    int values[40];
  };
  block *blocks = sycl::malloc_shared<block>(2, q);
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
    if (it.get_local_id(0) == 3) std::memcpy(&blocks[0], &blocks[1], sizeof *blocks);
    if (it.get_local_id(0) == 9) blocks[0].values[39] = 1;
  });
  q.wait();
  sycl::free(blocks, q);
}

// What a work-group releases for itself another one acquires.
MISTAKE(scope) {
  q.parallel_for(sycl::nd_range<1>(64, 32), [=](sycl::nd_item<1> it) {
    constexpr auto scope = sycl::memory_scope::work_group;
    sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> flag(out[0]);
    if (it.get_global_id(0) == 0) {
      out[1] = 5;
      flag.store(1, sycl::memory_order::release, scope);
    } else if (it.get_global_id(0) == 32) {
      if (flag.load() == 1) out[2] = out[1];
    }
  });
}

int main(int, char **argv) {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(64, q);
  std::memset(out, 0, 64 * sizeof *out);
  for (named_mistake *each = named_mistake::all; each; each = each->next) {
    if (std::string(each->name) != argv[1]) continue;
    each->run(q, out);
    q.wait();
  }
  sycl::free(out, q);
}
