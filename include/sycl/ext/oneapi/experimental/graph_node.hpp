/* sycl_ext_oneapi_graph: nodes, the properties of nodes and graphs, and what changes a node. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_GRAPH_NODE_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_GRAPH_NODE_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "../../../handler.hpp"
#include "../../../khr/version.hpp"
#include "../../../queue.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

class node {
  friend struct sycl::detail::graph_access;
  friend struct std::hash<node>;
  sycl::detail::node_ref of;

  explicit node(sycl::detail::node_ref of) : of(std::move(of)) {}

public:
  node() = delete;

  node_type get_type() const { return of->command()->type; }
  SYCL_WHEN_USED std::vector<node> get_predecessors() const;
  SYCL_WHEN_USED std::vector<node> get_successors() const;

  static node get_node_from_event(event of) {
    const sycl::detail::node_ref &found = sycl::detail::event_access::node(of);
    if (!found) sycl::detail::fail(errc::invalid, "the event is of no command of a graph");
    return node(found);
  }

  /* Executable graphs have it when they are updated. */
  template <int D> void update_nd_range(nd_range<D> range) {
    sycl::detail::launch_size size{D, true, {}, {}, {}, 0};
    for (int i = 0; i < D; i++) {
      size.global[i] = range.get_global_range()[i];
      size.local[i] = range.get_local_range()[i];
      size.offset[i] = range.get_offset()[i];
    }
    sycl::detail::graph_commands::resize(*of, range, size);
  }
  template <int D> void update_range(range<D> range) {
    sycl::detail::launch_size size{D, false, {}, {}, {}, 0};
    for (int i = 0; i < D; i++) size.global[i] = range[i];
    sycl::detail::graph_commands::resize(*of, nullptr, size);
  }

  friend bool operator==(const node &a, const node &b) { return a.of == b.of; }
  friend bool operator!=(const node &a, const node &b) { return !(a == b); }
};

namespace property {
namespace graph {
struct no_cycle_check {};
struct assume_buffer_outlives_graph {};
struct updatable {};
struct enable_profiling {};
struct enable_native_recording {}; /* which this backend does not have */
} // namespace graph
namespace node {
class depends_on {
  std::vector<experimental::node> nodes;

public:
  template <typename... Nodes,
            std::enable_if_t<(... && std::is_same_v<Nodes, experimental::node>), int> = 0>
  depends_on(Nodes... nodes) : nodes{nodes...} {}
  const std::vector<experimental::node> &get_dependencies() const { return nodes; }
};
struct depends_on_all_leaves {};
} // namespace node
} // namespace property

} // namespace ext::oneapi::experimental

#define SYCL_PROPERTY(name)                                                                        \
  template <> struct is_property<ext::oneapi::experimental::property::name> : std::true_type {};
SYCL_PROPERTY(graph::no_cycle_check)
SYCL_PROPERTY(graph::assume_buffer_outlives_graph)
SYCL_PROPERTY(graph::updatable)
SYCL_PROPERTY(graph::enable_profiling)
SYCL_PROPERTY(graph::enable_native_recording)
SYCL_PROPERTY(node::depends_on)
SYCL_PROPERTY(node::depends_on_all_leaves)
#undef SYCL_PROPERTY

namespace detail {

/* What graphs, nodes and dynamic command groups are made of. */
struct graph_access {
  static experimental::node make(node_ref of) { return experimental::node(std::move(of)); }
  SYCL_WHEN_USED static std::vector<experimental::node> make(const node_list &list) {
    std::vector<experimental::node> result;
    for (const node_ref &each : list) result.push_back(make(each));
    return result;
  }
  static const node_ref &node(const experimental::node &of) { return of.of; }
  template <typename T> static const auto &state(const T &of) { return of.state; }
  template <typename T, typename S> static T from(S state) { return T(std::move(state)); }
};

/* Command groups of which a node is one, and what all of them wait for. */
struct dynamic_state {
  std::weak_ptr<graph> of;
  std::shared_ptr<command_choice> choice = std::make_shared<command_choice>();
  node_list before;
  bool is_even = true; /* they wait for the same */

  SYCL_WHEN_USED dynamic_state(const std::shared_ptr<graph> &of,
                               const std::vector<std::function<void(handler &)>> &groups)
      : of(of) {
    if (groups.empty()) fail(errc::invalid, "a dynamic_command_group has a command group");
    for (const auto &each : groups) graph_commands::add_choice(*this, *of, each);
  }
};

template <typename State, typename Group>
void graph_commands::add_choice(State &state, graph &of, const Group &group) {
  handler h(of.own, true);
  group(h);
  if (h.type != node_type::kernel && h.type != node_type::host_task)
    fail(errc::invalid, "a dynamic_command_group has kernels or host tasks");
  auto made = keep(h, of);
  auto same_use = [](const memory_use &a, const memory_use &b) {
    return a.memory == b.memory && writes(a.mode) == writes(b.mode);
  };
  if (state.choice->all.empty()) {
    state.before = h.nodes;
  } else {
    const kept_command &first = *state.choice->all.front();
    if (first.type != made->type)
      fail(errc::invalid, "the commands of a dynamic_command_group are of one type");
    state.is_even = state.is_even && h.nodes == state.before &&
                    std::is_permutation(first.uses.begin(), first.uses.end(), made->uses.begin(),
                                        made->uses.end(), same_use);
  }
  state.choice->all.push_back(std::move(made));
}

} // namespace detail

namespace ext::oneapi::experimental {

template <typename> std::vector<node> node::get_predecessors() const {
  return sycl::detail::graph_access::make(of->before);
}
template <typename> std::vector<node> node::get_successors() const {
  sycl::detail::node_list list;
  for (const auto &each : of->after)
    if (sycl::detail::node_ref later = each.lock()) list.push_back(std::move(later));
  return sycl::detail::graph_access::make(list);
}

} // namespace ext::oneapi::experimental
} // namespace sycl

template <> struct std::hash<sycl::ext::oneapi::experimental::node> {
  std::size_t operator()(const sycl::ext::oneapi::experimental::node &node) const noexcept {
    return std::hash<const void *>()(node.of.get());
  }
};

#endif
