#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "lint/rules/rules.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kQueueCrd =
    "https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/config/components/crd/bases/"
    "kueue.x-k8s.io_clusterqueues.yaml";
constexpr std::string_view kQueueWebhook =
    "https://github.com/kubernetes-sigs/kueue/blob/main/pkg/webhooks/clusterqueue_webhook.go";
constexpr std::string_view kPoolCrd =
    "https://github.com/kubernetes-sigs/karpenter/tree/v1.14.1/pkg/apis/crds";

constexpr auto kRules = std::to_array<Rule>({
    {"queue-matches-no-namespace", Severity::error, "the queue takes jobs of no namespace",
     "A ClusterQueue without a namespaceSelector matches none, and no job is ever admitted. {} "
     "stands for every namespace.",
     kQueueCrd},
    {"queue-flavor-resources-differ", Severity::error,
     "a flavor and coveredResources list different resources",
     "The API server or Kueue's webhook refuses it: each flavor lists each covered resource, in "
     "the same order.",
     kQueueWebhook},
    {"queue-borrowing-without-cohort", Severity::error,
     "a borrowing limit is set for a queue without a cohort",
     "The API server refuses it: borrowingLimit must be nil when cohort is empty.", kQueueCrd},
    {"queue-cohort-renamed", Severity::error, "this version has another name for the cohort",
     "The API server refuses an unknown field. It is cohortName in v1beta2, and cohort in v1beta1.",
     kQueueCrd},
    {"queue-cpu-not-covered", Severity::advice, "a queue for GPUs does not cover cpu or memory",
     "Each resource that a job requests must be covered: a job that requests cpu or memory is "
     "never admitted.",
     kQueueCrd},
    {"queue-cluster-queue-missing", Severity::error, "the LocalQueue names no ClusterQueue",
     "Jobs of the queue are never admitted.",
     "https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/config/components/crd/bases/"
     "kueue.x-k8s.io_localqueues.yaml"},
    {"flavor-label-invalid", Severity::error, "the flavor names a label that nodes cannot have",
     "Kueue's webhook refuses it. GPU feature discovery writes a dash instead of each space: "
     "NVIDIA-A100-SXM4-80GB.",
     "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels"},
    {"kueue-v1beta1", Severity::warning, "the API version v1beta1 of Kueue is deprecated",
     "Kueue warns: use v1beta2 instead. It has been there since Kueue 0.15.", kQueueCrd},
    {"nodepool-taint-effect", Severity::error, "a taint has no effect, or an unknown one",
     "The API server refuses it. Effects are NoSchedule, PreferNoSchedule and NoExecute.",
     kPoolCrd},
    {"nodepool-consolidation", Severity::error, "the disruption of a node pool is not valid",
     "The API server refuses it: policies are WhenEmpty, WhenEmptyOrUnderutilized and Balanced, "
     "and consolidateAfter is required, as 10m or Never.",
     kPoolCrd},
    {"nodepool-field-misplaced", Severity::error, "a field of a node pool stands elsewhere in v1",
     "The API server refuses an unknown field. nodeClassRef has group, kind and name; expireAfter "
     "is of template.spec.",
     kPoolCrd},
    {"nodepool-requirement-invalid", Severity::error, "a requirement of a node pool is not valid",
     "The API server refuses it. Values are texts: numbers need quotes.", kPoolCrd},
    {"nodepool-gpu-label-unknown", Severity::error, "Karpenter knows no such label of GPUs",
     "AWS's CRD refuses other keys. GPUs have instance-gpu-name, instance-gpu-manufacturer, "
     "instance-gpu-count and instance-gpu-memory.",
     "https://github.com/aws/karpenter-provider-aws"},
    {"nodepool-gpu-limit-missing", Severity::advice, "the limits of a GPU node pool name no GPUs",
     "cpu and memory alone do not say how many GPUs it may bring up.", kPoolCrd},
    {"nodepool-moves-gpu-pods", Severity::advice, "a GPU node pool is consolidated at once",
     "Without disruption, Karpenter replaces nodes that are not full, and evicts what runs there: "
     "training starts again. With WhenEmpty, a node goes when nothing runs on it.",
     kPoolCrd},
});

