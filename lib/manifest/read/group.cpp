#include "manifest/read/group.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

std::optional<std::int64_t> integer_at(const json& object, const Pointer& at) {
  if (!object.contains(at) || !object.at(at).is_number_integer()) return std::nullopt;
  return object.at(at).get<std::int64_t>();
}

std::string text_at(const json& object, const Pointer& at) {
  return object.contains(at) && object.at(at).is_string() ? object.at(at).get<std::string>()
                                                          : std::string();
}

bool is_volcano_job(const std::string& api_version) {
  return api_version.starts_with("batch.volcano.sh/");
}

/// What its webhook fills in where a task does not say it: all of its replicas.
std::int64_t least_of_task(const json& task) {
  const auto least = integer_at(task, Pointer("/minAvailable"));
  return least ? *least : integer_at(task, Pointer("/replicas")).value_or(1);
}

/// Tasks have a least of their own only where the Job's is not below their sum: CheckTaskReady().
PlannedGroup group_of_volcano_job(const json& object, const Pointer& template_at) {
  PlannedGroup group;
  const Pointer tasks("/spec/tasks");
  if (!object.contains(tasks) || !object.at(tasks).is_array()) return group;
  std::int64_t sum = 0;
  for (const json& task : object.at(tasks))
    if (task.is_object()) sum += least_of_task(task);
  const auto typed = integer_at(object, Pointer("/spec/minAvailable"));
  group.least = typed && *typed > 0 ? *typed : sum;
  if (*group.least < sum) return group;
  for (Pointer at = template_at; !at.empty(); at.pop_back())
    if (at.parent_pointer() == tasks) group.least_of_template = least_of_task(object.at(at));
  return group;
}

/// Kubeflow's, by version.
constexpr std::array<const char*, 2> kPolicies = {"/spec/runPolicy/schedulingPolicy",
                                                  "/spec/schedulingPolicy"};

}  // namespace

PlannedGroup planned_group(const json& object, const std::string& api_version,
                           const Pointer& template_at) {
  if (is_volcano_job(api_version)) return group_of_volcano_job(object, template_at);
  for (const char* const policy : kPolicies)
    if (const auto least = integer_at(object, Pointer(policy) / "minAvailable");
        least && *least > 0)
      return {.least = least, .least_of_template = std::nullopt};
  return {};
}

std::string volcano_queue_in(const json& object, const std::string& api_version) {
  if (is_volcano_job(api_version)) return text_at(object, Pointer("/spec/queue"));
  for (const char* const policy : kPolicies)
    if (std::string queue = text_at(object, Pointer(policy) / "queue"); !queue.empty())
      return queue;
  if (std::string queue = text_at(object, Pointer("/spec/batchSchedulerOptions/queue"));
      !queue.empty())
    return queue;
  return text_at(object, Pointer("/metadata/labels") / "volcano.sh/queue-name");
}

std::optional<VolcanoPodGroup> pod_group_from(const json& object, const std::string& kind,
                                              const std::string& api_version) {
  if (kind != "PodGroup" || !api_version.starts_with("scheduling.volcano.sh/")) return std::nullopt;
  VolcanoPodGroup group;
  group.queue = text_at(object, Pointer("/spec/queue"));
  group.min_member = integer_at(object, Pointer("/spec/minMember")).value_or(0);
  return group;
}

}  // namespace gpu::manifest
