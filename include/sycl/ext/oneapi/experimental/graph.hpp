/* sycl_ext_oneapi_graph: graphs of commands, which are made once and submitted many times. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_GRAPH_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_GRAPH_HPP

#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph_node.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

class dynamic_command_group;

/* --- That are made
 * ------------------------------------------------------------------------------ */

template <>
class command_graph<graph_state::modifiable>
    : public sycl::detail::with_properties<property::graph::no_cycle_check,
                                           property::graph::assume_buffer_outlives_graph,
                                           property::graph::enable_native_recording> {
  friend struct sycl::detail::graph_access;
  friend struct std::hash<command_graph>;
  std::shared_ptr<sycl::detail::graph> state;

  explicit command_graph(std::shared_ptr<sycl::detail::graph> state) : state(std::move(state)) {}

  /* What a node that is added comes after by its properties. */
  SYCL_WHEN_USED sycl::detail::node_list before(const property_list &properties) const {
    state->check_not_recording();
    sycl::detail::check_properties<property::node::depends_on,
                                   property::node::depends_on_all_leaves>(properties);
    sycl::detail::node_list result;
    if (properties.has_property<property::node::depends_on>()) {
      auto given = properties.get_property<property::node::depends_on>();
      for (const node &each : given.get_dependencies()) result.push_back(own(each));
    }
    if (properties.has_property<property::node::depends_on_all_leaves>())
      for (const sycl::detail::node_ref &each : state->leaves()) result.push_back(each);
    return result;
  }
  const sycl::detail::node_ref &own(const node &of) const {
    const sycl::detail::node_ref &result = sycl::detail::graph_access::node(of);
    if (result->of.lock() != state)
      sycl::detail::fail(errc::invalid, "the node is one of another graph");
    return result;
  }
  using lock_guard = std::lock_guard<std::recursive_mutex>;

public:
  SYCL_WHEN_USED command_graph(const context &context, const device &device,
                               const property_list &properties = {})
      : with_properties(properties) {
    bool known = false;
    for (const sycl::device &each : context.get_devices()) known = known || each == device;
    if (!known) sycl::detail::fail(errc::invalid, "the device of a graph is one of its context");
    if (has_property<property::graph::enable_native_recording>())
      sycl::detail::fail(errc::feature_not_supported, "the backend has no graphs that it records");
    state = std::make_shared<sycl::detail::graph>(
        context, device, !has_property<property::graph::no_cycle_check>(),
        has_property<property::graph::assume_buffer_outlives_graph>());
  }
  SYCL_WHEN_USED command_graph(const queue &queue, const property_list &properties = {})
      : command_graph(queue.get_context(), queue.get_device(), properties) {}
  SYCL_WHEN_USED command_graph(const device &device, const property_list &properties = {})
      : command_graph(sycl::detail::default_context(device), device, properties) {}

  SYCL_WHEN_USED command_graph<graph_state::executable>
  finalize(const property_list &properties = {}) const;

  /* --- Recording queues
   * -------------------------------------------------------------------------- */

  SYCL_WHEN_USED void begin_recording(queue &recorded, const property_list & = {}) {
    state->begin(sycl::detail::graph_commands::state(recorded));
  }
  SYCL_WHEN_USED void begin_recording(const std::vector<queue> &recorded,
                                      const property_list & = {}) {
    for (const queue &each : recorded) state->begin(sycl::detail::graph_commands::state(each));
  }
  SYCL_WHEN_USED void end_recording() { state->end(); }
  SYCL_WHEN_USED void end_recording(queue &recorded) {
    const auto &which = sycl::detail::graph_commands::state(recorded);
    auto by = which->recorder.get();
    if (by && by != state)
      sycl::detail::fail(errc::invalid, "the queue is recorded by another graph");
    if (by) state->end(which.get());
  }
  SYCL_WHEN_USED void end_recording(const std::vector<queue> &recorded) {
    for (queue each : recorded) end_recording(each);
  }

  /* --- Nodes and edges
   * --------------------------------------------------------------------------- */

  SYCL_WHEN_USED node add(const property_list &properties = {}) {
    lock_guard guard(state->lock);
    auto made = std::make_shared<sycl::detail::graph_node>();
    made->own = std::make_shared<sycl::detail::kept_command>();
    return sycl::detail::graph_access::make(state->add(std::move(made), before(properties)));
  }
  template <typename Group, sycl::detail::if_submits<Group> = 0>
  node add(Group group, const property_list &properties = {}) {
    lock_guard guard(state->lock);
    return sycl::detail::graph_access::make(
        sycl::detail::graph_commands::add(*state, group, before(properties)));
  }
  SYCL_WHEN_USED node add(dynamic_command_group &group, const property_list &properties = {});

  SYCL_WHEN_USED void make_edge(node &from, node &to) {
    lock_guard guard(state->lock);
    state->check_not_recording();
    const auto &first = own(from), &second = own(to);
    if (first == second) sycl::detail::fail(errc::invalid, "an edge leads from a node to another");
    if (state->checks_cycles && state->leads_to(second, first))
      sycl::detail::fail(errc::invalid, "an edge would make nodes wait for each other");
    state->link(first, second);
  }

  SYCL_WHEN_USED std::vector<node> get_nodes() const {
    lock_guard guard(state->lock);
    return sycl::detail::graph_access::make(state->nodes);
  }
  SYCL_WHEN_USED std::vector<node> get_root_nodes() const {
    lock_guard guard(state->lock);
    sycl::detail::node_list roots;
    for (const auto &each : state->nodes)
      if (each->before.empty()) roots.push_back(each);
    return sycl::detail::graph_access::make(roots);
  }
  bool empty() const {
    lock_guard guard(state->lock);
    return state->nodes.empty();
  }
  std::size_t get_id() const noexcept { return state->id; }

  SYCL_WHEN_USED void print_graph(std::string path, bool verbose = false) const;

  friend bool operator==(const command_graph &a, const command_graph &b) {
    return a.state == b.state;
  }
  friend bool operator!=(const command_graph &a, const command_graph &b) { return !(a == b); }
};