enum RuleAt : std::size_t {
  kNoNamespace,
  kFlavorResources,
  kBorrowing,
  kCohort,
  kNotCovered,
  kClusterQueue,
  kFlavorLabel,
  kBeta1,
  kTaintEffect,
  kConsolidation,
  kMisplaced,
  kRequirement,
  kGpuLabel,
  kGpuLimit,
  kMovesPods,
};

/// The items of a list; none for what is no list.
const json& list_at(const json& object, const char* pointer) {
  static const json kNone = json::array();
  const json& found = value_at(object, Pointer(pointer));
  return found.is_array() ? found : kNone;
}

/// A finding about a word that is none of `words`, with the nearest where one is near.
void add_unknown(const Rule& rule, const Pointer& at, std::string message, std::string_view word,
                 std::span<const std::string_view> words, Findings& findings) {
  std::optional<std::string_view> near = nearest_name(word, words);
  for (const std::string_view each : words)
    if (equal_ignoring_case(each, word)) near = each;
  findings.add(
      rule, at, std::move(message),
      near ? fmt::format("write {}", *near) : fmt::format("write one of {}", joined(words)),
      near ? std::optional(Edit{Edit::Kind::set, at, std::string(*near)}) : std::nullopt);
}

class ClusterQueue {
 public:
  ClusterQueue(const ObjectSubject& queue, Findings& findings)
      : queue_(queue),
        findings_(findings),
        cohort_(queue.name.api_version.ends_with("/v1beta1") ? "cohort" : "cohortName"),
        groups_(list_at(queue.object, "/spec/resourceGroups")) {}

  void check() {
    if (!queue_.value("/spec").is_object()) return;
    if (queue_.value("/spec/namespaceSelector").is_null())
      findings_.add(
          kRules[kNoNamespace], queue_.in_document("/spec/namespaceSelector"),
          "the queue has no namespaceSelector, and takes jobs of no namespace",
          "write namespaceSelector: {}",
          Edit{Edit::Kind::set, queue_.in_document("/spec/namespaceSelector"), json::object()});
    check_cohort();
    for (std::size_t i = 0; i < groups_.size(); ++i) check_group(i);
    check_cover();
  }

 private:
  [[nodiscard]] bool has(const std::string& field) const {
    return !value_at(queue_.object, Pointer("/spec") / field).is_null();
  }

  void check_cohort() {
    const std::string other = cohort_ == "cohort" ? "cohortName" : "cohort";
    if (!has(other)) return;
    const Pointer at = queue_.in_document("/spec") / other;
    findings_.add(
        kRules[kCohort], at, fmt::format("{} has no field {}", queue_.name.api_version, other),
        fmt::format("write {}", cohort_),
        has(cohort_) ? std::nullopt : std::optional(Edit{Edit::Kind::rename, at, cohort_}));
  }

  void check_group(std::size_t i) {
    const json& covered = list_at(groups_[i], "/coveredResources");
    const json& flavors = list_at(groups_[i], "/flavors");
    const Pointer at = queue_.in_document("/spec/resourceGroups") / i;
    for (const json& each : covered) covered_.insert(written(each));
    for (std::size_t k = 0; k < flavors.size(); ++k)
      check_flavor(covered, flavors[k], at / "flavors" / k);
  }

