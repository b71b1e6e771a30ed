#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checkup/checks/check_result.hpp"
#include "checkup/checks/context.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "model/gpu/sample.hpp"
#include "model/objects/pod.hpp"

namespace gpu::checkup {

/// Whether a pod is of a part of the GPU stack: a DaemonSet's, by its name, images and containers.
bool is_of_stack(const Pod& pod);

/// Whether one of its containers gets all GPUs of its node, whatever the pod requests.
bool sees_all_gpus(const Pod& pod);

/// Results of the same kind for several nodes, gathered: nodes with the same text stand in one, and
/// of very many different texts the first few are said.
class NodeResults {
 public:
  explicit NodeResults(CheckState state) : state_(state) {}
  /// `detail` reads on behind the node's name, or by itself.
  void add(const Node& node, const diagnose::StackFault& fault);
  void add(const Node& node, const diagnose::NodeMaintenance& work);
  void add(const Node& node, std::string detail, diagnose::StackFault::Reads reads,
           std::string help, std::string command);
  [[nodiscard]] bool empty() const { return groups_.empty(); }
  void append_to(CheckResults& results) const;

 private:
  struct Group {
    std::string detail;
    diagnose::StackFault::Reads reads{};
    std::string help;
    std::string command;
    std::vector<std::string> nodes;
  };
  CheckState state_;
  std::vector<Group> groups_;
  std::map<std::string, std::size_t> places_;  ///< in groups_, by detail
};

/// The operator of the GPU stack that a pod is one of, wherever it runs: NVIDIA's, node feature
/// discovery's master; empty for others. Of other makers' operators no pod is known.
std::string_view operator_of(const Pod& pod);
/// Label selectors of those pods.
std::vector<std::string> operator_selectors();

/// Whether a sample has something of the time before it: Prometheus alone tells that.
bool tells_of_the_past(const Measures& told);

/// Whether a pod was created a moment ago, and nothing of it has failed yet.
bool is_young(const Pod& pod, const std::optional<Time>& now);

/// "gpu-a1, gpu-a2 and 4 more".
std::string names_text(const std::vector<std::string>& nodes);

/// Adds what is wrong with the pods of a part of the stack, on the nodes with GPUs of its maker: a
/// pod that is not ready, or one that a taint or nothing that is seen keeps away. Whether labels
/// keep it away is its owner's choice. Nothing where no DaemonSet of it is there.
void add_part_faults(const CheckContext& context, diagnose::DaemonRole role, NodeResults& to);

/// Whether a DaemonSet of it is there.
bool has_part(const CheckContext& context, diagnose::DaemonRole role);

}  // namespace gpu::checkup
