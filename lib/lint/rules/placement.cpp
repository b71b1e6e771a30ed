#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "lint/rules/rules.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kTaints =
    "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration";
constexpr std::string_view kLabels =
    "https://github.com/NVIDIA/k8s-device-plugin/tree/main/docs/gpu-feature-discovery";

constexpr auto kRules = std::to_array<Rule>({
    {"gpu-toleration-missing", Severity::warning,
     "the pod does not tolerate the taint that GPU nodes usually have",
     "GPU nodes are often tainted with nvidia.com/gpu:NoSchedule, and a pod without the toleration "
     "stays Pending there. Only GKE and clusters with the ExtendedResourceToleration plugin add "
     "it. Where no node has the taint, it does nothing.",
     "https://github.com/vllm-project/aibrix/pull/909"},
    {"gpu-toleration-value", Severity::warning,
     "the toleration names a value that GPU nodes may not have",
     "The value differs between clusters: GKE writes present, others true. operator: Exists "
     "tolerates all of them.",
     "https://github.com/vllm-project/aibrix/pull/909"},
    {"toleration-invalid", Severity::error, "a toleration is not valid",
     "The API server refuses the pod; inside of custom resources it accepts it, and the toleration "
     "does nothing.",
     kTaints},
    {"gpu-memory-selector", Severity::error, "nvidia.com/gpu.memory is compared with no number",
     "The label is a whole number of MiB. The API server accepts other words, and they match no "
     "node.",
     kLabels},
    {"label-value-invalid", Severity::error, "the value of a label cannot have such characters",
     "The API server refuses it. GPU feature discovery writes a dash instead of each space: "
     "NVIDIA-A100-SXM4-80GB.",
     "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels"},
    {"node-name-set", Severity::warning, "the pod is tied to a node by its name",
     "Such a pod passes the scheduler by: the kubelet refuses it for good if the node has no GPU "
     "free.",
     "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename"},
});

enum RuleAt : std::size_t { kMissing, kValue, kInvalid, kMemory, kLabelValue, kNodeName };

/// The taint that clusters put on the nodes of a maker's cards; empty where none is usual.
std::string_view usual_taint(std::string_view resource) {
  const auto gpu = gpu_resource(resource);
  if (!gpu || gpu->kind == DeviceKind::alias) return {};
  if (gpu->vendor == Vendor::google) return {};  // GKE adds the toleration
  return usual_resource(gpu->vendor);
}

/// The first resource of the pod that counts devices.
std::string resource_of(const PodSubject& pod) {
  std::string found;
  for_each_container(pod, [&](const ContainerSubject& each) {
    for (const char* const which : {"limits", "requests"})
      for (const auto& [name, amount] : each.amounts(which).items())
        if (found.empty() && gpu_resource(name) && devices_of(each, name)) found = name;
  });
  return found;
}

const json& tolerations_of(const PodSubject& pod) {
  static const json kNone = json::array();
  const json& found = value_at(pod.spec, Pointer("/tolerations"));
  return found.is_array() ? found : kNone;
}

bool covers(const json& toleration, std::string_view key) {
  const std::string_view its = text_at(toleration, "/key");
  const std::string_view effect = text_at(toleration, "/effect");
  if (!effect.empty() && effect != "NoSchedule") return false;
  return its == key || (its.empty() && text_at(toleration, "/operator") == "Exists");
}

/// Whether it selects nodes by GKE's labels: GKE adds the toleration.
bool is_for_gke(const PodSubject& pod) {
  const json& selector = value_at(pod.spec, Pointer("/nodeSelector"));
  return selector.is_object() &&
         std::any_of(selector.items().begin(), selector.items().end(), [](const auto& each) {
           return each.key().starts_with("cloud.google.com/gke-");
         });
}

void check_gpu_toleration(const PodSubject& pod, Findings& findings) {
  const std::string resource = resource_of(pod);
  const std::string_view key = usual_taint(resource);
  if (key.empty() || is_for_gke(pod)) return;
  const json& tolerations = tolerations_of(pod);
  const Pointer at = pod.spec_at / "tolerations";
  const auto found = std::find_if(tolerations.begin(), tolerations.end(),
                                  [&](const json& each) { return covers(each, key); });
  if (found == tolerations.end()) {
    const json wanted = {{"key", key}, {"operator", "Exists"}, {"effect", "NoSchedule"}};
    findings.add(kRules[kMissing], at, fmt::format("the pod does not tolerate the taint {}", key),
                 fmt::format("add {{key: {}, operator: Exists, effect: NoSchedule}}", key),
                 Edit{Edit::Kind::append, at, wanted});
    return;
  }
  const std::string_view value = text_at(*found, "/value");
  const bool names_value = text_at(*found, "/operator") != "Exists";
  const bool has_exists =
      std::any_of(tolerations.begin(), tolerations.end(), [&](const json& each) {
        return covers(each, key) && text_at(each, "/operator") == "Exists";
      });
  if (names_value && !has_exists)
    findings.add(kRules[kValue], at / static_cast<std::size_t>(found - tolerations.begin()),
                 fmt::format("only the taint {}={} is tolerated", key, value),
                 "write operator: Exists without a value");
}

