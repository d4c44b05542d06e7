/* The devices whose memory another may use (sycl_ext_oneapi_peer_access). */
#ifndef SYCL_DETAIL_PEER_ACCESS_HPP
#define SYCL_DETAIL_PEER_ACCESS_HPP

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace sycl {

namespace ext::oneapi {
enum class peer_access { access_supported, atomics_supported };
}

namespace detail {

struct device_state;

/* Not kept alive: two devices may be each other's peers. */
class peer_list {
  std::mutex lock;
  std::vector<std::weak_ptr<device_state>> all;

  auto find(const std::shared_ptr<device_state> &peer) {
    return std::find_if(all.begin(), all.end(), [&](const auto &e) { return e.lock() == peer; });
  }

public:
  /* Whether that changed something. */
  bool add(const std::shared_ptr<device_state> &peer) {
    std::lock_guard<std::mutex> guard(lock);
    if (find(peer) != all.end()) return false;
    all.push_back(peer);
    return true;
  }
  bool remove(const std::shared_ptr<device_state> &peer) {
    std::lock_guard<std::mutex> guard(lock);
    auto at = find(peer);
    if (at == all.end()) return false;
    all.erase(at);
    return true;
  }
};

} // namespace detail
} // namespace sycl

#endif
