#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpu::cost {

/// OpenCost's figures for a pod in /allocation: US dollars an hour, in its floating point.
struct OpenCostPod {
  std::string ns;  ///< empty if the answer does not have it
  std::string name;
  std::string node;
  double minutes = 0;   ///< of the window in which it sees the pod
  double gpus = 0;      ///< that it counts
  double gpu_hour = 0;  ///< of these
  /// Of CPU, memory and GPUs; nothing: one of its amounts is not a number, or it has no time.
  std::optional<double> hour = 0.0;
  double efficiency = 0;      ///< gpuEfficiency
  std::optional<double> use;  ///< gpuUsageAverage, where it has any
};

/// What its /assets says of a node.
struct OpenCostNode {
  std::string name;
  double minutes = 0;
  double gpus = 0;
  double gpu_hour = 0;               ///< of all its GPUs
  std::optional<double> hour = 0.0;  ///< nothing: as of a pod
  double discount = 0;               ///< a part of 1 that is taken off
};

/// An answer of OpenCost, of a window.
struct OpenCostAnswer {
  std::vector<OpenCostPod> pods;
  std::vector<OpenCostNode> nodes;
  std::map<std::pair<std::string, std::string>, std::size_t>
      places;              ///< of pods, by namespace, name
  bool has_pods = false;   ///< an /allocation was among what was read
  bool has_nodes = false;  ///< an /assets was
};

/// Adds the content of a body of /allocation (of containers, pods, or steps of these) or of
/// /assets. `where` names the body in messages. Throws Error{data} for anything else: HTML, an
/// error, nothing.
void add_opencost_body(OpenCostAnswer& answer, std::string_view body, std::string_view where);

}  // namespace gpu::cost