void check_tolerations(const PodSubject& pod, Findings& findings) {
  const json& tolerations = tolerations_of(pod);
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const json& each = tolerations[i];
    const Pointer at = pod.spec_at / "tolerations" / i;
    const std::string_view op = text_at(each, "/operator");
    const std::string_view effect = text_at(each, "/effect");
    const bool is_number = op == "Lt" || op == "Gt";
    if (!op.empty() && op != "Exists" && op != "Equal" && !is_number)
      findings.add(kRules[kInvalid], at / "operator",
                   fmt::format("a toleration has no operator {}", op), "write Exists or Equal");
    if (op == "Exists" && !text_at(each, "/value").empty())
      findings.add(kRules[kInvalid], at / "value",
                   "a toleration with operator Exists cannot have a value", "leave out the value",
                   Edit{Edit::Kind::remove, at / "value", {}});
    if (op.empty() && text_at(each, "/key").empty() && each.is_object())
      findings.add(kRules[kInvalid], at, "a toleration without a key needs operator Exists",
                   "write operator: Exists", Edit{Edit::Kind::set, at / "operator", "Exists"});
    if (!effect.empty() && effect != "NoSchedule" && effect != "PreferNoSchedule" &&
        effect != "NoExecute")
      findings.add(kRules[kInvalid], at / "effect", fmt::format("there is no effect {}", effect),
                   "write NoSchedule, PreferNoSchedule or NoExecute");
    if (each.contains("tolerationSeconds") && effect != "NoExecute")
      findings.add(kRules[kInvalid], at / "tolerationSeconds",
                   "tolerationSeconds needs the effect NoExecute", "leave out tolerationSeconds");
  }
}

bool is_label_value(std::string_view value) {
  constexpr std::size_t kMost = 63;
  const auto is_end = [](char c) { return is_letter(c) || is_digit(c); };
  return value.empty() || (value.size() <= kMost && is_end(value.front()) && is_end(value.back()) &&
                           std::all_of(value.begin(), value.end(), [&](char c) {
                             return is_end(c) || c == '-' || c == '_' || c == '.';
                           }));
}

void check_label_value(std::string_view key, const json& value, const Pointer& at,
                       Findings& findings) {
  if (!value.is_string()) return;
  const auto& text = value.get_ref<const std::string&>();
  if (is_label_value(text)) return;
  std::string meant = text;
  std::replace(meant.begin(), meant.end(), ' ', '-');
  const bool helps = is_label_value(meant);
  findings.add(kRules[kLabelValue], at,
               fmt::format("{} cannot be {}: labels have no such values", key, value.dump()),
               helps ? "write " + meant : "write letters, digits, dashes, at most 63",
               helps ? std::optional(Edit{Edit::Kind::set, at, meant}) : std::nullopt);
}

void check_terms(const Pointer& terms_at, const json& terms, Findings& findings) {
  if (!terms.is_array()) return;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const json& expressions = value_at(terms[i], Pointer("/matchExpressions"));
    if (!expressions.is_array()) continue;
    for (std::size_t k = 0; k < expressions.size(); ++k) {
      const json& each = expressions[k];
      const Pointer at = terms_at / i / "matchExpressions" / k;
      const std::string_view key = text_at(each, "/key");
      const std::string_view op = text_at(each, "/operator");
      const json& values = value_at(each, Pointer("/values"));
      if (!values.is_array()) continue;
      for (std::size_t v = 0; v < values.size(); ++v) {
        if (op == "In" || op == "NotIn")
          check_label_value(key, values[v], at / "values" / v, findings);
        if ((op == "Gt" || op == "Lt") && key == "nvidia.com/gpu.memory" &&
            !whole_number(written(values[v])))
          findings.add(kRules[kMemory], at / "values" / v,
                       fmt::format("{} is compared with {}, which is not a whole number of MiB",
                                   key, written(values[v])),
                       "write MiB as a quoted number: \"40000\"");
      }
    }
  }
}

void check_selectors(const PodSubject& pod, Findings& findings) {
  if (const json& selector = value_at(pod.spec, Pointer("/nodeSelector")); selector.is_object())
    for (const auto& [key, value] : selector.items())
      check_label_value(key, value, pod.spec_at / "nodeSelector" / key, findings);
  const Pointer terms =
      Pointer("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution") /
      "nodeSelectorTerms";
  check_terms(pod.spec_at / terms, value_at(pod.spec, terms), findings);
}

}  // namespace

std::span<const Rule> placement_rules() { return kRules; }

void check_placement(const PodSubject& pod, Findings& findings) {
  check_gpu_toleration(pod, findings);
  check_tolerations(pod, findings);
  check_selectors(pod, findings);
  if (const std::string_view node = text_at(pod.spec, "/nodeName");
      !node.empty() && gpus_of(pod) > 0)
    findings.add(kRules[kNodeName], pod.spec_at / "nodeName",
                 fmt::format("the pod is tied to the node {}, and passes the scheduler by", node),
                 "write nodeSelector with kubernetes.io/hostname");
}

}  // namespace gpu::lint
