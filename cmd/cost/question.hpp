#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cmd/cost/cost_flags.hpp"
#include "cmd/cost/view.hpp"
#include "cmd/shell/reader.hpp"
#include "cost/ledger/node_ledger.hpp"
#include "kube/read/needs.hpp"
#include "model/objects/label_selector.hpp"
#include "model/snapshot/workload.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// What is asked of `cost`: flags as types.
struct CostQuestion {
  const CostView& view;
  std::string label;                   ///< the key of --by label=KEY; empty: no label
  std::vector<std::string> names;      ///< of rows; empty: all
  const WorkloadKind* kind = nullptr;  ///< of TYPE/NAME: only pods of that owner
  std::vector<std::string> nodes;      ///< only these; empty: all
  std::string model;                   ///< a part of its name; empty: all
  LabelSelector pod_selector;
  std::string ns;  ///< only this namespace; empty: all
  cost::ChargeRules charge;
  report::Format format = report::Format::text;
  Reader reader = Reader::people;
  std::string sort_by;
  kube::MetricsNeeds metrics;

  /// Whether pods that are finished or gone count: of one owner that is asked for by its name, and
  /// with --since in every view of holders.
  [[nodiscard]] bool counts_past() const;
  /// Whether rows are chosen among: totals of the cluster would say nothing about them.
  [[nodiscard]] bool chooses_rows() const;
};

/// Reads the flags. Throws Error{usage} for what does not go together.
CostQuestion cost_question(const CostFlags& flags, const Env& env);

/// What the answer takes from the cluster.
kube::Needs needs_of(const CostQuestion& question);

}  // namespace gpu::cmd