  void check_flavor(const json& covered, const json& flavor, const Pointer& at) {
    const json& resources = list_at(flavor, "/resources");
    std::vector<std::string> wanted, listed;
    for (const json& each : covered) wanted.push_back(written(each));
    for (std::size_t i = 0; i < resources.size(); ++i) {
      listed.emplace_back(text_at(resources[i], "/name"));
      const json& borrowing = value_at(resources[i], Pointer("/borrowingLimit"));
      if (!borrowing.is_null() && !has("cohort") && !has("cohortName"))
        findings_.add(
            kRules[kBorrowing], at / "resources" / i / "borrowingLimit",
            fmt::format("{} has a borrowingLimit, and the queue has no cohort", listed.back()),
            fmt::format("write {} in spec, or leave out borrowingLimit", cohort_));
    }
    if (listed != wanted)
      findings_.add(
          kRules[kFlavorResources], at / "resources",
          fmt::format("flavor {} lists {}, and coveredResources {}", text_at(flavor, "/name"),
                      listed.empty() ? "nothing" : joined(listed), joined(wanted)),
          fmt::format("list {} in this order", joined(wanted)));
  }

  void check_cover() {
    const auto gpu = std::find_if(covered_.begin(), covered_.end(),
                                  [](const std::string& name) { return gpu_resource(name); });
    if (gpu == covered_.end()) return;
    std::vector<std::string> missing;
    for (const char* const name : {"cpu", "memory"})
      if (!covered_.contains(name)) missing.emplace_back(name);
    if (!missing.empty())
      findings_.add(
          kRules[kNotCovered], queue_.in_document("/spec/resourceGroups/0/coveredResources"),
          fmt::format("the queue covers {}, and not {}", *gpu, joined(missing, " and ")),
          fmt::format("add {} to coveredResources and to each flavor", joined(missing, " and ")));
  }

  const ObjectSubject& queue_;
  Findings& findings_;
  std::string cohort_;
  const json& groups_;
  std::set<std::string, std::less<>> covered_;
};

/// Only the version need change: v1beta2 has all fields of the object.
bool is_same_in_beta2(const ObjectSubject& object) {
  const json& spec = object.value("/spec");
  return object.name.kind == "ResourceFlavor" || object.name.kind == "LocalQueue" ||
         (object.name.kind == "ClusterQueue" && !spec.contains("cohort") &&
          !spec.contains("admissionChecks") && !spec.contains("flavorFungibility"));
}

void check_version(const ObjectSubject& object, Findings& findings) {
  if (object.name.api_version != "kueue.x-k8s.io/v1beta1") return;
  const Pointer at = object.in_document("/apiVersion");
  constexpr const char* kNow = "kueue.x-k8s.io/v1beta2";
  findings.add(
      kRules[kBeta1], at, fmt::format("{} is deprecated", object.name.api_version),
      fmt::format("write {}", kNow),
      is_same_in_beta2(object) ? std::optional(Edit{Edit::Kind::set, at, kNow}) : std::nullopt);
}

bool is_label_value(std::string_view value) {
  constexpr std::size_t kMost = 63;
  const auto is_end = [](char c) { return is_letter(c) || is_digit(c); };
  return value.empty() || (value.size() <= kMost && is_end(value.front()) && is_end(value.back()) &&
                           std::all_of(value.begin(), value.end(), [&](char c) {
                             return is_end(c) || c == '-' || c == '_' || c == '.';
                           }));
}

void check_flavor_labels(const ObjectSubject& object, Findings& findings) {
  const json& labels = object.value("/spec/nodeLabels");
  if (!labels.is_object()) return;
  for (const auto& [key, value] : labels.items()) {
    if (value.is_string() && is_label_value(value.get<std::string>())) continue;
    std::string meant = written(value);
    std::replace(meant.begin(), meant.end(), ' ', '-');
    const bool helps = !value.is_structured() && is_label_value(meant);
    const Pointer at = object.in_document("/spec/nodeLabels") / key;
    findings.add(
        kRules[kFlavorLabel], at,
        fmt::format("{} cannot be {}: labels have no such values", key, written(value)),
        helps ? fmt::format("write \"{}\"", meant) : "write letters, digits, dashes, at most 63",
        helps ? std::optional(Edit{Edit::Kind::set, at, meant}) : std::nullopt);
  }
}

