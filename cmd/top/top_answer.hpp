#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "cmd/top/pool_key.hpp"
#include "cmd/top/question.hpp"
#include "cmd/top/use.hpp"
#include "usage/gaps.hpp"
#include "usage/gpu_usage.hpp"
#include "usage/inventory.hpp"
#include "usage/model_usage.hpp"
#include "usage/namespace_usage.hpp"
#include "usage/node_usage.hpp"
#include "usage/pod_usage.hpp"

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
