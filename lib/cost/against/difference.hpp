#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/against/opencost_answer.hpp"
#include "cost/ledger/ledger.hpp"
#include "cost/rows/line.hpp"

namespace gpu::cost {

/// Why OpenCost's figure differs from kubectl-gpu's; each reason has a page in docs/opencost.
enum class WhyDifferent : std::uint8_t {
  shared_billed_whole,     ///< each share of a GPU costs a whole one
  shared_billed_nothing,   ///< shares under a name of their own cost nothing
  mig_not_billed,          ///< nor do MIG slices under names of their own
  not_started_not_billed,  ///< a pod whose containers never ran is not there
  init_request_ignored,    ///< the scheduler reserves what init containers request, too
  efficiency_per_gpu,      ///< use is divided by the GPUs once more; unknown use is 0
  gpu_price_doubled,       ///< a price list of nodes and GPUs: GPUs are added to the node's price
  node_price_is_one_cpu,   ///< without prices, the price of one CPU is taken as the node's
  split_by_ratio,          ///< most of the node's price falls on its CPU and memory
  discount_without_gpu,    ///< a discount leaves GPUs as they are
  window_edges,            ///< nodes and pods are counted over different parts of the window
  no_figure,               ///< its amounts are negative, no numbers, or of no time
  unexplained,             ///< none of these
};

/// "shared-billed-whole", ...
std::string_view name_of(WhyDifferent why);
/// What it means, in one sentence.
std::string_view meaning_of(WhyDifferent why);

/// A pod or node for which OpenCost's figure differs by more than 1 %.
struct Difference {
  bool is_node = false;
  std::string ns;
  std::string name;
  std::optional<double> theirs;   ///< USD an hour; nothing: it is not there, or has no figure
  std::optional<double> ours;     ///< nothing: we have no price
  std::vector<WhyDifferent> why;  ///< never empty
};

/// The nodes, then the pods, that differ; each by the largest difference first. Leaves out pods of
/// nodes without GPUs, and what only OpenCost has, because the ledger has only GPUs that exist now.
std::vector<Difference> differences(const Ledger& ledger, const std::vector<CostLine>& lines,
                                    const OpenCostAnswer& answer);

/// How many pods and nodes both have, and how many of these have no price here.
struct Overlap {
  std::int64_t pods = 0;
  std::int64_t nodes = 0;
  std::int64_t unpriced_pods = 0;
  std::int64_t unpriced_nodes = 0;
};
Overlap overlap_of(const Ledger& ledger, const std::vector<CostLine>& lines,
                   const OpenCostAnswer& answer);

}  // namespace gpu::cost
