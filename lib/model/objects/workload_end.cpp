#include "model/objects/workload_end.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/ascii.hpp"

namespace gpu {
namespace {

template <std::size_t kSize>
bool is_one_of(std::string_view type, const std::array<std::string_view, kSize>& types) {
  return std::any_of(types.begin(), types.end(),
                     [&](std::string_view each) { return equal_ignoring_case(type, each); });
}

bool is_good_end(const Condition& condition) {
  static constexpr std::array<std::string_view, 3> kTypes = {"Complete", "Completed", "Succeeded"};
  return condition.status == "True" && is_one_of(condition.type, kTypes);
}

bool is_bad_end(const Condition& condition) {
  static constexpr std::array<std::string_view, 6> kTypes = {
      "Failed", "Error", "Aborted", "Terminated", "Stopped", "ValidationFailed"};
  // Tekton's Succeeded is False once a run has failed.
  if (condition.status == "False") return condition.type == "Succeeded";
  return condition.status == "True" && is_one_of(condition.type, kTypes);
}

}  // namespace

bool can_end(std::string_view kind) {
  static constexpr std::array<std::string_view, 9> kKinds = {
      "JobSet",      "Trial",         "Experiment",       "Workflow",  "TaskRun",
      "PipelineRun", "FlyteWorkflow", "SparkApplication", "AppWrapper"};
  return (kind.ends_with("Job") && kind != "CronJob") ||
         std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

std::optional<WorkloadEnd> end_of(const WorkloadObject& object) {
  if (!can_end(object.kind)) return std::nullopt;
  for (const Condition& condition : object.conditions) {
    const bool has_failed = is_bad_end(condition);
    if (has_failed || is_good_end(condition)) return WorkloadEnd{has_failed, &condition};
  }
  return std::nullopt;
}

}  // namespace gpu