command_graph(const context &, const device &, const sycl::property_list & = {})
    ->command_graph<graph_state::modifiable>;
command_graph(const queue &, const sycl::property_list & = {})
    ->command_graph<graph_state::modifiable>;
command_graph(const device &, const sycl::property_list & = {})
    ->command_graph<graph_state::modifiable>;

/* In DOT. */
template <typename>
void command_graph<graph_state::modifiable>::print_graph(std::string path, bool verbose) const {
  static constexpr std::array<const char *, 12> names{
      {"empty", "subgraph", "kernel", "memcpy", "memset", "memfill", "prefetch", "memadvise",
       "ext_oneapi_barrier", "host_task", "async_malloc", "async_free"}};
  lock_guard guard(state->lock);
  auto place = [&](const sycl::detail::node_ref &of) {
    std::size_t i = 0;
    while (state->nodes[i] != of) i++;
    return "n" + std::to_string(i);
  };
  std::string text = "digraph graph_" + std::to_string(state->id) + " {\n";
  for (const auto &each : state->nodes) {
    const sycl::detail::kept_command &command = *each->command();
    text += "  " + place(each) + " [label=\"" + place(each) + ": " + names[int(command.type)];
    if (command.kernel) text += std::string("\\n") + command.kernel->record->name;
    for (std::uint32_t i = 0; verbose && i < command.launch.dims; i++)
      text += (i ? " x " : "\\n") + std::to_string(command.launch.global[i]);
    if (verbose) text += "\\nbuffers: " + std::to_string(command.uses.size());
    text += "\"];\n";
    for (const auto &before : each->before)
      text += "  " + place(before) + " -> " + place(each) + ";\n";
  }
  text += "}\n";
  bool named = path.size() > 4 && path.compare(path.size() - 4, 4, ".dot") == 0;
  std::FILE *to = named ? std::fopen(path.c_str(), "w") : nullptr;
  if (!to) sycl::detail::fail(errc::invalid, "a graph is printed to a file NAME.dot");
  bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size();
  if (std::fclose(to) || !written)
    sycl::detail::fail(errc::invalid, "the file of a graph could not be written");
}

