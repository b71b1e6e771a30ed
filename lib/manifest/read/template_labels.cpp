#include "manifest/read/template_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"
#include "manifest/read/json_value.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

/// Where the value of a label comes from.
enum class From {
  name,          ///< of the object
  text,          ///< the same everywhere
  nobody,        ///< made up: a uid, a hash
  replica_type,  ///< the member that holds the template: "Worker", in lower case
  member_name,   ///< `name` or `groupName` of what the template stands in
  open,          ///< each pod's own, or not to be told
};

struct Row {
  std::string_view kind;
  std::string_view group;
  std::string_view key;
  From from;
  std::string_view text = {};   ///< of From::text
  std::string_view where = {};  ///< only of templates below this member
};

constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";

// Sources: batch/job strategy and the controllers of Kubernetes 1.36; training-operator 1.9,
// mpi-operator 0.8, jobset 0.11, kuberay 1.6, lws 0.8, Kubeflow's notebook-controller, KServe.
constexpr auto kRows = std::to_array<Row>({
    {"Job", "batch", "batch.kubernetes.io/job-name", From::name},
    {"Job", "batch", "job-name", From::name},
    {"Job", "batch", "batch.kubernetes.io/controller-uid", From::nobody},
    {"Job", "batch", "controller-uid", From::nobody},
    {"Job", "batch", kCompletionIndex, From::open},
    {"CronJob", "batch", "batch.kubernetes.io/job-name", From::open},
    {"CronJob", "batch", "job-name", From::open},
    {"CronJob", "batch", "batch.kubernetes.io/controller-uid", From::nobody},
    {"CronJob", "batch", "controller-uid", From::nobody},
    {"CronJob", "batch", kCompletionIndex, From::open},
    {"Deployment", "apps", "pod-template-hash", From::nobody},
    {"StatefulSet", "apps", "controller-revision-hash", From::nobody},
    {"StatefulSet", "apps", "apps.kubernetes.io/pod-index", From::open},
    {"StatefulSet", "apps", "statefulset.kubernetes.io/pod-name", From::open},
    {"DaemonSet", "apps", "controller-revision-hash", From::nobody},
    {"DaemonSet", "apps", "pod-template-generation", From::text, "1"},
    {"Rollout", "argoproj.io", "rollouts-pod-template-hash", From::nobody},
    {"*", "kubeflow.org", "training.kubeflow.org/job-name", From::name},
    {"*", "kubeflow.org", "training.kubeflow.org/replica-type", From::replica_type},
    {"*", "kubeflow.org", "training.kubeflow.org/replica-index", From::open},
    {"*", "kubeflow.org", "training.kubeflow.org/operator-name", From::open},
    {"*", "kubeflow.org", "training.kubeflow.org/job-role", From::open},
    {"MPIJob", "kubeflow.org", "training.kubeflow.org/job-name", From::name},
    {"MPIJob", "kubeflow.org", "training.kubeflow.org/job-role", From::replica_type},
    {"MPIJob", "kubeflow.org", "training.kubeflow.org/replica-type", From::open},
    {"MPIJob", "kubeflow.org", "training.kubeflow.org/replica-index", From::open},
    {"MPIJob", "kubeflow.org", "training.kubeflow.org/operator-name", From::open},
    {"Notebook", "kubeflow.org", "notebook-name", From::name},
    {"Notebook", "kubeflow.org", "statefulset", From::name},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/jobset-name", From::name},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/jobset-uid", From::nobody},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/replicatedjob-name", From::member_name},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/restart-attempt", From::text, "0"},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/replicatedjob-replicas", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/global-replicas", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/job-index", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/job-global-index", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/job-key", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/group-name", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/group-replicas", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/job-group-index", From::open},
    {"JobSet", "jobset.x-k8s.io", "jobset.sigs.k8s.io/coordinator", From::open},
    {"JobSet", "jobset.x-k8s.io", "batch.kubernetes.io/job-name", From::open},
    {"JobSet", "jobset.x-k8s.io", "job-name", From::open},
    {"JobSet", "jobset.x-k8s.io", "batch.kubernetes.io/controller-uid", From::open},
    {"JobSet", "jobset.x-k8s.io", "controller-uid", From::open},
    {"JobSet", "jobset.x-k8s.io", kCompletionIndex, From::open},
    {"RayCluster", "ray.io", "ray.io/cluster", From::name},
    {"RayJob", "ray.io", "ray.io/cluster", From::open},
    {"RayService", "ray.io", "ray.io/cluster", From::open},
    {"*", "ray.io", "ray.io/is-ray-node", From::text, "yes"},
    {"*", "ray.io", "ray.io/identifier", From::open},
    {"*", "ray.io", "app.kubernetes.io/name", From::text, "kuberay"},
    {"*", "ray.io", "app.kubernetes.io/created-by", From::text, "kuberay-operator"},
    {"*", "ray.io", "ray.io/node-type", From::text, "head", "headGroupSpec"},
    {"*", "ray.io", "ray.io/group", From::text, "headgroup", "headGroupSpec"},
    {"*", "ray.io", "ray.io/node-type", From::text, "worker", "workerGroupSpecs"},
    {"*", "ray.io", "ray.io/group", From::member_name, {}, "workerGroupSpecs"},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", "leaderworkerset.sigs.k8s.io/name", From::name},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", "leaderworkerset.sigs.k8s.io/group-index",
     From::open},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", "leaderworkerset.sigs.k8s.io/group-key",
     From::open},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", "leaderworkerset.sigs.k8s.io/subgroup-index",
     From::open},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", "leaderworkerset.sigs.k8s.io/subgroup-key",
     From::open},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", "leaderworkerset.sigs.k8s.io/worker-index",
     From::text, "0", "leaderTemplate"},
    {"LeaderWorkerSet",
     "leaderworkerset.x-k8s.io",
     "leaderworkerset.sigs.k8s.io/worker-index",
     From::open,
     {},
     "workerTemplate"},
    {"InferenceService", "serving.kserve.io", "serving.kserve.io/inferenceservice", From::name},
});

