/* Graphs of commands (sycl_ext_oneapi_graph): how nodes come to be and how they are run, each as a
 * command of the queue that the graph is submitted to. */
#ifndef SYCL_DETAIL_GRAPH_HPP
#define SYCL_DETAIL_GRAPH_HPP

#include "../handler.hpp"

namespace sycl::detail {

template <typename Graph> void check_same(const Graph &graph, const queue_state &queue) {
  if (queue.context != graph.context || queue.device != graph.device)
    fail(errc::invalid, "a graph and a queue that it has to do with have one context and device");
}

struct graph : std::enable_shared_from_this<graph> {
  struct data_use {
    const memory_block *memory;
    node_ref writer;
    node_list readers;
  };
  struct queue_use {
    const queue_state *queue;
    node_ref last, barrier;
  };

  sycl::context context;
  sycl::device device;
  bool checks_cycles, takes_buffers;
  std::size_t id;
  std::shared_ptr<queue_state> own; /* of what is added without a queue */
  std::shared_ptr<std::atomic<int>> recording = std::make_shared<std::atomic<int>>(0);

  std::recursive_mutex lock; /* of what follows, and of the nodes */
  node_list nodes;
  std::vector<std::shared_ptr<queue_state>> queues; /* that it records */
  std::vector<data_use> data;
  std::vector<queue_use> recorded;

  SYCL_WHEN_USED graph(const sycl::context &context, const sycl::device &device, bool checks_cycles,
                       bool takes_buffers)
      : context(context), device(device), checks_cycles(checks_cycles),
        takes_buffers(takes_buffers), id(next_id()),
        own(std::make_shared<queue_state>(context, device, async_handler())) {
    static constexpr graph_hooks hooks{&graph_commands::record<>, &graph_commands::run<>};
    used_graphs.store(&hooks);
  }

  SYCL_WHEN_USED void check_not_recording() const {
    if (*recording) fail(errc::invalid, "a graph that records a queue is changed by that alone");
  }

  SYCL_WHEN_USED void begin(const std::shared_ptr<queue_state> &queue) {
    check_same(*this, *queue);
    if (queue->recorder.get()) fail(errc::invalid, "the queue is being recorded already");
    std::lock_guard<std::recursive_mutex> guard(lock);
    queues.push_back(queue);
    ++*recording;
    queue->recorder.begin(shared_from_this());
  }
  SYCL_WHEN_USED void end(const queue_state *which = nullptr) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    for (std::size_t i = queues.size(); i-- > 0;) {
      if (which && queues[i].get() != which) continue;
      queues[i]->recorder.end();
      queues.erase(queues.begin() + std::ptrdiff_t(i));
      --*recording;
    }
  }

  SYCL_WHEN_USED static void link(const node_ref &before, const node_ref &node) {
    if (is_in(node->before, before)) return;
    node->before.push_back(before);
    before->after.push_back(node);
  }
  SYCL_WHEN_USED static bool leads_to(const node_ref &from, const node_ref &to) {
    node_list reached{to};
    for (std::size_t i = 0; i < reached.size(); i++)
      for (const node_ref &each : reached[i]->before)
        if (!is_in(reached, each)) reached.push_back(each);
    return is_in(reached, from);
  }

  /* Those that nothing comes after; of one queue: nothing else of it. */
  SYCL_WHEN_USED node_list leaves(const void *of_queue = nullptr) const {
    node_list result;
    for (const node_ref &node : nodes) {
      bool is_last = !of_queue || node->queue == of_queue;
      for (const std::weak_ptr<graph_node> &each : node->after)
        if (node_ref later = each.lock()) is_last = is_last && of_queue && later->queue != of_queue;
      if (is_last) result.push_back(node);
    }
    return result;
  }

  SYCL_WHEN_USED void link_data(const node_ref &node, const std::vector<memory_use> &uses) {
    for (const memory_use &use : uses) {
      data_use *found = nullptr;
      for (data_use &each : data)
        if (each.memory == use.memory.get()) found = &each;
      if (!found) found = &data.emplace_back(data_use{use.memory.get(), {}, {}});
      if (found->writer) link(found->writer, node);
      if (writes(use.mode)) {
        for (const node_ref &each : found->readers) link(each, node);
        found->writer = node;
        found->readers.clear();
      } else {
        found->readers.push_back(node);
      }
    }
  }