/* --- That are executed
 * -------------------------------------------------------------------------- */

template <> class command_graph<graph_state::executable> {
  friend struct sycl::detail::graph_access;
  friend class command_graph<graph_state::modifiable>;
  friend struct std::hash<command_graph>;
  std::shared_ptr<sycl::detail::graph_run> state;

  explicit command_graph(std::shared_ptr<sycl::detail::graph_run> state)
      : state(std::move(state)) {}

  void check_updatable() const {
    if (!state->updatable)
      sycl::detail::fail(errc::invalid,
                         "a graph that is updated is finalized with property::graph::updatable");
  }

public:
  command_graph() = delete;

  /* Runs that have been submitted are not concerned: they have commands of their own. */
  SYCL_WHEN_USED void update(node &of) { update(std::vector<node>{of}); }
  SYCL_WHEN_USED void update(const std::vector<node> &nodes) {
    check_updatable();
    std::lock_guard<std::mutex> guard(state->lock);
    for (const node &each : nodes) state->find(sycl::detail::graph_access::node(each));
    for (const node &each : nodes) {
      const sycl::detail::node_ref &of = sycl::detail::graph_access::node(each);
      state->find(of).command = of->command();
    }
  }
  SYCL_WHEN_USED void update(const command_graph<graph_state::modifiable> &source);

  std::size_t get_required_mem_size() const noexcept { return 0; } /* graphs own no memory */

  friend bool operator==(const command_graph &a, const command_graph &b) {
    return a.state == b.state;
  }
  friend bool operator!=(const command_graph &a, const command_graph &b) { return !(a == b); }
};

template <typename>
command_graph<graph_state::executable>
command_graph<graph_state::modifiable>::finalize(const property_list &properties) const {
  sycl::detail::check_properties<property::graph::updatable, property::graph::enable_profiling>(
      properties);
  return command_graph<graph_state::executable>(std::make_shared<sycl::detail::graph_run>(
      *state, properties.has_property<property::graph::updatable>(),
      properties.has_property<property::graph::enable_profiling>()));
}

/* The nodes of both graphs correspond in the order in which they were added. */
template <typename>
void command_graph<graph_state::executable>::update(
    const command_graph<graph_state::modifiable> &source) {
  const auto &from = *sycl::detail::graph_access::state(source);
  check_updatable();
  if (from.context != state->context || from.device != state->device)
    sycl::detail::fail(errc::invalid, "a graph is updated by one of the same context and device");
  std::lock_guard<std::mutex> guard(state->lock);
  if (from.nodes.size() != state->order.size())
    sycl::detail::fail(errc::invalid, "a graph is updated by one with as many nodes");
  for (std::size_t i = 0; i < from.nodes.size(); i++) {
    node_type type = from.nodes[i]->command()->type;
    if (type != node_type::empty && type != node_type::ext_oneapi_barrier &&
        type != node_type::kernel && type != node_type::host_task)
      sycl::detail::fail(errc::invalid, "a graph with such nodes does not update another one");
    if (type != state->steps[state->order[i]].command->type)
      sycl::detail::fail(errc::invalid, "a graph is updated by one with nodes of the same types");
  }
  for (std::size_t i = 0; i < from.nodes.size(); i++)
    state->steps[state->order[i]].command = from.nodes[i]->command();
}

/* --- What changes nodes
 * ------------------------------------------------------------------------- */

class dynamic_command_group {
  friend struct sycl::detail::graph_access;
  friend class command_graph<graph_state::modifiable>;
  friend struct std::hash<dynamic_command_group>;
  std::shared_ptr<sycl::detail::dynamic_state> state;

public:
  SYCL_WHEN_USED dynamic_command_group(command_graph<graph_state::modifiable> &graph,
                                       const std::vector<std::function<void(handler &)>> &groups)
      : state(std::make_shared<sycl::detail::dynamic_state>(
            sycl::detail::graph_access::state(graph), groups)) {}

  std::size_t get_active_index() const { return state->choice->active; }
  void set_active_index(std::size_t index) {
    if (index >= state->choice->all.size())
      sycl::detail::fail(errc::invalid, "the dynamic_command_group has no such command group");
    state->choice->active = index;
  }

