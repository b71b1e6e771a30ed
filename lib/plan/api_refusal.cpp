#include "plan/api_refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/api/limit_ranges.hpp"
#include "admission/api/pod_validation.hpp"
#include "admission/api/quota.hpp"
#include "base/ascii.hpp"
#include "base/text.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::plan {
namespace {

struct Refusal {
  std::string message;  ///< the API server's words, as far as they can be known
  std::string advice;
  diagnose::Code code = diagnose::Code::admission_rejected;
  std::string command = {};  ///< of the advice
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
  return fmt::format("create the {} {}, or leave it out of the pod", kind, name);
}

/// Built into every cluster, whether they are listed or not.
bool is_system_class(std::string_view name) {
  return name == "system-node-critical" || name == "system-cluster-critical";
}

std::optional<Refusal> missing_class(diagnose::Explanation& answer, const SchedulingFacts& facts,
                                     const Pod& pod) {
  const std::string& priority = pod.priority_class;
  if (!priority.empty() && !is_system_class(priority) &&
      class_named(facts.priority_classes, priority) == nullptr) {
    if (coverage_of(facts, "priorityclasses") == Coverage::whole)
      return Refusal{fmt::format("no PriorityClass with name {} was found", priority),
                     advice_for(facts.priority_classes, "PriorityClass", priority)};
    answer.not_checked.push_back("the PriorityClass " + priority + ", which was not read");
  }
  const std::string& runtime = pod.runtime_class;
  if (runtime.empty() && !pod.overhead.empty())
    return Refusal{"pod rejected: Pod Overhead set without corresponding RuntimeClass defined",
                   "leave out spec.overhead"};
  if (!runtime.empty() && class_named(facts.runtime_classes, runtime) == nullptr) {
    if (coverage_of(facts, "runtimeclasses") == Coverage::whole)
      return Refusal{fmt::format("pod rejected: RuntimeClass \"{}\" not found", runtime),
                     advice_for(facts.runtime_classes, "RuntimeClass", runtime)};
    answer.not_checked.push_back("the RuntimeClass " + runtime +
                                 " and what it adds, which was not read");
  }
  return std::nullopt;
}

/// What the admission plugin Priority makes of the pod's class, or of none; once all are known.
std::int64_t priority_of_class(const SchedulingFacts& facts, const Pod& pod) {
  if (pod.priority_class == "system-cluster-critical") return 2'000'000'000;
  if (pod.priority_class == "system-node-critical") return 2'000'001'000;
  for (const PriorityClass& each : facts.priority_classes)
    if (pod.priority_class.empty() ? each.is_default : each.name == pod.priority_class)
      return each.value;
  return 0;
}

std::optional<Refusal> own_priority(const SchedulingFacts& facts, const Pod& pod) {
  if (!pod.priority || coverage_of(facts, "priorityclasses") != Coverage::whole)
    return std::nullopt;
  const std::int64_t computed = priority_of_class(facts, pod);
  if (*pod.priority == computed) return std::nullopt;
  return Refusal{fmt::format("the integer value of priority ({}) must not be provided in pod spec; "
                             "priority admission controller computed {} from the given "
                             "PriorityClass name",
                             *pod.priority, computed),
                 "leave out spec.priority, and name a PriorityClass"};
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
                     "request whole devices"};
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

/// A request of GPUs under a name without a maker: "gpu"; empty for none.
std::string bare_gpus(const Pod& pod) {
  for (const auto* list : {&pod.init_containers, &pod.containers})
    for (const Container& container : *list)
      for (const auto* amounts : {&container.limits, &container.requests})
        for (const auto& [name, amount] : *amounts)
          if (name.find('/') == std::string::npos && lower_case(name).find("gpu") != name.npos)
            return name;
  return {};
}

/// The makers' own name that a bare one stands for: that of GPUs which the nodes have, of the maker
/// that the name tells or the commonest.
std::string full_name(const scheduler::Cluster& cluster, std::string_view bare) {
  std::map<std::string, std::size_t> nodes;  // by resource
  for (const scheduler::NodeState& each : cluster.nodes())
    for (const auto& [name, amount] : each.node->allocatable) {
      const auto gpu = gpu_resource(name);
      if (gpu && gpu->kind == DeviceKind::card && amount.value() > 0) ++nodes[name];
    }
  for (const Vendor vendor : {Vendor::amd, Vendor::intel, Vendor::nvidia})
    if (lower_case(bare).find(name_of(vendor)) != std::string::npos)
      return std::string(usual_resource(vendor));
  const auto most = std::max_element(
      nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == nodes.end() ? std::string(usual_resource(Vendor::nvidia)) : most->first;
}

std::string advice_on_placement(const scheduler::Cluster& cluster, const Pod& pod) {
  const std::string bare = bare_gpus(pod);
  if (bare.empty()) return "correct that field";
  return fmt::format("write {} instead of {}", full_name(cluster, bare), bare);
}

std::optional<Refusal> outside_of_limits(const SchedulingFacts& facts, const Pod& pod) {
  auto refusal = admission::limit_refusal(pod, facts);
  if (!refusal) return std::nullopt;
  return Refusal{fmt::format("the LimitRange {} of namespace {} would refuse it: {}",
                             refusal->limit_range, pod.ns, refusal->why),
                 "request what the LimitRange allows", diagnose::Code::limit_range,
                 "kubectl describe limitrange -n " + shell_quoted(pod.ns)};
}

std::optional<Refusal> refused_by_quota(admission::QuotaOpinion&& opinion, const Pod& pod) {
  if (!opinion.refusal) return std::nullopt;
  const bool is_full = opinion.refusal->code == diagnose::Code::quota_exceeded;
  return Refusal{std::move(opinion.refusal->text),
                 is_full ? "delete something in the namespace that counts against the quota, "
                           "request less, or have the quota raised"
                         : "give every container the requests and limits that the quota names, or "
                           "have a LimitRange set defaults for them",
                 opinion.refusal->code,
                 "kubectl describe resourcequota -n " + shell_quoted(pod.ns)};
}

/// Whether something stands in a namespace: a list of some Namespaces alone may lack it.
bool is_lived_in(const SchedulingFacts& facts, const std::string& ns) {
  const auto is_there = [&](const auto& each) { return each.ns == ns; };
  return std::any_of(facts.quotas.begin(), facts.quotas.end(), is_there) ||
         std::any_of(facts.limit_ranges.begin(), facts.limit_ranges.end(), is_there) ||
         std::any_of(facts.local_queues.begin(), facts.local_queues.end(), is_there);
}

/// The admission plugin NamespaceLifecycle comes before all others. No cluster is without
/// Namespaces: where there are none, they were not read.
std::optional<Refusal> refused_by_namespace(const SchedulingFacts& facts, const Pod& pod) {
  if (facts.namespaces.empty() || coverage_of(facts, "namespaces") != Coverage::whole)
    return std::nullopt;
  const Namespace* const found = class_named(facts.namespaces, pod.ns);
  if (found != nullptr ? !found->is_terminating : is_lived_in(facts, pod.ns)) return std::nullopt;
  if (found != nullptr)
    return Refusal{
        fmt::format("unable to create new content in namespace {} because it is being terminated",
                    pod.ns),
        "wait until the namespace is gone, and create it again, or use another"};
  std::vector<std::string_view> names;
  for (const Namespace& each : facts.namespaces) names.push_back(each.name);
  const auto near = nearest_name(pod.ns, names);
  return Refusal{fmt::format("namespaces \"{}\" not found", pod.ns),
                 near ? fmt::format("use the namespace {}, or make {} first", *near, pod.ns)
                      : std::string("create the namespace first"),
                 diagnose::Code::admission_rejected,
                 near ? std::string() : "kubectl create namespace " + shell_quoted(pod.ns)};
}

/// The first refusal in the order in which the API server comes to them: what changes pods, then
/// their validation, then what only looks at them, quotas last.
std::optional<Refusal> refusal_of(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                                  const Pod& pod) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  admission::QuotaOpinion quotas = admission::quota_opinion(pod, facts);
  for (std::string& each : quotas.not_checked) answer.not_checked.push_back(std::move(each));
  if (auto refusal = refused_by_namespace(facts, pod)) return refusal;
  if (auto refusal = missing_class(answer, facts, pod)) return refusal;
  if (auto refusal = own_priority(facts, pod)) return refusal;
  if (auto mistake = admission::invalid_placement(pod))
    return Refusal{*std::move(mistake), advice_on_placement(cluster, pod)};
  if (auto refusal = wrong_amounts(pod)) return refusal;
  if (auto refusal = outside_of_limits(facts, pod)) return refusal;
  return refused_by_quota(std::move(quotas), pod);
}

void refuse(diagnose::Explanation& answer, Refusal&& refusal) {
  if (answer.is_blocked)
    answer.remarks.insert(answer.remarks.begin(),
                          {fmt::format("once it is admitted: {}", answer.summary)});
  // They were tried on a pod that is not let in as it is.
  answer.fixes.clear();
  answer.is_blocked = true;
  answer.headline.reset();
  answer.code = refusal.code;
  answer.summary = refusal.code == diagnose::Code::admission_rejected
                       ? "the API server would refuse it: " + refusal.message
                       : std::move(refusal.message);
  answer.nearest = "no pod would be made";
  answer.advice.insert(answer.advice.begin(), {.summary = std::move(refusal.advice),
                                               .command = std::move(refusal.command)});
}

/// Some clusters let pods tolerate taints that are named as what they ask for (GKE does).
void name_added_tolerations(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                            const Pod& pod) {
  if (!answer.is_blocked) return;
  for (const auto& [name, amount] : effective_requests(pod)) {
    const bool is_needed =
        is_extended(name) &&
        std::any_of(
            cluster.nodes().begin(), cluster.nodes().end(), [&](const scheduler::NodeState& node) {
              return std::any_of(node.node->taints.begin(), node.node->taints.end(),
                                 [&](const Taint& taint) {
                                   return taint.key == name && !tolerates(pod.tolerations, taint);
                                 });
            });
    if (is_needed)
      answer.not_checked.push_back(fmt::format(
          "whether this cluster adds a toleration of the taint {0} to pods that request {0}",
          name));
  }
}

}  // namespace

