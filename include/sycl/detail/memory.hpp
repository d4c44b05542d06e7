/* What buffers stand on: a piece of memory, and the order of the commands that use it. */
#ifndef SYCL_DETAIL_MEMORY_HPP
#define SYCL_DETAIL_MEMORY_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "../access.hpp"
#include "../event.hpp"
#include "shared_memory.hpp"

namespace sycl::detail {

/* One lock for the order of all commands that use buffers: two command groups that share two
 * buffers must see them in the same order. */
inline std::mutex &order_lock() {
  static std::mutex lock;
  return lock;
}

/* The memory of a buffer and its sub-buffers; lives until the last of them and of the commands that
 * use it is gone.  All but the first block of fields is guarded by order_lock(). */
class memory_block : public std::enable_shared_from_this<memory_block> {
  struct hold {
    mpl_event *event;
    access_mode mode;
  };

  event_ref writer;               /* the last command that writes */
  std::vector<event_ref> readers; /* those that read since */
  std::vector<hold> holds;        /* host accessors that are alive */
  std::vector<std::weak_ptr<const std::atomic<int>>> recorded; /* by graphs: queues they record */

  std::mutex lending; /* inside order_lock(), or without it */
  bool is_lent = false;

public:
  void *data = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<void> owner; /* of data; empty: the program's own memory */
  bool goes_back = false;      /* to the program's own memory, when the buffer ends */
  bool is_foreign = false;     /* a GPU reaches it only while it is lent */
  bool is_programs = false;    /* the program gave it, and its owner */

  memory_block(std::size_t bytes, std::size_t align) : bytes(bytes) {
    if (!bytes) return;
    data = mpl_malloc(shared_device(), has_gpu() ? MPL_MEMORY_SHARED : MPL_MEMORY_HOST, bytes,
                      align > 128 ? align : 128);
    if (!data) fail(errc::memory_allocation, mpl_error_text());
    owner = std::shared_ptr<void>(data, [](void *p) { mpl_free(p); });
  }
  memory_block(void *data, std::size_t bytes, std::shared_ptr<void> owner)
      : data(data), bytes(bytes), owner(std::move(owner)), is_programs(true) {}
  memory_block(const memory_block &) = delete;
  ~memory_block() { take_back(); }

  /* Memory of the program's own: from now on until the buffer ends a GPU reaches it. */
  void lend() {
    if (!is_foreign) return;
    std::lock_guard<std::mutex> guard(lending);
    if (is_lent) return;
    if (mpl_lend_memory(shared_device(), data, bytes))
      fail(errc::feature_not_supported, mpl_error_text());
    is_lent = true;
  }
  /* The program may give it back when no command uses it. */
  void take_back() {
    std::lock_guard<std::mutex> guard(lending);
    if (is_lent) mpl_take_back_memory(shared_device(), data, bytes);
    is_lent = false;
  }

  /* The last buffer is gone, and its commands have ended, of which one may still hold the block.  Host accessors
   * that are alive keep the data, and so do graphs, which take nothing that goes back. */
  void let_go() {
    take_back();
    std::shared_ptr<void> freed;
    std::lock_guard<std::mutex> guard(order_lock());
    if (is_programs && goes_back && holds.empty()) freed.swap(owner);
  }

  /* What a command that accesses the memory like this has to wait for. */
  void add_waits(access_mode mode, std::vector<event_ref> &waits) const {
    if (!writer.done()) waits.push_back(writer);
    if (writes(mode)) add_running(readers, waits);
    for (const hold &each : holds) {
      if (!writes(mode) && !writes(each.mode)) continue;
      mpl_retain_event(each.event);
      waits.push_back(event_ref(each.event));
    }
  }

  void note(access_mode mode, const event_ref &event) {
    if (writes(mode)) {
      writer = event;
      readers.clear();
    } else {
      if (readers.size() >= 16) /* so that a buffer that is only read does not collect them */
        readers.erase(std::remove_if(readers.begin(), readers.end(),
                                     [](const event_ref &r) { return r.done(); }),
                      readers.end());
      readers.push_back(event);
    }
  }

  /* Waits for the commands that are in the way of such an access by the host. */
  void wait(access_mode mode) {
    std::vector<event_ref> waits;
    {
      std::lock_guard<std::mutex> guard(order_lock());
      if (!writer.done()) waits.push_back(writer);
      if (writes(mode)) add_running(readers, waits);
    }
    for (const event_ref &each : waits) each.wait();
  }

  void note_recorded(const std::shared_ptr<const std::atomic<int>> &queues) {
    std::lock_guard<std::mutex> guard(order_lock());
    recorded.push_back(queues);
  }
  bool is_recorded() {
    std::lock_guard<std::mutex> guard(order_lock());
    while (!recorded.empty()) {
      auto queues = recorded.back().lock();
      if (queues && *queues) return true;
      recorded.pop_back();
    }
    return false;
  }

  /* From now on commands wait for `event`, until release. */
  void add_hold(mpl_event *event, access_mode mode) {
    std::lock_guard<std::mutex> guard(order_lock());
    holds.push_back({event, mode});
  }
  void remove_hold(mpl_event *event) {
    std::lock_guard<std::mutex> guard(order_lock());
    holds.erase(
        std::remove_if(holds.begin(), holds.end(), [=](const hold &h) { return h.event == event; }),
        holds.end());
  }

private:
  static void add_running(const std::vector<event_ref> &from, std::vector<event_ref> &to) {
    for (const event_ref &each : from)
      if (!each.done()) to.push_back(each);
  }
};

/* A host accessor's claim on the memory: commands that are in its way wait until its last copy is
 * gone. */
class host_claim {
  std::shared_ptr<memory_block> of;
  mpl_event *event;

public:
  host_claim(std::shared_ptr<memory_block> memory, access_mode mode)
      : of(std::move(memory)), event(nullptr) {
    if (of->is_recorded())
      fail(errc::invalid, "a host_accessor of a buffer whose use is being recorded to a graph");
    event = mpl_create_event();
    if (!event) fail(errc::memory_allocation, mpl_error_text());
    mpl_retain_event(event);
    event_ref counted(event);
    of->add_hold(event, mode);
    of->wait(mode);
    own_claims::add(counted);
  }
  host_claim(const host_claim &) = delete;
  ~host_claim() {
    of->remove_hold(event);
    mpl_end_event(event, 0);
    mpl_release_event(event);
  }
};

/* Shared by the copies of a buffer and its sub-buffers: when the last is gone, the data goes back
 * to where the program wants it. */
class buffer_life {
  std::shared_ptr<memory_block> of;

public:
  std::function<void(const void *data)> write_back;
  bool writes_back = true;
  bool waits; /* for the program's own memory, and whenever something is written back */

  buffer_life(std::shared_ptr<memory_block> memory, bool waits)
      : of(std::move(memory)), waits(waits) {}
  buffer_life(const buffer_life &) = delete;
  ~buffer_life() {
    bool copies = write_back && writes_back;
    if (!waits && !copies) return; /* the commands keep the memory as long as they need it */
    try {
      of->wait(access_mode::read_write);
    } catch (const exception &) {
      return; /* it would have waited for ever: reported */
    }
    if (copies) write_back(of->data);
    of->let_go();
  }
  const std::shared_ptr<memory_block> &memory() const { return of; }
};

} // namespace sycl::detail

#endif
