#include "manifest/read/mistake.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/text.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Names = std::span<const std::string_view>;

// Fields of k8s.io/api 1.36. core/v1:
constexpr std::array<std::string_view, 43> kPodSpec = {"volumes",
                                                       "initContainers",
                                                       "containers",
                                                       "ephemeralContainers",
                                                       "restartPolicy",
                                                       "terminationGracePeriodSeconds",
                                                       "activeDeadlineSeconds",
                                                       "dnsPolicy",
                                                       "nodeSelector",
                                                       "serviceAccountName",
                                                       "serviceAccount",
                                                       "automountServiceAccountToken",
                                                       "nodeName",
                                                       "hostNetwork",
                                                       "hostPID",
                                                       "hostIPC",
                                                       "shareProcessNamespace",
                                                       "securityContext",
                                                       "imagePullSecrets",
                                                       "hostname",
                                                       "subdomain",
                                                       "affinity",
                                                       "schedulerName",
                                                       "tolerations",
                                                       "hostAliases",
                                                       "priorityClassName",
                                                       "priority",
                                                       "dnsConfig",
                                                       "readinessGates",
                                                       "runtimeClassName",
                                                       "enableServiceLinks",
                                                       "preemptionPolicy",
                                                       "overhead",
                                                       "topologySpreadConstraints",
                                                       "setHostnameAsFQDN",
                                                       "os",
                                                       "hostUsers",
                                                       "schedulingGates",
                                                       "resourceClaims",
                                                       "resources",
                                                       "hostnameOverride",
                                                       "workloadRef",
                                                       "schedulingGroup"};
constexpr std::array<std::string_view, 25> kContainer = {"name",
                                                         "image",
                                                         "command",
                                                         "args",
                                                         "workingDir",
                                                         "ports",
                                                         "envFrom",
                                                         "env",
                                                         "resources",
                                                         "resizePolicy",
                                                         "restartPolicy",
                                                         "restartPolicyRules",
                                                         "volumeMounts",
                                                         "volumeDevices",
                                                         "livenessProbe",
                                                         "readinessProbe",
                                                         "startupProbe",
                                                         "lifecycle",
                                                         "terminationMessagePath",
                                                         "terminationMessagePolicy",
                                                         "imagePullPolicy",
                                                         "securityContext",
                                                         "stdin",
                                                         "stdinOnce",
                                                         "tty"};
constexpr std::array<std::string_view, 3> kResources = {"limits", "requests", "claims"};
constexpr std::array<std::string_view, 5> kToleration = {"key", "operator", "value", "effect",
                                                         "tolerationSeconds"};
// batch/v1 and apps/v1:
constexpr std::array<std::string_view, 17> kJob = {"parallelism",
                                                   "completions",
                                                   "activeDeadlineSeconds",
                                                   "podFailurePolicy",
                                                   "successPolicy",
                                                   "backoffLimit",
                                                   "backoffLimitPerIndex",
                                                   "maxFailedIndexes",
                                                   "failedPodsLimit",
                                                   "selector",
                                                   "manualSelector",
                                                   "template",
                                                   "ttlSecondsAfterFinished",
                                                   "completionMode",
                                                   "suspend",
                                                   "podReplacementPolicy",
                                                   "managedBy"};
constexpr std::array<std::string_view, 8> kDeployment = {
    "replicas",        "selector",
    "template",        "strategy",
    "minReadySeconds", "revisionHistoryLimit",
    "paused",          "progressDeadlineSeconds"};
constexpr std::array<std::string_view, 11> kStatefulSet = {
    "replicas",        "selector",
    "template",        "volumeClaimTemplates",
    "serviceName",     "podManagementPolicy",
    "updateStrategy",  "revisionHistoryLimit",
    "minReadySeconds", "persistentVolumeClaimRetentionPolicy",
    "ordinals"};
constexpr std::array<std::string_view, 5> kDaemonSet = {"selector", "template", "updateStrategy",
                                                        "minReadySeconds", "revisionHistoryLimit"};
constexpr std::array<std::string_view, 4> kReplicaSet = {"replicas", "minReadySeconds", "selector",
                                                         "template"};

/// Empty for kinds whose fields are not known.
Names fields_of(std::string_view kind) {
  if (kind == "Job" || kind == "CronJob") return kJob;
  if (kind == "Deployment") return kDeployment;
  if (kind == "StatefulSet") return kStatefulSet;
  if (kind == "DaemonSet") return kDaemonSet;
  return kind == "ReplicaSet" ? Names(kReplicaSet) : Names();
}

