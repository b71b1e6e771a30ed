#include "diagnose/lifecycle/kubelet_refusal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/quantity_text.hpp"

namespace gpu::diagnose {
namespace {

/// NVIDIA's device plugin, of a pod that requests more shares of a card than it hands out to one.
constexpr std::string_view kTooLargeShare = "maximum request size for shared resources is ";

/// The number that follows `lead` in the kubelet's words; nothing where there is none.
std::optional<std::int64_t> number_after(std::string_view message, std::string_view lead) {
  const std::size_t at = message.find(lead);
  if (at == std::string_view::npos) return std::nullopt;
  message.remove_prefix(at + lead.size());
  std::int64_t number = 0;
  const auto [end, error] =
      std::from_chars(message.data(), message.data() + message.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::string_view words_of(const Pod& pod) {
  constexpr std::string_view kLead = "Pod was rejected: ";
  std::string_view words = pod.message.empty() ? pod.reason : pod.message;
  if (words.starts_with(kLead)) words.remove_prefix(kLead.size());
  return words;
}

Advice create_again(const Pod& pod) {
  return create_anew(pod, "delete the pod: the kubelet does not try again");
}

Advice see_node(const Pod& pod, std::string summary) {
  return {.summary = std::move(summary),
          .command = "kubectl describe node " + shell_quoted(pod.node_name)};
}

/// A device plugin that has not registered yet, as after a reboot, when pods start before it.
std::vector<Advice> advice_unregistered(const Pod& pod) {
  return {create_again(pod),
          {.summary = "if it is refused again, see why the device plugin's pod of " +
                      pod.node_name + " has not registered the resource"}};
}

/// Whether the node offers all GPUs that it has: what it lacked when it refused the pod is back.
bool offers_all_gpus(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto place = cluster.node_named(pod.node_name);
  if (!place) return false;
  const Node& node = *cluster.nodes()[*place].node;
  bool has_gpus = false;
  for (const auto& [name, amount] : node.capacity) {
    if (!gpu_resource(name)) continue;
    has_gpus = true;
    if (amount_of(node.allocatable, name) < amount) return false;
  }
  return has_gpus;
}

/// One lost card makes the kubelet refuse all pods that would get it.
std::vector<Advice> advice_unhealthy(const scheduler::Cluster& cluster, const Pod& pod) {
  const bool is_back = offers_all_gpus(cluster, pod);
  Advice mend = {
      .summary = fmt::format("{}cordon {}, look for Xid errors there, and reset the GPU "
                             "or reboot the node",
                             is_back ? "if it is refused again, " : "", pod.node_name),
      .command = is_back ? std::string() : "kubectl cordon " + shell_quoted(pod.node_name)};
  if (is_back) return {create_again(pod), std::move(mend)};
  return {std::move(mend), create_again(pod)};
}

std::vector<Advice> advice_on_shares(std::int64_t most) {
  return {{.summary = fmt::format(
               "request {}: the GPUs of the node are shared, one unit is one share of a card, and "
               "more units give no more of it; its device plugin refuses them "
               "(failRequestsGreaterThanOne)",
               most)}};
}

/// More devices than are left; `available` is the kubelet's own count.
std::vector<Advice> advice_on_count(const scheduler::Cluster& cluster, const Pod& pod,
                                    std::string_view resource, std::int64_t requested) {
  const auto place = cluster.node_named(pod.node_name);
  const std::int64_t whole =
      place ? amount_of(cluster.nodes()[*place].node->allocatable, resource).value() : 0;
  if (place && requested > whole)
    return {{.summary = fmt::format("request {} or less: {} has no more {}, and the pod was bound "
                                    "without kube-scheduler, or before the node lost devices",
                                    whole, pod.node_name, resource)}};
  return {create_again(pod),
          see_node(pod, "if it is refused again, see who holds the devices of the node")};
}

/// "for nvidia.com/gpu" of "requested number of devices unavailable for nvidia.com/gpu. Requested".
std::string_view resource_in(std::string_view words) {
  constexpr std::string_view kLead = "devices unavailable for ";
  const std::size_t at = words.find(kLead);
  if (at == std::string_view::npos) return {};
  words.remove_prefix(at + kLead.size());
  return words.substr(0, words.find(". "));
}

std::vector<Advice> advice_on_devices(const scheduler::Cluster& cluster, const Pod& pod) {
  const std::string_view words = words_of(pod);
  if (const auto most = number_after(words, kTooLargeShare)) return advice_on_shares(*most);
  if (contains(words, "unregistered device")) return advice_unregistered(pod);
  if (contains(words, "unhealthy")) return advice_unhealthy(cluster, pod);
  const auto requested = number_after(words, "Requested: ");
  if (const std::string_view resource = resource_in(words); requested && !resource.empty())
    return advice_on_count(cluster, pod, resource, *requested);
  Advice again = create_again(pod);
  return {
      std::move(again),
      {.summary = "if it is refused again, restart the device plugin's pod of " + pod.node_name}};
}

/// As people read it: "30.1Gi" of bytes, "500m" of CPU.
std::string room_text(std::string_view resource, std::int64_t value) {
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  if (resource == "memory" || resource == "ephemeral-storage")
    return fmt::format("{:.1f}Gi", static_cast<double>(value) / kGiB);
  return amount_text(resource, value);
}

/// Who requests most of a resource on the node: "ml/etl-0 (30.0Gi)".
std::string holders_text(const scheduler::Cluster& cluster, const Pod& pod,
                         std::string_view resource) {
  constexpr std::size_t kMost = 3;
  const auto place = cluster.node_named(pod.node_name);
  const auto id = cluster.resource(resource);
  if (!place || !id) return {};
  std::vector<std::pair<std::int64_t, const Pod*>> holders;
  for (const scheduler::BoundPod& bound : cluster.nodes()[*place].pods)
    for (const scheduler::Amount& amount : bound.requests)
      if (amount.resource == *id) holders.emplace_back(amount.value, bound.pod);
  std::stable_sort(holders.begin(), holders.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (holders.size() > kMost) holders.resize(kMost);
  std::vector<std::string> texts;
  for (const auto& [value, holder] : holders)
    texts.push_back(
        fmt::format("{}/{} ({})", holder->ns, holder->name, room_text(resource, value)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// CPU, memory, devices, or the number of pods: whoever bound the pod did not count what others
/// request there.
std::vector<Advice> advice_on_room(const scheduler::Cluster& cluster, const Pod& pod,
                                   std::string_view resource) {
  const std::string holders = holders_text(cluster, pod, resource);
  std::string summary =
      resource == "pods"
          ? fmt::format("move pods off {}, or let it have more (maxPods of its kubelet)",
                        pod.node_name)
      : gpu_resource(resource)
          ? fmt::format("delete pods of {} that hold {}, or let the scheduler choose a node",
                        pod.node_name, resource)
          : fmt::format("move pods off {}, or request less {}", pod.node_name, resource);
  if (!holders.empty()) summary += "; most of it is requested by " + holders;
  std::vector<Advice> advice = {see_node(pod, std::move(summary))};
  if (!pod.scheduler_name.empty() && pod.scheduler_name != "default-scheduler")
    advice.push_back({.summary = fmt::format("{} bound the pod although the node lacks {}, so that "
                                             "each new pod is refused the same way: see whether a "
                                             "newer release of it counts what other pods request",
                                             pod.scheduler_name, resource)});
  advice.push_back(create_anew(pod, "once there is room, delete the pod"));
  return advice;
}

Trouble room_refusal(const scheduler::Cluster& cluster, const Pod& pod, std::string_view resource) {
  const std::string_view words = words_of(pod);
  const auto requested = number_after(words, "requested: "), used = number_after(words, "used: "),
             whole = number_after(words, "capacity: ");
  const auto text = [&](std::int64_t value) { return room_text(resource, value); };
  std::string why(words);
  if (used && whole && resource == "pods")
    why = fmt::format("it has {} of the {} pods that it may have", text(*used), text(*whole));
  else if (requested && used && whole)
    why = fmt::format("not enough {}: the pod requests {}, others {} of {}", resource,
                      text(*requested), text(*used), text(*whole));
  return {.code = Code::kubelet_rejected,
          .summary = fmt::format("the kubelet of {} refused the pod: {}", pod.node_name, why),
          .advice = advice_on_room(cluster, pod, resource)};
}

/// What one NUMA node has is seen by the kubelet alone; nothing of it is read here.
std::vector<Advice> advice_on_topology(const Pod& pod) {
  return {{.summary = "request what fits one NUMA node, or loosen the node's topology manager "
                      "policy: the scheduler does not see NUMA nodes"},
          {.summary = fmt::format("see what each NUMA node of {} has free, where node feature "
                                  "discovery's topology updater writes it down: the API has it "
                                  "nowhere else",
                                  pod.node_name),
           .command = "kubectl get noderesourcetopologies.topology.node.k8s.io " +
                      shell_quoted(pod.node_name) + " -o yaml"},
          create_anew(pod, "then delete the pod")};
}

/// The labels, name or taints of the node do not fit: it was bound by hand or by another scheduler,
/// or the node changed.
std::vector<Advice> advice_on_node(const Pod& pod) {
  return {see_node(pod, "compare the pod's nodeSelector, affinity and nodeName with the node"),
          create_anew(pod, "then delete the pod")};
}

}  // namespace

std::optional<Trouble> kubelet_refusal(const scheduler::Cluster& cluster, const Pod& pod) {
  if (!is_refused_by_kubelet(pod)) return std::nullopt;
  constexpr std::string_view kOutOf = "OutOf";
  const std::string_view resource = pod.reason.starts_with(kOutOf)
                                        ? std::string_view(pod.reason).substr(kOutOf.size())
                                        : std::string_view();
  if (!resource.empty()) return room_refusal(cluster, pod, resource);
  Trouble trouble{.code = Code::kubelet_rejected,
                  .summary = fmt::format("the kubelet of {} refused the pod: {}", pod.node_name,
                                         words_of(pod))};
  if (pod.reason == "TopologyAffinityError")
    trouble.advice = advice_on_topology(pod);
  else if (pod.reason == "NodeAffinity" || pod.reason == "NodeName")
    trouble.advice = advice_on_node(pod);
  else
    trouble.advice = advice_on_devices(cluster, pod);
  return trouble;
}

}  // namespace gpu::diagnose