class NodePool {
 public:
  NodePool(const ObjectSubject& pool, Findings& findings) : pool_(pool), findings_(findings) {}

  void check() {
    for (const char* const list : {"taints", "startupTaints"}) check_taints(list);
    check_disruption();
    check_class();
    const json& all = list_at(pool_.object, "/spec/template/spec/requirements");
    for (std::size_t i = 0; i < all.size(); ++i)
      check_requirement(all[i], template_at() / "requirements" / i);
    if (has_gpus_) check_gpus();
  }

 private:
  [[nodiscard]] Pointer template_at() const { return pool_.in_document("/spec/template/spec"); }

  void check_taints(const char* list) {
    const json& taints = value_at(pool_.object, Pointer("/spec/template/spec") / list);
    for (std::size_t i = 0; taints.is_array() && i < taints.size(); ++i) {
      const std::string_view key = text_at(taints[i], "/key");
      if (gpu_resource(key)) has_gpus_ = true;
      const std::string_view effect = text_at(taints[i], "/effect");
      const Pointer at = template_at() / list / i / "effect";
      if (effect.empty())
        findings_.add(kRules[kTaintEffect], at, fmt::format("the taint {} has no effect", key),
                      "write effect: NoSchedule", Edit{Edit::Kind::set, at, "NoSchedule"});
      else if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute")
        add_unknown(
            kRules[kTaintEffect], at, fmt::format("there is no effect {}", effect), effect,
            std::to_array<std::string_view>({"NoSchedule", "PreferNoSchedule", "NoExecute"}),
            findings_);
    }
  }

  /// Karpenter's `^(([0-9]+(s|m|h))+|Never)$`.
  static bool is_wait(std::string_view text) {
    if (text == "Never") return true;
    bool has_digit = false;
    for (const char c : text) {
      if (!is_digit(c) && (!has_digit || (c != 's' && c != 'm' && c != 'h'))) return false;
      has_digit = is_digit(c);
    }
    return !text.empty() && !has_digit;
  }

  void check_disruption() {
    const json& disruption = pool_.value("/spec/disruption");
    if (!disruption.is_object()) return;
    const Pointer at = pool_.in_document("/spec/disruption");
    const json& wait = value_at(disruption, Pointer("/consolidateAfter"));
    if (!wait.is_string() || !is_wait(text_at(disruption, "/consolidateAfter")))
      findings_.add(kRules[kConsolidation], at / "consolidateAfter",
                    wait.is_null() ? "disruption has no consolidateAfter"
                                   : fmt::format("consolidateAfter is {}", written(wait)),
                    "write consolidateAfter: 10m",
                    Edit{Edit::Kind::set, at / "consolidateAfter", "10m"});
    constexpr auto kPolicies =
        std::to_array<std::string_view>({"WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"});
    const std::string_view policy = text_at(disruption, "/consolidationPolicy");
    if (!policy.empty() && std::find(kPolicies.begin(), kPolicies.end(), policy) == kPolicies.end())
      add_unknown(kRules[kConsolidation], at / "consolidationPolicy",
                  fmt::format("there is no consolidationPolicy {}", policy),
                  policy == "WhenUnderutilized" ? kPolicies[1] : policy, kPolicies, findings_);
    if (disruption.contains("expireAfter"))
      findings_.add(kRules[kMisplaced], at / "expireAfter", "disruption has no field expireAfter",
                    "move expireAfter to template.spec");
  }

  void check_class() {
    const Pointer at = template_at() / "nodeClassRef";
    const json& ref = pool_.value("/spec/template/spec/nodeClassRef");
    if (!ref.is_object() || !ref.contains("apiVersion")) return;
    findings_.add(kRules[kMisplaced], at / "apiVersion", "nodeClassRef has no field apiVersion",
                  ref.contains("group") ? "leave out apiVersion" : "write group, without a version",
                  ref.contains("group")
                      ? std::optional(Edit{Edit::Kind::remove, at / "apiVersion", {}})
                      : std::nullopt);
  }

