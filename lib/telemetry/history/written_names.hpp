#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/snapshot/snapshot.hpp"

namespace gpu::telemetry {

/// Original names of resources and node labels for those that kube-state-metrics writes. It writes
/// `_` for each character that is not a letter or a digit, and `_` and a small letter for a capital
/// in the middle of a label. Names on nodes of the cluster are known exactly; others are guessed by
/// their makers' conventions.
class WrittenNames {
 public:
  explicit WrittenNames(const Snapshot& snapshot);

  /// "nvidia.com/mig-1g.5gb" for "nvidia_com_mig_1g_5gb"; empty for what counts no GPUs.
  [[nodiscard]] std::string resource(std::string_view written) const;
  /// "node.kubernetes.io/instance-type" for "label_node_kubernetes_io_instance_type"; empty for a
  /// label that is not needed.
  [[nodiscard]] std::string label(std::string_view written) const;

 private:
  void add_label(std::string_view key);

  std::map<std::string, std::string, std::less<>> resources_;
  std::map<std::string, std::string, std::less<>> labels_;
};

}  // namespace gpu::telemetry
