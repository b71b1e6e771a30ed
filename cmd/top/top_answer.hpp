#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "cmd/top/pool_key.hpp"
#include "cmd/top/question.hpp"
#include "cmd/top/use.hpp"
#include "usage/rows/gaps.hpp"
#include "usage/rows/gpu_usage.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/model_usage.hpp"
#include "usage/rows/namespace_usage.hpp"
#include "usage/rows/node_usage.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::cmd {

/// What `top` found: the rows of the view that was asked for, and the nodes that the totals above
/// every view are of. Refers to the snapshot.
struct TopAnswer {
  TopQuestion question;
  usage::Inventory inventory;
  std::optional<Time> now;  ///< nothing: a file does not say when it was made
  std::vector<usage::NodeUsage> nodes;
  std::vector<usage::GpuUsage> gpus;
  std::vector<usage::PodUsage> pods;
  std::vector<usage::PodGroup> pod_groups;
  std::vector<usage::NamespaceGroup> namespaces;
  std::vector<usage::ModelUsage> models;
  Window window = Window::none;
  usage::Ages ages = usage::Ages::fresh;
  IdleUnits idle_units;  ///< of rows of nodes, for people
  std::vector<Gap> gaps;
  std::string empty_text;  ///< said when there are no rows
  /// Why there are none, where these rest on something that is not known of anything.
  std::optional<Gap> unanswered;
};

}  // namespace gpu::cmd
