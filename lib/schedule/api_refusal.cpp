#include "schedule/api_refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "model/requests.hpp"
#include "model/toleration.hpp"
#include "schedule/pod_validation.hpp"
#include "schedule/quantity_text.hpp"
#include "schedule/quota_room.hpp"

namespace gpu::schedule {
namespace {

struct Refusal {
  std::string message;  ///< the API server's words, as far as they can be known
  std::string advice;
};

template <class Class>
const Class* class_named(const std::vector<Class>& classes, std::string_view name) {
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const Class& each) { return each.name == name; });
  return found == classes.end() ? nullptr : &*found;
}

template <class Class>
std::string advice_for(const std::vector<Class>& classes, std::string_view kind,
                       std::string_view name) {
  std::vector<std::string_view> names;
  for (const Class& each : classes) names.push_back(each.name);
  if (const auto near = nearest_name(name, names))
    return fmt::format("name the {} {}", kind, *near);
  return fmt::format("make the {} {}, or leave it out of the pod", kind, name);
}

/// Built into every cluster, whether they are listed or not.
bool is_system_class(std::string_view name) {
  return name == "system-node-critical" || name == "system-cluster-critical";
}

std::optional<Refusal> missing_class(Explanation& answer, const SchedulingFacts& facts,
                                     const Pod& pod) {
  const std::string& priority = pod.priority_class;
  if (!priority.empty() && !is_system_class(priority) &&
      class_named(facts.priority_classes, priority) == nullptr) {
    if (sight_of(facts, "priorityclasses") == Sight::whole)
      return Refusal{fmt::format("no PriorityClass with name {} was found", priority),
                     advice_for(facts.priority_classes, "PriorityClass", priority)};
    answer.not_checked.push_back("the PriorityClass " + priority + ", which was not read");
  }
  const std::string& runtime = pod.runtime_class;
  if (!runtime.empty() && class_named(facts.runtime_classes, runtime) == nullptr) {
    if (sight_of(facts, "runtimeclasses") == Sight::whole)
      return Refusal{fmt::format("pod rejected: RuntimeClass \"{}\" not found", runtime),
                     advice_for(facts.runtime_classes, "RuntimeClass", runtime)};
    answer.not_checked.push_back("the RuntimeClass " + runtime +
                                 " and what it adds, which was not read");
  }
  return std::nullopt;
}

/// As the API server's IsExtendedResourceName() has it.
bool is_extended(std::string_view name) {
  return name.find('/') != std::string_view::npos &&
         name.find("kubernetes.io/") == std::string_view::npos && !name.starts_with("requests.");
}

std::optional<Refusal> wrong_amounts(const Container& container) {
  for (const auto& [name, amount] : container.requests) {
    if (!is_extended(name)) continue;
    if (amount != Quantity::of(amount.value()))
      return Refusal{fmt::format("container {}: {} must be an integer", container.name, name),
                     "ask for whole devices"};
    if (!container.limits.contains(name))
      return Refusal{fmt::format("container {}: limit must be set for non overcommitable "
                                 "resources: {}",
                                 container.name, name),
                     fmt::format("set limits.{} to the same amount", name)};
    if (const Quantity limit = amount_of(container.limits, name); limit != amount)
      return Refusal{
          fmt::format("container {}: request {} must be equal to {} limit of {}", container.name,
                      quantity_text(name, amount), name, quantity_text(name, limit)),
          "set request and limit to the same amount"};
  }
  return std::nullopt;
}

std::optional<Refusal> wrong_amounts(const Pod& pod) {
  for (const auto* list : {&pod.init_containers, &pod.containers})
    for (const Container& container : *list)
      if (auto refusal = wrong_amounts(container)) return refusal;
  return std::nullopt;
}

void refuse(Explanation& answer, Refusal&& refusal) {
  if (answer.is_blocked)
    answer.remarks.insert(answer.remarks.begin(),
                          {fmt::format("once it is let in: {}", answer.summary)});
  answer.is_blocked = true;
  answer.code = Code::admission_rejected;
  answer.summary = "the API server would refuse it: " + refusal.message;
  answer.nearest = "no pod would be made";
  answer.advice.insert(answer.advice.begin(),
                       {.summary = std::move(refusal.advice), .command = {}});
}

/// Some clusters let pods tolerate taints that are named as what they ask for (GKE does).
void name_added_tolerations(Explanation& answer, const Cluster& cluster, const Pod& pod) {
  if (!answer.is_blocked) return;
  for (const auto& [name, amount] : effective_requests(pod)) {
    const bool is_needed =
        is_extended(name) &&
        std::any_of(cluster.nodes().begin(), cluster.nodes().end(), [&](const NodeState& node) {
          return std::any_of(node.node->taints.begin(), node.node->taints.end(),
                             [&](const Taint& taint) {
                               return taint.key == name && !tolerates(pod.tolerations, taint);
                             });
        });
    if (is_needed)
      answer.not_checked.push_back(fmt::format(
          "whether this cluster lets whoever asks for {0} tolerate the taint {0} by itself", name));
  }
}

}  // namespace

void add_api_opinion(Explanation& answer, const Cluster& cluster, const Pod& pod) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  std::optional<Refusal> refusal;
  if (auto mistake = invalid_placement(pod))
    refusal = Refusal{*std::move(mistake), "correct that field"};
  if (!refusal) refusal = wrong_amounts(pod);
  if (!refusal) refusal = missing_class(answer, facts, pod);
  if (refusal) refuse(answer, *std::move(refusal));
  if (const std::string quota = full_quota(cluster, pod); !quota.empty())
    answer.remarks.push_back(
        {.text = fmt::format("the quota {} of namespace {} has no room for it: the API server may "
                             "refuse it",
                             quota, pod.ns),
         .is_warning = true});
  name_added_tolerations(answer, cluster, pod);
}

}  // namespace gpu::schedule