  void check_requirement(const json& requirement, const Pointer& at) {
    const std::string_view key = text_at(requirement, "/key");
    const std::string_view op = text_at(requirement, "/operator");
    check_key(key, at / "key");
    constexpr auto kOperators = std::to_array<std::string_view>(
        {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"});
    if (!op.empty() && std::find(kOperators.begin(), kOperators.end(), op) == kOperators.end())
      add_unknown(kRules[kRequirement], at / "operator", fmt::format("there is no operator {}", op),
                  op, kOperators, findings_);
    const json& values = list_at(requirement, "/values");
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values[i].is_string())
        findings_.add(
            kRules[kRequirement], at / "values" / i,
            fmt::format("{} is compared with {}, which is no text", key, written(values[i])),
            fmt::format("write \"{}\"", written(values[i])),
            values[i].is_structured()
                ? std::nullopt
                : std::optional(Edit{Edit::Kind::set, at / "values" / i, written(values[i])}));
  }

  void check_key(std::string_view key, const Pointer& at) {
    constexpr std::string_view kDomain = "karpenter.k8s.aws/";
    constexpr auto kKeys = std::to_array<std::string_view>(
        {"karpenter.k8s.aws/instance-gpu-name", "karpenter.k8s.aws/instance-gpu-manufacturer",
         "karpenter.k8s.aws/instance-gpu-count", "karpenter.k8s.aws/instance-gpu-memory"});
    if (!key.starts_with(kDomain) || key.find("gpu") == std::string_view::npos) return;
    has_gpus_ = true;
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      add_unknown(kRules[kGpuLabel], at, fmt::format("Karpenter knows no label {}", key), key,
                  kKeys, findings_);
  }

  void check_gpus() {
    const json& limits = pool_.value("/spec/limits");
    bool has_limit = !limits.is_object();
    for (const auto& [name, amount] : limits.items())
      if (gpu_resource(name)) has_limit = true;
    if (!has_limit)
      findings_.add(kRules[kGpuLimit], pool_.in_document("/spec/limits"),
                    fmt::format("the limits name no GPUs: {}", written(limits)),
                    "add nvidia.com/gpu with the number of GPUs of all nodes");
    if (pool_.value("/spec/disruption").is_null())
      findings_.add(kRules[kMovesPods], pool_.in_document("/spec/disruption"),
                    "nodes that are not full are replaced, and their pods evicted",
                    "write disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}",
                    Edit{Edit::Kind::set, pool_.in_document("/spec/disruption"),
                         json{{"consolidationPolicy", "WhenEmpty"}, {"consolidateAfter", "10m"}}});
  }

  const ObjectSubject& pool_;
  Findings& findings_;
  bool has_gpus_ = false;
};

}  // namespace

std::span<const Rule> queue_rules() { return kRules; }

void check_queues(const ObjectSubject& object, Findings& findings) {
  constexpr const char* kKueue = "kueue.x-k8s.io";
  check_version(object, findings);
  if (object.is("ClusterQueue", kKueue)) ClusterQueue(object, findings).check();
  if (object.is("ResourceFlavor", kKueue)) check_flavor_labels(object, findings);
  if (object.is("LocalQueue", kKueue) && text_at(object.object, "/spec/clusterQueue").empty())
    findings.add(kRules[kClusterQueue], object.in_document("/spec/clusterQueue"),
                 "the LocalQueue names no ClusterQueue", "write clusterQueue with its name");
  if (object.name.api_version == "karpenter.sh/v1" && object.is("NodePool", "karpenter.sh"))
    NodePool(object, findings).check();
}

}  // namespace gpu::lint
