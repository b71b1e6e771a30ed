#include "diagnose/fix/holder_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "diagnose/fix/owner_template.hpp"
#include "diagnose/fix/victims.hpp"
#include "diagnose/nodes/shares.hpp"

namespace gpu::diagnose {

namespace {

/// Labels by which people say whose a pod is, and how the answer names these people.
struct LabelOfPeople {
  std::string_view key;
  std::string_view before;
};
constexpr std::array<LabelOfPeople, 6> kLabelsOfPeople = {{{"owner", ""},
                                                           {"user", ""},
                                                           {"created-by", ""},
                                                           {"team", "team "},
                                                           {"app.kubernetes.io/owner", ""},
                                                           {"app.kubernetes.io/team", "team "}}};

std::string responsible_for(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const auto& [key, before] : kLabelsOfPeople)
    if (const std::string* value = pod.labels.find(key); value != nullptr && !value->empty())
      return fmt::format("{}{} ({} in {})", before, *value, pod.name, pod.ns);
  const Owner owner = template_owner(pod, cluster.snapshot());
  const bool is_bare = owner.kind == "Pod" || owner.name.empty();
  return fmt::format("whoever runs {} in {}",
                     is_bare ? pod.name : lower_case(owner.kind) + "/" + owner.name, pod.ns);
}

}  // namespace

HolderText::HolderText(const scheduler::Cluster& cluster, const Pod& asked,
                       const NodeReasons& reasons, const ExplainOptions& options)
    : cluster_(cluster), asked_(asked), reasons_(reasons), options_(options) {}

bool HolderText::is_priority_told(std::int32_t priority) const {
  return priority != 0 || priority > asked_.priority.value_or(0);
}

std::string HolderText::held(const Pod& pod) const {
  std::vector<std::string> facts;
  const std::int64_t gpus = gpus_held_by(cluster_, pod, reasons_);
  facts.push_back(gpus > 0 ? fmt::format("holds {} {} on {}", gpus,
                                         gpu_word(cluster_, reasons_, gpus), pod.node_name)
                           : "runs on " + pod.node_name);
  const std::int32_t priority = pod.priority.value_or(0);
  if (is_priority_told(priority)) facts.push_back(fmt::format("has priority {}", priority));
  if (pod.started && options_.now && *pod.started <= *options_.now)
    facts.push_back(fmt::format("started {} ago", human_duration(*options_.now - *pod.started)));
  if (options_.idle_pods.contains(pod.uid)) facts.emplace_back("is idle");
  std::string text = "it " + facts.front();
  for (std::size_t i = 1; i < facts.size(); ++i)
    text += (i + 1 == facts.size() ? " and " : ", ") + facts[i];
  return text;
}

std::string HolderText::brief(const Pod& pod) const {
  std::vector<std::string> facts;
  const std::int64_t gpus = gpus_held_by(cluster_, pod, reasons_);
  if (gpus > 0) facts.push_back(fmt::format("{} {}", gpus, gpu_word(cluster_, reasons_, gpus)));
  const std::int32_t priority = pod.priority.value_or(0);
  if (is_priority_told(priority)) facts.push_back(fmt::format("priority {}", priority));
  if (options_.idle_pods.contains(pod.uid)) facts.emplace_back("idle");
  const std::string name = pod.ns + "/" + pod.name;
  return facts.empty() ? name : fmt::format("{} ({})", name, fmt::join(facts, ", "));
}

std::string HolderText::running(const std::vector<const Pod*>& pods,
                                const std::string& owner) const {
  std::int64_t gpus = 0;
  std::optional<Time> first;
  for (const Pod* pod : pods) {
    gpus = capped_sum(gpus, gpus_held_by(cluster_, *pod, reasons_));
    if (pod->started) first = std::min(first.value_or(*pod->started), *pod->started);
  }
  const bool is_one = pods.size() == 1;
  std::vector<std::string> facts;
  if (gpus > 0) facts.push_back(fmt::format("{} {}", gpus, gpu_word(cluster_, reasons_, gpus)));
  if (first && options_.now && *first <= *options_.now)
    facts.push_back(fmt::format("{}started {} ago", is_one ? "" : "the oldest ",
                                human_duration(*options_.now - *first)));
  std::string text =
      fmt::format("{} running {} of {}", pods.size(), is_one ? "pod" : "pods", owner);
  return facts.empty() ? text : fmt::format("{} ({})", text, fmt::join(facts, ", "));
}

std::string HolderText::ask_first(const std::vector<const Pod*>& pods) const {
  constexpr std::size_t kMost = 2;
  std::vector<std::string> who;
  for (const Pod* pod : pods) {
    std::string one = responsible_for(cluster_, *pod);
    if (std::find(who.begin(), who.end(), one) == who.end()) who.push_back(std::move(one));
  }
  if (who.empty()) return {};
  return fmt::format("ask {} first: this stops {} work", few_and_rest(who, kMost),
                     who.size() == 1 && pods.size() == 1 ? "its" : "their");
}

std::string HolderText::most_priority(const std::vector<const Pod*>& pods) const {
  const auto highest = std::max_element(pods.begin(), pods.end(), [](const Pod* a, const Pod* b) {
    return a->priority.value_or(0) < b->priority.value_or(0);
  });
  if (highest == pods.end()) return {};
  const std::int32_t priority = (*highest)->priority.value_or(0);
  return is_priority_told(priority) ? fmt::format(", of priority up to {}", priority) : "";
}

std::string HolderText::leaving(const Pod& pod) const {
  std::string text = fmt::format("{}/{} on {} ", pod.ns, pod.name, pod.node_name);
  // A deletionTimestamp is when the time to end is over.
  if (options_.now && pod.deleted && *pod.deleted < *options_.now)
    return text + fmt::format("is terminating, and should have ended {} ago",
                              human_duration(*options_.now - *pod.deleted));
  return text + "is terminating";
}

std::optional<Advice> HolderText::overdue(const Pod& pod) const {
  if (!options_.now || !pod.deleted || *pod.deleted >= *options_.now) return std::nullopt;
  return Advice{
      .summary = fmt::format("see what keeps {}/{} from ending: metadata.finalizers, or the "
                             "kubelet of {}",
                             pod.ns, pod.name, pod.node_name),
      .command = fmt::format("kubectl get pod {} -n {} -o yaml", shell_quoted(pod.name),
                             shell_quoted(pod.ns))};
}

}  // namespace gpu::diagnose