/// The kinds of kubeflow.org that the training operator makes pods for in one way.
bool is_training_job(std::string_view kind) {
  static constexpr std::array<std::string_view, 6> kKinds = {"PyTorchJob", "TFJob",  "XGBoostJob",
                                                             "PaddleJob",  "JAXJob", "MXJob"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

std::vector<std::string> parts_of(const Pointer& pointer) {
  std::vector<std::string> parts;
  for (Pointer at = pointer; !at.empty(); at.pop_back()) parts.push_back(at.back());
  std::reverse(parts.begin(), parts.end());
  return parts;
}

bool is_set(const json& object, const Pointer& at) {
  return object.contains(at) && object.at(at).is_boolean() && object.at(at).get<bool>();
}

class Values {
 public:
  Values(const json& object, const KindName& kind, const Pointer& spec_at)
      : object_(object), kind_(kind), spec_at_(spec_at), parts_(parts_of(spec_at)) {
    const auto metadata = object.find("metadata");
    if (metadata == object.end()) return;
    name_ = text_in(*metadata, "name");
    // Whatever the API server adds, no selector of a manifest has it.
    if (name_.empty()) name_ = text_in(*metadata, "generateName") + "planned";
  }

  [[nodiscard]] bool has(const Row& row) const {
    const std::size_t slash = kind_.api_version.find('/');
    if (slash == std::string::npos || kind_.api_version.substr(0, slash) != row.group) return false;
    if (row.kind != kind_.kind && (row.kind != "*" || !is_any_of(row.group))) return false;
    if (row.key == kCompletionIndex) return kind_.kind == "JobSet" || is_indexed();
    if (!row.where.empty() && std::find(parts_.begin(), parts_.end(), row.where) == parts_.end())
      return false;
    // Such a Job has the labels that its author gives it, and no others.
    return kind_.kind != "Job" || !is_set(object_, Pointer("/spec/manualSelector"));
  }

  /// Nothing where it is open.
  [[nodiscard]] std::optional<std::string> of(const Row& row) const {
    switch (row.from) {
      case From::name:
        return name_;
      case From::text:
        return std::string(row.text);
      case From::nobody:
        return "planned." + name_;
      case From::replica_type:
        return replica_type();
      case From::member_name:
        return member_name();
      case From::open:
        break;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_any_of(std::string_view group) const {
    return group != "kubeflow.org" || is_training_job(kind_.kind);
  }

  /// A JobSet makes its Jobs so where they do not say.
  [[nodiscard]] bool is_indexed() const {
    const Pointer job = spec_at_.parent_pointer().parent_pointer();
    return text_in(object_.at(job), "completionMode") == "Indexed";
  }

  /// Of "/spec/pytorchReplicaSpecs/Worker/template/spec".
  [[nodiscard]] std::optional<std::string> replica_type() const {
    const auto at = std::find(parts_.begin(), parts_.end(), "template");
    if (at == parts_.begin() || at == parts_.end()) return std::nullopt;
    return lower_case(*(at - 1));
  }

  [[nodiscard]] std::optional<std::string> member_name() const {
    for (Pointer at = spec_at_; !at.empty(); at.pop_back()) {
      if (!object_.at(at.parent_pointer()).is_array()) continue;
      for (const char* key : {"groupName", "name"})
        if (std::string name = text_in(object_.at(at), key); !name.empty()) return name;
    }
    return std::nullopt;
  }

  const json& object_;
  const KindName& kind_;
  const Pointer& spec_at_;
  std::vector<std::string> parts_;
  std::string name_;
};

bool selects_by(const std::optional<ObjectSelector>& selector, const std::string& key) {
  if (!selector) return false;
  return selector->labels.contains(key) ||
         std::any_of(selector->expressions.begin(), selector->expressions.end(),
                     [&](const Requirement& each) { return each.key == key; });
}

bool has_key(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool selects_by(const PodAffinityTerm& term, const std::string& key) {
  return selects_by(term.selector, key) || has_key(term.match_label_keys, key) ||
         has_key(term.mismatch_label_keys, key);
}

bool selects_by(const TopologySpread& rule, const std::string& key) {
  return selects_by(rule.selector, key) || has_key(rule.match_label_keys, key);
}

void merge(PodAffinityTerm& term, const StringMap& labels) {
  if (!term.selector) return;
  for (const std::string& key : term.match_label_keys)
    if (const std::string* const value = labels.find(key))
      term.selector->expressions.push_back({key, "In", {*value}});
  for (const std::string& key : term.mismatch_label_keys)
    if (const std::string* const value = labels.find(key))
      term.selector->expressions.push_back({key, "NotIn", {*value}});
}

}  // namespace

AddedLabels labels_added(const json& object, const KindName& kind, const Pointer& spec_at) {
  AddedLabels added;
  const Values values(object, kind, spec_at);
  for (const Row& row : kRows) {
    if (!values.has(row)) continue;
    if (auto value = values.of(row))
      added.known.emplace_back(row.key, *std::move(value));
    else
      added.open.emplace_back(row.key);
  }
  return added;
}

void add_labels(json& pod, const AddedLabels& added) {
  if (added.known.empty()) return;
  json& labels = pod["metadata"]["labels"];
  if (labels.is_null()) labels = json::object();
  if (!labels.is_object()) return;
  for (const auto& [key, value] : added.known)
    if (!labels.contains(key)) labels[key] = value;
}

std::vector<std::string> settle_rules(Pod& pod, const AddedLabels& added) {
  std::vector<std::string> taken_out;
  Placement& placement = pod.placement;
  for (const std::string& key : added.open) {
    if (pod.labels.contains(key)) continue;
    const auto is_open = [&](const auto& rule) { return selects_by(rule, key); };
    const std::size_t count = std::erase_if(placement.pod_affinity, is_open) +
                              std::erase_if(placement.pod_anti_affinity, is_open) +
                              std::erase_if(placement.spread, is_open);
    if (count > 0)
      taken_out.push_back(
          fmt::format("{} that {} pods by {}, a label whose values only its controller knows",
                      count == 1 ? "the rule" : "rules", count == 1 ? "selects" : "select", key));
  }
  for (auto* const terms : {&placement.pod_affinity, &placement.pod_anti_affinity})
    for (PodAffinityTerm& term : *terms) merge(term, pod.labels);
  return taken_out;
}

}  // namespace gpu::manifest