std::string unseen_admission(const SchedulingFacts& facts) {
  std::string unseen;
  if (coverage_of(facts, "resourcequotas") != Coverage::whole) unseen += "ResourceQuota, ";
  if (coverage_of(facts, "limitranges") != Coverage::whole) unseen += "LimitRange, ";
  return unseen +
         "admission webhooks and policies, and fields that scheduling does not read: `kubectl "
         "create --dry-run=server -f FILE` checks these";
}

bool sees_quotas(const SchedulingFacts& facts) {
  return coverage_of(facts, "resourcequotas") == Coverage::whole &&
         coverage_of(facts, "limitranges") == Coverage::whole;
}

bool is_let_in(const scheduler::Cluster& cluster, const Pod& pod) {
  diagnose::Explanation ignored;
  return !refusal_of(ignored, cluster, pod);
}

void add_mistake(diagnose::Explanation& answer, const FieldMistake& mistake) {
  // The same validation may have found the same field, without its place in the manifest.
  if (answer.is_blocked && answer.code == diagnose::Code::admission_rejected) {
    answer.is_blocked = false;
    if (!answer.advice.empty()) answer.advice.erase(answer.advice.begin());
  }
  refuse(answer, {mistake.message, mistake.advice});
}

void add_api_opinion(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                     const Pod& pod) {
  if (auto refusal = refusal_of(answer, cluster, pod)) refuse(answer, *std::move(refusal));
  name_added_tolerations(answer, cluster, pod);
}

}  // namespace gpu::plan
