/* Graphs (sycl_ext_oneapi_graph) as the rest sees them: commands that are kept, the nodes that they
 * are, and the graph that a queue records. */
#ifndef SYCL_DETAIL_GRAPH_STATE_HPP
#define SYCL_DETAIL_GRAPH_STATE_HPP

#include <maniple/maniple.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "command.hpp"
#include "memory.hpp"
#include "when_used.hpp"

namespace sycl {

class handler;

namespace ext::oneapi::experimental {

enum class graph_state { modifiable, executable };
enum class queue_state { executing, recording };
enum class node_type {
  empty,
  subgraph,
  kernel,
  memcpy,
  memset,
  memfill,
  prefetch,
  memadvise,
  ext_oneapi_barrier,
  host_task,
  async_malloc,
  async_free
};
template <graph_state State = graph_state::modifiable> class command_graph;
template <typename T> class dynamic_parameter;

} // namespace ext::oneapi::experimental

namespace detail {

namespace experimental = ext::oneapi::experimental;
using experimental::node_type;

struct queue_state;
struct graph;        /* that can be modified */
struct graph_run;    /* one that can be executed */
struct graph_access; /* graph_node.hpp */

struct memory_use {
  std::shared_ptr<memory_block> memory;
  access_mode mode;
};

/* A copy or fill of USM: the engine does it, since the host does not reach all of that. */
struct usm_transfer {
  void *to = nullptr;         /* null: it is none */
  const void *from = nullptr; /* null: of the pattern, so often */
  std::size_t size = 0;
  std::vector<unsigned char> pattern;
};

/* A command as its command group said it.  It does not change: who changes a node gives it another
 * one, so that executable graphs keep theirs. */
struct kept_command {
  node_type type = node_type::empty;
  std::shared_ptr<const block> kernel; /* what each run copies */
  mpl_kernel_launch launch{};
  std::function<void()> task;
  usm_transfer transfer;
  std::vector<std::function<void()>> at_end;
  std::vector<memory_use> uses;
  std::shared_ptr<graph_run> sub_graph;
};

/* Several commands, one of which a node is (dynamic_command_group). */
struct command_choice {
  std::vector<std::shared_ptr<const kept_command>> all;
  std::size_t active = 0;
};

/* A graph has its nodes and these those before them. */
struct graph_node {
  std::weak_ptr<graph> of;
  std::shared_ptr<const kept_command> own;
  std::shared_ptr<command_choice> choice;
  std::vector<std::shared_ptr<graph_node>> before;
  std::vector<std::weak_ptr<graph_node>> after;
  const void *queue = nullptr; /* that it was recorded from */

  std::shared_ptr<const kept_command> &command() {
    return choice ? choice->all[choice->active] : own;
  }
};
using node_ref = std::shared_ptr<graph_node>;
using node_list = std::vector<node_ref>;

inline bool is_in(const node_list &list, const node_ref &node) {
  for (const node_ref &each : list)
    if (each == node) return true;
  return false;
}

/* Which graph a queue records, if it does: until the last copy of that is gone. */
class graph_recorder {
  std::atomic<bool> on{false};
  mutable std::mutex lock;
  std::weak_ptr<graph> to;

public:
  std::shared_ptr<graph> get() const {
    if (!on.load(std::memory_order_acquire)) return nullptr;
    std::lock_guard<std::mutex> guard(lock);
    return to.lock();
  }
  void begin(const std::shared_ptr<graph> &with) {
    std::lock_guard<std::mutex> guard(lock);
    to = with;
    on.store(true, std::memory_order_release);
  }
  void end() {
    std::lock_guard<std::mutex> guard(lock);
    on.store(false, std::memory_order_release);
    to.reset();
  }
};

/* What graphs see of handlers and queues (graph.hpp). */
struct graph_commands {
  SYCL_WHEN_USED static event record(handler &, std::shared_ptr<graph>);
  SYCL_WHEN_USED static event run(handler &);
  SYCL_WHEN_USED static event_ref run(graph_run &, const std::shared_ptr<queue_state> &,
                                      std::vector<event_ref> waits, std::vector<event_ref> &parts);
  SYCL_WHEN_USED static event_ref run(const kept_command &, const std::shared_ptr<queue_state> &,
                                      std::vector<event_ref> waits, std::vector<event_ref> &parts);
  SYCL_WHEN_USED static std::shared_ptr<const kept_command> keep(handler &, const graph &);
  SYCL_WHEN_USED static node_ref add(graph &, const std::function<void(handler &)> &,
                                     node_list after);
  template <typename State, typename Group> static void add_choice(State &, graph &, const Group &);
  template <typename Range> static void resize(graph_node &, const Range &, launch_size);
  template <typename Queue> static const std::shared_ptr<queue_state> &state(const Queue &of) {
    return of.state;
  }
};

/* What handlers call of these when there is a graph: a program without graphs does not compile it.
 */
struct graph_hooks {
  event (*record)(handler &, std::shared_ptr<graph>);
  event (*run)(handler &);
};
inline std::atomic<const graph_hooks *> used_graphs{nullptr};

} // namespace detail
} // namespace sycl

#endif