  friend bool operator==(const dynamic_command_group &a, const dynamic_command_group &b) {
    return a.state == b.state;
  }
  friend bool operator!=(const dynamic_command_group &a, const dynamic_command_group &b) {
    return !(a == b);
  }
};

template <typename>
node command_graph<graph_state::modifiable>::add(dynamic_command_group &group,
                                                 const property_list &properties) {
  lock_guard guard(state->lock);
  if (group.state->of.lock() != state)
    sycl::detail::fail(errc::invalid, "the dynamic_command_group is of another graph");
  if (!group.state->is_even)
    sycl::detail::fail(errc::invalid, "the command groups of a node wait for the same commands");
  auto made = std::make_shared<sycl::detail::graph_node>();
  made->choice = group.state->choice;
  sycl::detail::node_list after = before(properties);
  for (const auto &each : group.state->before) after.push_back(each);
  return sycl::detail::graph_access::make(state->add(std::move(made), after));
}

/* An argument of a kernel by its number.  The kernels that are launched here are function objects,
 * which have no such arguments: it is refused (and the device has the limited aspect alone). */
template <typename T> class dynamic_parameter {
  friend struct std::hash<dynamic_parameter>;
  std::shared_ptr<T> value;

public:
  explicit dynamic_parameter(const T &value) : value(std::make_shared<T>(value)) {}
  dynamic_parameter(command_graph<graph_state::modifiable>, const T &value)
      : dynamic_parameter(value) {}

  void update(const T &now) { *value = now; }

  friend bool operator==(const dynamic_parameter &a, const dynamic_parameter &b) {
    return a.value == b.value;
  }
  friend bool operator!=(const dynamic_parameter &a, const dynamic_parameter &b) {
    return !(a == b);
  }
};

/* As functions of a queue or a handler (sycl_ext_oneapi_enqueue_functions). */
inline void execute_graph(queue q, command_graph<graph_state::executable> &graph) {
  q.ext_oneapi_graph(graph);
}
inline void execute_graph(handler &h, command_graph<graph_state::executable> &graph) {
  h.ext_oneapi_graph(graph);
}

} // namespace ext::oneapi::experimental

inline void handler::ext_oneapi_graph(
    ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>
        &of) {
  detail::check_same(*detail::graph_access::state(of), *queue);
  begin_action();
  type = detail::node_type::subgraph;
  graph = detail::graph_access::state(of);
}

inline ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::modifiable>
queue::ext_oneapi_get_graph() const {
  auto by = state->recorder.get();
  if (!by) detail::fail(errc::invalid, "the queue is not recorded to a graph");
  return detail::graph_access::from<
      ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::modifiable>>(
      std::move(by));
}

inline event queue::ext_oneapi_graph(executable_graph &graph) {
  return command([&](handler &h) { h.ext_oneapi_graph(graph); });
}
inline event queue::ext_oneapi_graph(executable_graph &graph, event before) {
  return ext_oneapi_graph(graph, std::vector<event>{before});
}
inline event queue::ext_oneapi_graph(executable_graph &graph, const std::vector<event> &before) {
  return after(before, [&](handler &h) { h.ext_oneapi_graph(graph); });
}

} // namespace sycl

#define SYCL_HASH(type)                                                                            \
  template <> struct std::hash<sycl::ext::oneapi::experimental::type> {                            \
    std::size_t operator()(const sycl::ext::oneapi::experimental::type &of) const noexcept {       \
      return std::hash<const void *>()(of.state.get());                                            \
    }                                                                                              \
  };
SYCL_HASH(command_graph<sycl::ext::oneapi::experimental::graph_state::modifiable>)
SYCL_HASH(command_graph<sycl::ext::oneapi::experimental::graph_state::executable>)
SYCL_HASH(dynamic_command_group)
#undef SYCL_HASH
template <typename T> struct std::hash<sycl::ext::oneapi::experimental::dynamic_parameter<T>> {
  std::size_t
  operator()(const sycl::ext::oneapi::experimental::dynamic_parameter<T> &of) const noexcept {
    return std::hash<const void *>()(of.value.get());
  }
};

#endif
