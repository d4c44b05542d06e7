// Graphs of commands (sycl_ext_oneapi_graph): what they compute, run after run, against plain loops,
// their edges against what the program says, and what is refused.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <sstream>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
namespace property = experimental::property;
using experimental::command_graph;
using experimental::graph_state;
using experimental::node;
using experimental::node_type;
using experimental::queue_state;
using executable = command_graph<graph_state::executable>;

constexpr int n = 64;

template <typename F> sycl::errc code(const F &f) {
  return test::code_of(f);
}
bool has(const std::vector<node> &list, const node &one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

// --- Nodes that are added ---------------------------------------------------------------------------

void added(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(n, q), *sum = sycl::malloc_shared<int>(2, q);
  command_graph graph(q.get_context(), q.get_device());
  EXPECT(graph.empty() && graph.get_nodes().empty());
  node fill = graph.add([&](sycl::handler &h) { h.fill(x, 1, n); });
  node scan = graph.add(
      [&](sycl::handler &h) {
        h.parallel_for(sycl::nd_range<1>(n, 16), [=](sycl::nd_item<1> it) {
          int i = int(it.get_global_id(0));
          x[i] = sycl::inclusive_scan_over_group(it.get_group(), x[i], sycl::plus<>());
        });
      },
      {property::node::depends_on(fill)});
  node join = graph.add();
  graph.make_edge(scan, join);
  node add = graph.add(
      [&](sycl::handler &h) {
        h.parallel_for(n, sycl::reduction(sum, sycl::plus<>()),
                       [=](sycl::id<1> i, auto &s) { s += x[i]; });
      },
      {property::node::depends_on(join)});
  node host = graph.add([&](sycl::handler &h) { h.host_task([=] { sum[1] = 2 * sum[0]; }); },
                        {property::node::depends_on_all_leaves()});
  EXPECT(fill.get_type() == node_type::memfill && scan.get_type() == node_type::kernel &&
         join.get_type() == node_type::empty && host.get_type() == node_type::host_task);
  EXPECT(graph.get_nodes().size() == 5 && graph.get_root_nodes() == std::vector<node>{fill});
  EXPECT(join.get_predecessors() == std::vector<node>{scan} &&
         fill.get_successors() == std::vector<node>{scan} &&
         host.get_predecessors() == std::vector<node>{add} && host.get_successors().empty());
  EXPECT(code([&] { graph.make_edge(host, fill); }) == sycl::errc::invalid);
  EXPECT(code([&] { graph.make_edge(host, host); }) == sycl::errc::invalid);
  sum[0] = 5;
  executable run = graph.finalize();
  EXPECT(sum[0] == 5); // nothing has run
  int expected = 5;
  for (int i = 0; i < 3; i++) { // the sum is added to what was there
    q.ext_oneapi_graph(run).wait();
    expected += n / 16 * (16 * 17 / 2);
    EXPECT(sum[0] == expected && sum[1] == 2 * expected && x[n - 1] == 16);
  }
  // Later runs wait for earlier ones, whatever the queue.
  sycl::queue other(q.get_context(), q.get_device());
  std::vector<sycl::event> events;
  for (int i = 0; i < 10; i++) events.push_back((i % 2 ? other : q).ext_oneapi_graph(run));
  sycl::event::wait(events);
  expected += 10 * n / 16 * (16 * 17 / 2);
  EXPECT(sum[0] == expected && sum[1] == 2 * expected);
  // What is added afterwards is in graphs that are finalized afterwards.
  graph.add([&](sycl::handler &h) { h.memset(sum, 0, 2 * sizeof(int)); },
            {property::node::depends_on(host)});
  executable longer = graph.finalize();
  q.ext_oneapi_graph(run).wait();
  EXPECT(sum[0] == expected + n / 16 * (16 * 17 / 2));
  q.ext_oneapi_graph(longer, q.ext_oneapi_graph(run)).wait();
  EXPECT(sum[0] == 0 && sum[1] == 0);
  sycl::free(x, q);
  sycl::free(sum, q);
}

// Diamonds: the order of edges is kept in many runs of random graphs, against a serial evaluation.
void random_graphs(sycl::queue q) {
  unsigned seed = 1;
  auto random = [&](unsigned below) {
    return ((seed = seed * 1664525u + 1013904223u) >> 8) % below;
  };
  for (int round = 0; round < 20; round++) {
    const int count = 12;
    long *value = sycl::malloc_shared<long>(count, q);
    long expected[count];
    command_graph graph(q);
    std::vector<node> nodes;
    for (int i = 0; i < count; i++) {
      unsigned from = i ? random(1u << i) : 0;
      expected[i] = i + 1;
      for (int k = 0; k < i; k++)
        if (from >> k & 1) expected[i] += 3 * expected[k];
      nodes.push_back(graph.add([&](sycl::handler &h) {
        h.parallel_for(sycl::nd_range<1>(16, 16), [=](sycl::nd_item<1> it) {
          long mine = 0;
          int k = int(it.get_local_id(0));
          if (k < i && (from >> k & 1)) mine = 3 * value[k];
          long all = sycl::reduce_over_group(it.get_group(), mine, sycl::plus<>());
          if (k == 0) value[i] = all + i + 1;
        });
      }));
      for (int k = 0; k < i; k++)
        if (from >> k & 1) graph.make_edge(nodes[k], nodes[i]);
    }
    executable run = graph.finalize();
    for (int again = 0; again < 3; again++) {
      std::fill(value, value + count, -1);
      q.ext_oneapi_graph(run).wait();
      for (int i = 0; i < count; i++) EXPECT(value[i] == expected[i]);
    }
    sycl::free(value, q);
  }
}

// --- Recorded queues --------------------------------------------------------------------------------

void recorded(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(n, q), *y = sycl::malloc_shared<int>(n, q);
  std::fill(x, x + n, 0);
  std::fill(y, y + n, 0);
  command_graph graph(q);
  EXPECT(q.ext_oneapi_get_state() == queue_state::executing);
  EXPECT(code([&] { q.ext_oneapi_get_graph(); }) == sycl::errc::invalid);
  graph.begin_recording(q);
  EXPECT(q.ext_oneapi_get_state() == queue_state::recording && q.ext_oneapi_get_graph() == graph);
  EXPECT(code([&] { graph.begin_recording(q); }) == sycl::errc::invalid);
  sycl::event first = q.parallel_for(n, [=](sycl::id<1> i) { x[i] += int(i[0]); });
  sycl::event alone = q.fill(y, 7, 1);
  sycl::event second = q.submit([&](sycl::handler &h) {
    h.depends_on(first);
    h.memcpy(y + 1, x + 1, (n - 1) * sizeof(int));
  });
  EXPECT(code([&] { first.wait(); }) == sycl::errc::invalid);
  EXPECT(code([&] { q.wait(); }) == sycl::errc::invalid);
  EXPECT(code([&] { first.get_info<sycl::info::event::command_execution_status>(); }) ==
         sycl::errc::invalid);
  EXPECT(code([&] { q.single_task(sycl::event(), [] {}); }) == sycl::errc::invalid);
  EXPECT(code([&] { graph.add(); }) == sycl::errc::invalid);
  // A queue that waits for a recorded command is recorded too.
  sycl::queue other(q.get_context(), q.get_device());
  sycl::event third = other.single_task(std::vector<sycl::event>{second, alone}, [=] { y[2] *= 10; });
  EXPECT(other.ext_oneapi_get_state() == queue_state::recording);
  node last = node::get_node_from_event(third);
  EXPECT(last.get_predecessors().size() == 2 &&
         has(last.get_predecessors(), node::get_node_from_event(second)));
  graph.end_recording(other);
  EXPECT(other.ext_oneapi_get_state() == queue_state::executing &&
         q.ext_oneapi_get_state() == queue_state::recording);
  graph.end_recording();
  EXPECT(q.ext_oneapi_get_state() == queue_state::executing);
  EXPECT(code([&] { q.single_task(first, [] {}); }) == sycl::errc::invalid);
  EXPECT(code([&] { node::get_node_from_event(sycl::event()); }) == sycl::errc::invalid);
  EXPECT(x[1] == 0 && graph.get_nodes().size() == 4 && graph.get_root_nodes().size() == 2);
  executable run = graph.finalize();
  for (int times = 1; times <= 3; times++) {
    q.submit([&](sycl::handler &h) { h.ext_oneapi_graph(run); }).wait();
    for (int i = 0; i < n; i++)
      EXPECT(x[i] == times * i && y[i] == (i == 0 ? 7 : times * i * (i == 2 ? 10 : 1)));
  }
  { // the graph's end is the recording's
    command_graph brief(q);
    brief.begin_recording(std::vector<sycl::queue>{q, other});
    EXPECT(other.ext_oneapi_get_state() == queue_state::recording);
  }
  EXPECT(q.ext_oneapi_get_state() == queue_state::executing &&
         other.ext_oneapi_get_state() == queue_state::executing);
  q.single_task([=] { x[0] = 77; }).wait();
  EXPECT(x[0] == 77);
  sycl::free(x, q);
  sycl::free(y, q);
}

void in_order_and_barriers() {
  sycl::queue line{sycl::property::queue::in_order()};
  sycl::queue loose(line.get_context(), line.get_device());
  std::atomic<int> at{0};
  int seen[3] = {};
  command_graph graph(line);
  graph.begin_recording(line);
  for (int i = 0; i < 3; i++)
    line.submit([&](sycl::handler &h) { h.host_task([&at, &seen, i] { seen[i] = ++at; }); });
  graph.end_recording();
  std::vector<node> nodes = graph.get_nodes();
  EXPECT(nodes[1].get_predecessors() == std::vector<node>{nodes[0]} &&
         nodes[2].get_predecessors() == std::vector<node>{nodes[1]});
  executable run = graph.finalize();
  experimental::execute_graph(loose, run);
  loose.wait();
  line.ext_oneapi_graph(run);
  line.wait();
  EXPECT(seen[0] == 4 && seen[1] == 5 && seen[2] == 6);

  command_graph second(loose);
  second.begin_recording(loose);
  sycl::event a = loose.single_task([] {}), b = loose.single_task([] {});
  sycl::event all = loose.ext_oneapi_submit_barrier();
  sycl::event c = loose.single_task([] {});
  sycl::event some = loose.ext_oneapi_submit_barrier({c});
  sycl::event d = loose.single_task([] {});
  second.end_recording(loose);
  auto of = [](const sycl::event &e) { return node::get_node_from_event(e); };
  EXPECT(of(all).get_type() == node_type::ext_oneapi_barrier);
  EXPECT(of(all).get_predecessors().size() == 2 && has(of(all).get_predecessors(), of(a)) &&
         has(of(all).get_predecessors(), of(b)));
  EXPECT(has(of(c).get_predecessors(), of(all)) && has(of(some).get_predecessors(), of(c)) &&
         of(d).get_predecessors() == std::vector<node>{of(some)});
  EXPECT(code([&] { second.add([](sycl::handler &h) { h.ext_oneapi_barrier(); }); }) ==
         sycl::errc::invalid);
  executable whole = second.finalize();
  loose.ext_oneapi_graph(whole).wait();
}

// --- Buffers ------------------------------------------------------------------------------------------

void buffers(sycl::queue q) {
  sycl::buffer<int> a(n), b(n);
  int own[n] = {};
  sycl::buffer<int> back(own, n);
  {
    command_graph without(q);
    EXPECT(code([&] {
             without.add([&](sycl::handler &h) {
               sycl::accessor x(a, h);
               h.fill(x, 1);
             });
           }) == sycl::errc::invalid);
  }
  command_graph graph(q, property::graph::assume_buffer_outlives_graph());
  graph.begin_recording(q);
  auto write = q.submit([&](sycl::handler &h) {
    sycl::accessor x(a, h, sycl::write_only);
    h.parallel_for(n, [=](sycl::item<1> i) { x[i] = int(i[0]); });
  });
  auto read = [&](int add) {
    return q.submit([&](sycl::handler &h) {
      sycl::accessor x(a, h, sycl::read_only);
      sycl::accessor y(b, h, sycl::read_write);
      h.parallel_for(n, [=](sycl::item<1> i) { y[i] = 2 * y[i] + x[i] + add; });
    });
  };
  auto one = read(0), two = read(1);
  auto over = q.submit([&](sycl::handler &h) {
    sycl::accessor x(a, h, sycl::write_only);
    h.fill(x, -1);
  });
  EXPECT(code([&] {
           q.submit([&](sycl::handler &h) {
             sycl::accessor x(back, h);
             h.fill(x, 3);
           });
         }) == sycl::errc::invalid);
  EXPECT(code([&] { sycl::host_accessor x(a); }) == sycl::errc::invalid);
  back.set_write_back(false);
  q.submit([&](sycl::handler &h) {
    sycl::accessor x(back, h);
    h.fill(x, 3);
  });
  graph.end_recording();
  auto of = [](const sycl::event &e) { return node::get_node_from_event(e); };
  EXPECT(of(one).get_predecessors() == std::vector<node>{of(write)});
  EXPECT(of(two).get_predecessors().size() == 2 && has(of(two).get_predecessors(), of(one)));
  EXPECT(of(over).get_predecessors().size() == 3); // the writer and both readers
  executable run = graph.finalize();
  int expected[n] = {};
  {
    sycl::host_accessor y(b);
    for (int i = 0; i < n; i++) y[i] = 0;
  }
  for (int times = 0; times < 3; times++) {
    q.ext_oneapi_graph(run);
    for (int i = 0; i < n; i++) expected[i] = 2 * (2 * expected[i] + i) + i + 1;
    sycl::host_accessor y(b), x(a);
    for (int i = 0; i < n; i++) EXPECT(y[i] == expected[i] && x[i] == -1);
  }
}

// --- Graphs in graphs -------------------------------------------------------------------------------

void nested(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(1, q);
  command_graph inner(q);
  node twice = inner.add([&](sycl::handler &h) { h.single_task([=] { *x *= 2; }); });
  inner.add([&](sycl::handler &h) { h.single_task([=] { *x += 1; }); },
            {property::node::depends_on(twice)});
  executable part = inner.finalize();
  command_graph outer(q);
  outer.begin_recording(q);
  auto begin = q.single_task([=] { *x = 5; });
  auto a = q.ext_oneapi_graph(part, begin);
  auto b = q.submit([&](sycl::handler &h) {
    h.depends_on(a);
    h.ext_oneapi_graph(part);
  });
  q.single_task(b, [=] { *x += 100; });
  outer.end_recording();
  EXPECT(node::get_node_from_event(b).get_type() == node_type::subgraph);
  executable run = outer.finalize();
  q.ext_oneapi_graph(run).wait();
  EXPECT(*x == (5 * 2 + 1) * 2 + 1 + 100);
  q.ext_oneapi_graph(part).wait(); // alone as before
  EXPECT(*x == 123 * 2 + 1);
  executable none = command_graph(q).finalize();
  q.ext_oneapi_graph(none).wait();
  sycl::free(x, q);
}

// --- Updates ------------------------------------------------------------------------------------------

void ranges(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(n, q), *sum = sycl::malloc_shared<int>(1, q);
  command_graph graph(q);
  node plain = graph.add([&](sycl::handler &h) {
    h.parallel_for(sycl::range<2>(4, 4), [=](sycl::item<2> i) { x[i.get_linear_id()] += 1; });
  });
  node groups = graph.add(
      [&](sycl::handler &h) {
        h.parallel_for(sycl::nd_range<1>(32, 8), [=](sycl::nd_item<1> it) {
          x[it.get_global_id(0)] += 100 * int(it.get_local_range(0));
        });
      },
      {property::node::depends_on(plain)});
  node reduced = graph.add(
      [&](sycl::handler &h) {
        h.parallel_for(sycl::nd_range<1>(n, 16), sycl::reduction(sum, sycl::plus<>()),
                       [=](sycl::nd_item<1> it, auto &s) { s += x[it.get_global_id(0)]; });
      },
      {property::node::depends_on(groups)});
  node none = graph.add();
  executable run = graph.finalize(property::graph::updatable()), fixed = graph.finalize();
  auto check = [&](executable &which, int of_plain, int of_groups, int local, int of_sum) {
    std::fill(x, x + n, 0);
    *sum = 0;
    q.ext_oneapi_graph(which).wait();
    int total = 0;
    for (int i = 0; i < n; i++) {
      int expected = (i < of_plain) + 100 * local * (i < of_groups);
      EXPECT(x[i] == expected);
      if (i < of_sum) total += expected;
    }
    EXPECT(*sum == total);
  };
  check(run, 16, 32, 8, 64);
  plain.update_range(sycl::range<2>(2, 5));
  groups.update_nd_range(sycl::nd_range<1>(48, 16));
  reduced.update_nd_range(sycl::nd_range<1>(32, 32));
  check(run, 16, 32, 8, 64); // not yet
  run.update(plain);
  check(run, 10, 32, 8, 64);
  run.update(std::vector<node>{groups, reduced, none});
  check(run, 10, 48, 16, 32);
  check(fixed, 16, 32, 8, 64);
  executable later = graph.finalize();
  check(later, 10, 48, 16, 32);
  EXPECT(code([&] { fixed.update(plain); }) == sycl::errc::invalid);
  EXPECT(code([&] { plain.update_range(sycl::range<1>(4)); }) == sycl::errc::invalid);
  EXPECT(code([&] { none.update_range(sycl::range<1>(4)); }) == sycl::errc::invalid);
  EXPECT(code([&] { groups.update_nd_range(sycl::nd_range<1>(7, 2)); }) == sycl::errc::nd_range);
  command_graph other(q);
  node stranger = other.add();
  EXPECT(code([&] { run.update(stranger); }) == sycl::errc::invalid);
  EXPECT(code([&] { graph.make_edge(stranger, none); }) == sycl::errc::invalid);
  sycl::free(x, q);
  sycl::free(sum, q);
}

// A graph like another one, with other arguments.
void make_alike(command_graph<> &graph, int *to, int begin, int size) {
  node first = graph.add([&](sycl::handler &h) {
    h.parallel_for(size, [=](sycl::id<1> i) { to[i] = begin + int(i[0]); });
  });
  graph.add([&](sycl::handler &h) { h.host_task([=] { to[0] += begin; }); },
            {property::node::depends_on(first)});
}

void whole(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(n, q), *y = sycl::malloc_shared<int>(n, q);
  std::fill(x, x + n, -1);
  std::fill(y, y + n, -1);
  command_graph first(q), second(q);
  make_alike(first, x, 10, 8);
  make_alike(second, y, 30, 16);
  executable run = first.finalize(property::graph::updatable());
  q.ext_oneapi_graph(run);
  run.update(second); // the run before is not concerned
  q.ext_oneapi_graph(run);
  q.wait();
  for (int i = 0; i < n; i++) {
    EXPECT(x[i] == (i >= 8 ? -1 : i == 0 ? 20 : 10 + i));
    EXPECT(y[i] == (i >= 16 ? -1 : i == 0 ? 60 : 30 + i));
  }
  command_graph copies(q);
  copies.add([&](sycl::handler &h) { h.memset(x, 0, 4); });
  copies.add();
  EXPECT(code([&] { run.update(copies); }) == sycl::errc::invalid);
  command_graph elsewhere(sycl::context(q.get_device()), q.get_device());
  make_alike(elsewhere, x, 1, 1);
  EXPECT(code([&] { run.update(elsewhere); }) == sycl::errc::invalid);
  sycl::free(x, q);
  sycl::free(y, q);
}

void choices(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(n, q);
  command_graph graph(q);
  auto put = [=](int value) {
    return [=](sycl::handler &h) {
      h.parallel_for(n / value, [=](sycl::id<1> i) { x[i] += value; });
    };
  };
  experimental::dynamic_command_group group(
      graph, {put(1), put(2), [&](sycl::handler &h) {
                h.parallel_for(sycl::nd_range<2>({2, 8}, {1, 8}), [=](sycl::nd_item<2> it) {
                  x[it.get_global_linear_id()] += 50;
                });
              }});
  node chosen = graph.add(group);
  executable run = graph.finalize(property::graph::updatable());
  auto check = [&](int size, int value) {
    std::fill(x, x + n, 0);
    q.ext_oneapi_graph(run).wait();
    for (int i = 0; i < n; i++) EXPECT(x[i] == (i < size ? value : 0));
  };
  check(64, 1);
  EXPECT(group.get_active_index() == 0);
  group.set_active_index(1);
  check(64, 1);
  run.update(chosen);
  check(32, 2);
  group.set_active_index(2);
  run.update(chosen);
  check(16, 50);
  chosen.update_nd_range(sycl::nd_range<2>({3, 8}, {1, 4}));
  group.set_active_index(0);
  chosen.update_range(sycl::range<1>(5));
  run.update(chosen);
  check(5, 1);
  group.set_active_index(2); // its range is what it was changed to
  run.update(chosen);
  check(24, 50);
  auto refused = [&](std::vector<std::function<void(sycl::handler &)>> list) {
    return code([&] { experimental::dynamic_command_group made(graph, list); }) ==
           sycl::errc::invalid;
  };
  EXPECT(refused({}) && refused({[&](sycl::handler &h) { h.fill(x, 1, 2); }}));
  EXPECT(refused({put(1), [](sycl::handler &h) { h.host_task([] {}); }}));
  EXPECT(code([&] { group.set_active_index(3); }) == sycl::errc::invalid);
  experimental::dynamic_parameter<int *> parameter(graph, x); // which no kernel would see
  EXPECT(code([&] {
           graph.add([&](sycl::handler &h) {
             h.set_arg(0, parameter);
             h.parallel_for(n, [=](sycl::id<1> i) { x[i] = 1; });
           });
         }) == sycl::errc::feature_not_supported);
  command_graph other(q);
  EXPECT(code([&] { other.add(group); }) == sycl::errc::invalid);
  sycl::free(x, q);
}

// --- Around them --------------------------------------------------------------------------------------

void around(sycl::queue q) {
  EXPECT(!q.get_device().has(sycl::aspect::ext_oneapi_graph) &&
         q.get_device().has(sycl::aspect::ext_oneapi_limited_graph));
  EXPECT(code([&] { command_graph(q, property::graph::enable_native_recording()); }) ==
         sycl::errc::feature_not_supported);
  command_graph a(q), b(q.get_device());
  EXPECT(a.get_id() != b.get_id() && a != b);
  sycl::queue elsewhere{sycl::context(), sycl::device()};
  executable run = a.finalize();
  EXPECT(code([&] { elsewhere.ext_oneapi_graph(run); }) == sycl::errc::invalid);
  EXPECT(code([&] { a.begin_recording(elsewhere); }) == sycl::errc::invalid);
  EXPECT(run.get_required_mem_size() == 0);

  sycl::queue timed(q.get_context(), q.get_device(), {sycl::property::queue::enable_profiling()});
  int *x = sycl::malloc_shared<int>(1, q);
  *x = 0;
  node one = a.add([&](sycl::handler &h) { h.single_task([=] { *x += 1; }); });
  a.add([&](sycl::handler &h) { h.single_task([=] { *x += 1; }); }, {property::node::depends_on(one)});
  executable profiled = a.finalize(property::graph::enable_profiling()), plain = a.finalize();
  sycl::event e = timed.ext_oneapi_graph(profiled), f = timed.ext_oneapi_graph(plain);
  e.wait();
  using namespace sycl::info::event_profiling;
  EXPECT(e.get_profiling_info<command_submit>() <= e.get_profiling_info<command_start>() &&
         e.get_profiling_info<command_start>() <= e.get_profiling_info<command_end>());
  EXPECT(code([&] { f.get_profiling_info<command_end>(); }) == sycl::errc::invalid);
  EXPECT(e.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete);
  f.wait();
  EXPECT(*x == 4);

  EXPECT(code([&] { a.print_graph("graph.txt"); }) == sycl::errc::invalid);
  EXPECT(code([&] { a.print_graph("/no/such/folder/graph.dot"); }) == sycl::errc::invalid);
  char name[] = "/tmp/maniple-graph-XXXXXX.dot";
  int file = mkstemps(name, 4);
  a.print_graph(name, true);
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  EXPECT(text.str().find("n0 -> n1") != std::string::npos &&
         text.str().find("kernel") != std::string::npos);
  std::remove(name);
  EXPECT(file >= 0);
  sycl::free(x, q);

  // A kernel that writes to a stream does so in each run.
  command_graph printing(q);
  std::stringstream out;
  std::streambuf *before = std::cout.rdbuf(out.rdbuf());
  printing.add([&](sycl::handler &h) {
    sycl::stream to(256, 64, h);
    h.single_task([=] { to << "once" << sycl::endl; });
  });
  executable twice = printing.finalize();
  q.ext_oneapi_graph(twice);
  q.ext_oneapi_graph(twice);
  q.wait();
  std::cout.rdbuf(before);
  EXPECT(out.str() == "once\nonce\n");
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  added(q);
  random_graphs(q);
  recorded(q);
  in_order_and_barriers();
  buffers(q);
  nested(q);
  ranges(q);
  whole(q);
  choices(q);
  around(q);
  return test::result();
}
