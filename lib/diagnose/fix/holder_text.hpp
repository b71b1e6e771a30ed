#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Texts about the pods that hold what a pod needs.
class HolderText {
 public:
  HolderText(const scheduler::Cluster& cluster, const Pod& asked, const NodeReasons& reasons,
             const ExplainOptions& options);

  /// "it holds 4 GPUs on gpu-a3, has priority 5, started 3h ago and is idle". Names a priority that
  /// is not 0, or above that of the pod that waits.
  [[nodiscard]] std::string held(const Pod& pod) const;
  /// "research/notebook-jo (4 GPUs, idle)": one of several.
  [[nodiscard]] std::string brief(const Pod& pod) const;
  /// "2 running pods of job/train (8 GPUs, the oldest started 2d ago)".
  [[nodiscard]] std::string running(const std::vector<const Pod*>& pods,
                                    const std::string& owner) const;
  /// "ask team vision first: this stops their work", by labels of the pods that name somebody,
  /// otherwise by their owners: "ask who runs deployment/infer in serving first: ...".
  [[nodiscard]] std::string ask_first(const std::vector<const Pod*>& pods) const;
  /// ", of priority up to 5"; empty if no priority is to be named.
  [[nodiscard]] std::string most_priority(const std::vector<const Pod*>& pods) const;
  /// "research/notebook-jo on gpu-a3 is terminating", or for how long it should have ended.
  [[nodiscard]] std::string leaving(const Pod& pod) const;
  /// What to check if it should have ended by now.
  [[nodiscard]] std::optional<Advice> overdue(const Pod& pod) const;

 private:
  [[nodiscard]] bool is_priority_told(std::int32_t priority) const;

  const scheduler::Cluster& cluster_;
  const Pod& asked_;
  const NodeReasons& reasons_;
  const ExplainOptions& options_;
};

}  // namespace gpu::diagnose