const json* member(const json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

const json& items(const json& object, std::string_view key) {
  static const json kNone = json::array();
  const json* const list = member(object, key);
  return list != nullptr && list->is_array() ? *list : kNone;
}

std::string text_of(const json& object, std::string_view key) {
  const json* const value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

/// What a pod as a whole may request: the API server's IsSupportedPodLevelResource().
bool is_of_whole_pod(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

/// Devices are requested by containers, never by a pod as a whole.
std::optional<FieldMistake> mistake_in_pod_level(const decode::PodTemplate& made) {
  const json& spec = made.pod.at("spec");
  const json* const resources = member(spec, "resources");
  if (resources == nullptr) return std::nullopt;
  const std::string path = decode::path_text(made.spec_at);
  for (const char* const amounts : {"limits", "requests"}) {
    const json* const list = member(*resources, amounts);
    if (list == nullptr || !list->is_object()) continue;
    for (const auto& [name, amount] : list->items()) {
      if (is_of_whole_pod(name)) continue;
      const std::string field = fmt::format("{}.resources.{}", path, amounts);
      const char* const index = items(spec, "containers").size() == 1 ? "0" : "";
      return FieldMistake{
          fmt::format(R"({0}[{1}]: Unsupported value: "{1}": supported values: "cpu", )"
                      R"("hugepages-", "memory")",
                      field, name),
          fmt::format("move {} to {}.containers[{}].resources.limits: {} requested by containers, "
                      "not by the pod as a whole",
                      name, path, index, gpu_resource(name) ? "GPUs are" : "it is"),
          fmt::format("{}.{}", field, name)};
    }
  }
  return std::nullopt;
}

class Look {
 public:
  Look(const json& object, const std::string& kind, const decode::PodTemplate& made)
      : object_(object), kind_(kind), made_(made), path_(decode::path_text(made.spec_at)) {}

  FieldsOpinion opinion() {
    if (kind_ != "Pod" && !path_.ends_with("template.spec")) return {};
    look_for_unknown();
    if (!unknown_.empty()) {
      opinion_.mistake = FieldMistake{
          fmt::format("strict decoding error: {}", fmt::join(unknown_, ", ")), advice_, field_};
      return std::move(opinion_);
    }
    opinion_.mistake = mistake_in_pod_level(made_);
    look_at_maker();
    look_at_containers("initContainers");
    look_at_containers("containers");
    return std::move(opinion_);
  }

 private:
  void refuse(std::string field, std::string message, std::string advice) {
    if (opinion_.mistake) return;
    opinion_.mistake = {std::move(message), std::move(advice), std::move(field)};
  }

  // Fields that do not exist.

  void look_for_unknown() {
    const json& spec = made_.pod.at("spec");
    if (const Names known = fields_of(kind_); !known.empty())
      look_at(object_.at(made_.spec_at.parent_pointer().parent_pointer()), known,
              path_.substr(0, path_.size() - std::string_view(".template.spec").size()));
    look_at(spec, kPodSpec, path_);
    for (const char* const list : {"initContainers", "containers"}) {
      const json& containers = items(spec, list);
      for (std::size_t i = 0; i < containers.size(); ++i) {
        const std::string path = fmt::format("{}.{}[{}]", path_, list, i);
        look_at(containers[i], kContainer, path);
        if (const json* const resources = member(containers[i], "resources"))
          look_at_resources(*resources, path + ".resources");
      }
    }
    const json& tolerations = items(spec, "tolerations");
    for (std::size_t i = 0; i < tolerations.size(); ++i)
      look_at(tolerations[i], kToleration, fmt::format("{}.tolerations[{}]", path_, i));
  }

  /// A name that is near a known one is a slip; any other may be newer than what is known here.
  void look_at(const json& object, Names known, const std::string& path) {
    if (!object.is_object()) return;
    const std::vector<std::string_view> names(known.begin(), known.end());
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      if (const auto near = nearest_name(key, names))
        add_unknown(fmt::format("{}.{}", path, key), fmt::format("write {}.{}", path, *near));
      else
        opinion_.not_checked.push_back(
            fmt::format("the field {}.{}, which is not known here", path, key));
    }
  }

  void look_at_resources(const json& resources, const std::string& path) {
    if (!resources.is_object()) return;
    const std::vector<std::string_view> names(kResources.begin(), kResources.end());
    for (const auto& [key, value] : resources.items()) {
      if (std::find(names.begin(), names.end(), key) != names.end()) continue;
      const auto near = nearest_name(key, names);
      add_unknown(fmt::format("{}.{}", path, key),
                  near ? fmt::format("write {}.{}", path, *near)
                       : fmt::format("put {} under {}.limits", key, path));
    }
  }

  void add_unknown(const std::string& path, std::string advice) {
    unknown_.push_back(fmt::format("unknown field \"{}\"", path));
    if (!advice_.empty()) return;
    advice_ = std::move(advice);
    field_ = path;
  }

  // What must be there.

  void look_at_maker() {
    const std::string policy = text_of(made_.pod.at("spec"), "restartPolicy");
    if (kind_ == "Job" || kind_ == "CronJob") {
      const std::string field = path_ + ".restartPolicy";
      if (policy.empty() || policy == "Always")
        refuse(field, field + R"(: Required value: valid values: "OnFailure", "Never")",
               fmt::format("set {} to Never or OnFailure", field));
    } else if (kind_ != "Pod" && !policy.empty() && policy != "Always") {
      refuse(path_ + ".restartPolicy",
             fmt::format(R"({}.restartPolicy: Unsupported value: "{}": supported values: "Always")",
                         path_, policy),
             fmt::format("leave out {}.restartPolicy", path_));
    }
    const bool selects = kind_ == "Deployment" || kind_ == "StatefulSet" || kind_ == "DaemonSet" ||
                         kind_ == "ReplicaSet";
    if (selects) look_at_selector();
  }

  void look_at_selector() {
    const json* const spec = member(object_, "spec");
    const json* const selector = spec == nullptr ? nullptr : member(*spec, "selector");
    if (selector == nullptr)
      return refuse("spec.selector", "spec.selector: Required value",
                    "set spec.selector.matchLabels to the labels of the template");
    const json* const wanted = member(*selector, "matchLabels");
    if (wanted == nullptr || !wanted->is_object()) return;
    const json* const has = member(made_.pod.at("metadata"), "labels");
    const bool matches = std::all_of(wanted->items().begin(), wanted->items().end(), [&](auto it) {
      const json* const label = has == nullptr ? nullptr : member(*has, it.key());
      return label != nullptr && *label == it.value();
    });
    if (!matches)
      refuse("spec.template.metadata.labels",
             fmt::format(
                 "spec.template.metadata.labels: Invalid value: {}: `selector` does not "
                 "match template `labels`",
                 has == nullptr ? "{}" : has->dump(-1, ' ', false, json::error_handler_t::replace)),
             "set the labels of the template to those of spec.selector");
  }

  void look_at_containers(const char* list) {
    const json& containers = items(made_.pod.at("spec"), list);
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const std::string path = fmt::format("{}.{}[{}]", path_, list, i);
      for (const char* const key : {"name", "image"})
        if (text_of(containers[i], key).empty())
          refuse(fmt::format("{}.{}", path, key), fmt::format("{}.{}: Required value", path, key),
                 fmt::format("set {}.{}", path, key));
      look_at_mounts(containers[i], path);
    }
  }

  void look_at_mounts(const json& container, const std::string& path) {
    const json& mounts = items(container, "volumeMounts");
    for (std::size_t i = 0; i < mounts.size(); ++i) {
      const std::string name = text_of(mounts[i], "name");
      if (!name.empty() && !has_volume(name))
        refuse(fmt::format("{}.volumeMounts[{}].name", path, i),
               fmt::format("{}.volumeMounts[{}].name: Not found: \"{}\"", path, i, name),
               fmt::format("add a volume {} to {}.volumes, or mount another", name, path_));
    }
  }

  [[nodiscard]] bool has_volume(const std::string& name) const {
    const auto is_named = [&](const json& volume) { return text_of(volume, "name") == name; };
    const json& volumes = items(made_.pod.at("spec"), "volumes");
    if (std::any_of(volumes.begin(), volumes.end(), is_named)) return true;
    const json* const spec = member(object_, "spec");
    if (spec == nullptr) return false;
    const json& made = items(*spec, "volumeClaimTemplates");
    return std::any_of(made.begin(), made.end(), [&](const json& claim) {
      const json* const metadata = member(claim, "metadata");
      return metadata != nullptr && is_named(*metadata);
    });
  }

  const json& object_;
  const std::string& kind_;
  const decode::PodTemplate& made_;
  std::string path_;  ///< of the pod's spec: "spec.template.spec"
  std::vector<std::string> unknown_;
  std::string advice_;
  std::string field_;  ///< the first of those
  FieldsOpinion opinion_;
};

}  // namespace

FieldsOpinion opinion_on_fields(const json& object, const KindName& name,
                                const decode::PodTemplate& made) {
  const std::string& version = name.api_version;
  const bool is_own =
      version == "v1" || version.starts_with("apps/") || version.starts_with("batch/");
  // "batch.volcano.sh/v1alpha1" is another's.
  if (is_own) return Look(object, name.kind, made).opinion();
  return {.mistake = mistake_in_pod_level(made), .not_checked = {}};
}

}  // namespace gpu::manifest
