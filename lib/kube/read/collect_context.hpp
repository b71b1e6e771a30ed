#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "kube/http/client.hpp"
#include "kube/read/needs.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::kube {

/// What the parts of one run of collect() share: the client, the needs, the snapshot, and the
/// callbacks.
class CollectContext {
 public:
  /// Refers to all three.
  CollectContext(Client& client, const Needs& needs, Snapshot& snapshot);
  CollectContext(const CollectContext&) = delete;
  CollectContext& operator=(const CollectContext&) = delete;
  ~CollectContext();

  [[nodiscard]] Client& client() const { return client_; }
  [[nodiscard]] const Needs& needs() const { return needs_; }
  [[nodiscard]] Snapshot& snapshot() const { return snapshot_; }

  /// Every object goes through here before it is decoded.
  void tell(const nlohmann::json& object, std::string_view api_version,
            std::string_view kind) const;
  void count_node();
  void count_pod();
  void count_bytes(std::size_t bytes);

 private:
  void count_item();

  Client& client_;
  const Needs& needs_;
  Snapshot& snapshot_;
  Progress progress_;
  int unshown_ = 0;  ///< items since progress was last shown
  std::function<void()> former_tick_;
};

}  // namespace gpu::kube