  SYCL_WHEN_USED node_ref add(node_ref node, const node_list &before) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    node->of = weak_from_this();
    for (const node_ref &each : before) link(each, node);
    link_data(node, node->command()->uses);
    nodes.push_back(node);
    return node;
  }

  /* A command of a queue comes after that queue's barrier, or the command before it. */
  SYCL_WHEN_USED node_ref add_recorded(const node_ref &node, node_list before,
                                       const queue_state &queue, int barrier) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    queue_use *use = nullptr;
    for (queue_use &each : recorded)
      if (each.queue == &queue) use = &each;
    if (!use) use = &recorded.emplace_back(queue_use{&queue, {}, {}});
    if (barrier == MPL_MARKER_BARRIER)
      for (const node_ref &each : leaves(&queue)) before.push_back(each);
    if (use->barrier) before.push_back(use->barrier);
    if (queue.in_order && use->last) before.push_back(use->last);
    node->queue = &queue;
    add(node, before);
    use->last = node;
    if (barrier >= 0) use->barrier = node;
    return node;
  }

private:
  SYCL_WHEN_USED static std::size_t next_id() {
    static std::atomic<std::size_t> last{0};
    return ++last;
  }
};

struct graph_run {
  struct step {
    node_ref node;
    std::shared_ptr<const kept_command> command;
    std::vector<std::size_t> before;
    bool is_last = true;
  };
  sycl::context context; /* of the graph that it was made of, which need not live on */
  sycl::device device;
  bool updatable, profiled;
  std::mutex lock;
  std::vector<step> steps;        /* each after those before it */
  std::vector<std::size_t> order; /* in which they were added */
  event_ref last;                 /* the end of the last run */

  SYCL_WHEN_USED graph_run(graph &from, bool updatable, bool profiled)
      : context(from.context), device(from.device), updatable(updatable), profiled(profiled) {
    std::lock_guard<std::recursive_mutex> guard(from.lock);
    for (std::size_t done = 0; done < from.nodes.size();) {
      std::size_t earlier = done;
      for (const node_ref &node : from.nodes)
        if (place(node) == steps.size() && add(node)) done++;
      if (done == earlier) fail(errc::invalid, "the nodes of a graph wait for each other");
    }
    for (const node_ref &node : from.nodes) order.push_back(place(node));
  }

  SYCL_WHEN_USED std::size_t place(const node_ref &node) const {
    std::size_t i = 0;
    while (i < steps.size() && steps[i].node != node) i++;
    return i;
  }
  SYCL_WHEN_USED step &find(const node_ref &node) {
    std::size_t at = place(node);
    if (at == steps.size()) fail(errc::invalid, "a node is updated that the graph does not have");
    return steps[at];
  }

private:
  SYCL_WHEN_USED bool add(const node_ref &node) {
    step made{node, node->command(), {}, true};
    for (const node_ref &each : node->before) {
      made.before.push_back(place(each));
      if (made.before.back() == steps.size()) return false;
    }
    for (std::size_t each : made.before) steps[each].is_last = false;
    steps.push_back(std::move(made));
    return true;
  }
};

/* --- Nodes ---------------------------------------------------------------------------------------
 */

template <typename>
std::shared_ptr<const kept_command> graph_commands::keep(handler &h, const graph &to) {
  if (h.waits_outside)
    fail(errc::invalid, "a command of a graph waits for commands of that graph only");
  for (const node_ref &each : h.nodes)
    if (each->of.lock().get() != &to)
      fail(errc::invalid, "a command of a graph waits for one of another graph");
  if (!h.requirements.empty() && !to.takes_buffers)
    fail(errc::invalid, "a graph whose commands use buffers is made with "
                        "property::graph::assume_buffer_outlives_graph");
  for (const memory_use &each : h.requirements)
    if (each.memory->goes_back)
      fail(errc::invalid, "a command of a graph uses a buffer that is written back");
  auto made = std::make_shared<kept_command>();
  made->type = h.type;
  made->kernel = std::move(h.kernel);
  made->launch = h.launch;
  made->launch.local_memory = h.local_bytes;
  made->task = std::move(h.task);
  made->transfer = std::move(h.transfer);
  made->at_end = std::move(h.at_end);
  made->uses = std::move(h.requirements);
  made->sub_graph = std::move(h.graph);
  return made;
}

template <typename>
node_ref graph_commands::add(graph &to, const std::function<void(handler &)> &group,
                             node_list after) {
  handler h(to.own, true);
  group(h);
  if (h.barrier >= 0)
    fail(errc::invalid, "a barrier is a node of a graph that records a queue; else an empty node "
                        "with depends_on_all_leaves is one");
  auto node = std::make_shared<graph_node>();
  node->own = keep(h, to);
  for (const node_ref &each : h.nodes) after.push_back(each);
  return to.add(std::move(node), after);
}

template <typename> event graph_commands::record(handler &h, std::shared_ptr<graph> to) {
  if (!to) { /* what it waits for is recorded: so is the queue from now on */
    to = h.nodes.front()->of.lock();
    if (!to || !*to->recording)
      fail(errc::invalid, "a command waits for one of a graph that is not recorded any more");
    to->begin(h.queue);
  }
  auto node = std::make_shared<graph_node>();
  node->own = keep(h, *to);
  for (const memory_use &each : node->own->uses) each.memory->note_recorded(to->recording);
  auto state = std::make_shared<event_state>();
  state->node = to->add_recorded(node, h.nodes, *h.queue, h.barrier);
  state->context = std::hash<context>()(to->context);
  return event(std::move(state));
}

/* Whoever changes a node gives it another command. */
template <typename Range>
void graph_commands::resize(graph_node &node, const Range &range, launch_size size) {
  std::shared_ptr<graph> of = node.of.lock();
  if (!of) fail(errc::invalid, "the graph of a node is gone");
  std::lock_guard<std::recursive_mutex> guard(of->lock);
  std::shared_ptr<const kept_command> &command = node.command();
  if (command->type != node_type::kernel)
    fail(errc::invalid, "a node without a range is given one");
  if constexpr (!std::is_same_v<Range, std::nullptr_t>) {
    handler h(of->own, true);
    h.check_launch(range, *command->kernel->record);
  }
  auto made = std::make_shared<kept_command>(*command);
  std::unique_ptr<block> kernel = command->kernel->copy();
  size.threads = of->device.about().compute_units;
  if (!kernel->resize(size, made->launch))
    fail(errc::invalid, "the range of a node keeps its dimensions");
  made->kernel = std::move(kernel);
  command = std::move(made);
}

/* --- Runs ----------------------------------------------------------------------------------------
 */

template <typename>
event_ref graph_commands::run(const kept_command &command,
                              const std::shared_ptr<queue_state> &queue,
                              std::vector<event_ref> waits, std::vector<event_ref> &parts) {
  if (command.sub_graph) return run(*command.sub_graph, queue, std::move(waits), parts);
  handler h(queue);
  h.waits = std::move(waits);
  h.requirements = command.uses;
  h.at_end = command.at_end;
  h.task = command.task;
  h.transfer = command.transfer;
  h.is_of_host = command.type == node_type::host_task;
  if (command.kernel) {
    h.kernel = command.kernel->copy();
    h.kernel->errors = queue->errors;
    h.launch = command.launch;
    h.local_bytes = command.launch.local_memory;
  }
  parts.push_back(h.submit_now().engine());
  return parts.back();
}

template <typename>
event_ref graph_commands::run(graph_run &of, const std::shared_ptr<queue_state> &queue,
                              std::vector<event_ref> waits, std::vector<event_ref> &parts) {
  std::lock_guard<std::mutex> guard(of.lock);
  if (!of.last.done()) waits.push_back(of.last);
  std::vector<event_ref> ends, last;
  for (const graph_run::step &each : of.steps) {
    std::vector<event_ref> before;
    for (std::size_t i : each.before) before.push_back(ends[i]);
    ends.push_back(
        run(*each.command, queue, each.before.empty() ? waits : std::move(before), parts));
    if (each.is_last) last.push_back(ends.back());
  }
  if (last.size() == 1) return of.last = last[0];
  std::vector<event_ref> of_join; /* which is nobody's part */
  return of.last = run(kept_command(), queue, last.empty() ? waits : std::move(last), of_join);
}

template <typename> event graph_commands::run(handler &h) {
  check_same(*h.graph, *h.queue);
  {
    std::lock_guard<std::mutex> guard(order_lock());
    for (const memory_use &each : h.requirements) each.memory->add_waits(each.mode, h.waits);
  }
  auto state = std::make_shared<event_state>();
  state->event = run(*h.graph, h.queue, h.waits, state->parts);
  state->profiled = h.queue->profiled && h.graph->profiled;
  state->errors = h.queue->errors;
  state->context = std::hash<context>()(h.queue->context);
  state->waits = std::move(h.waits);
  {
    std::lock_guard<std::mutex> guard(order_lock());
    for (const memory_use &each : h.requirements) each.memory->note(each.mode, state->event);
  }
  return event(std::move(state));
}

} // namespace sycl::detail

#endif
