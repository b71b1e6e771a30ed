#include <fmt/format.h>

#include "lint/rules/training_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

using Words = std::span<const std::string_view>;

constexpr auto kTorchTypes = std::to_array<std::string_view>({"Master", "Worker"});
constexpr auto kTensorTypes =
    std::to_array<std::string_view>({"Chief", "Master", "Worker", "PS", "Evaluator"});
constexpr auto kMpiTypes = std::to_array<std::string_view>({"Launcher", "Worker"});
constexpr auto kMpiRestarts = std::to_array<std::string_view>({"Never", "OnFailure"});
constexpr auto kRestarts =
    std::to_array<std::string_view>({"Always", "OnFailure", "Never", "ExitCode"});
constexpr auto kCleanPolicies = std::to_array<std::string_view>({"None", "Running", "All"});

/// A kind of Kubeflow whose replicas have types.
struct ReplicaKind {
  std::string_view kind;
  const char* replicas;        ///< where they stand
  std::string_view container;  ///< that each type has to have; empty where none is looked for
  Words types;                 ///< empty where they are not known here
};

constexpr auto kKinds = std::to_array<ReplicaKind>({
    {"PyTorchJob", "/spec/pytorchReplicaSpecs", "pytorch", kTorchTypes},
    {"TFJob", "/spec/tfReplicaSpecs", "tensorflow", kTensorTypes},
    {"MPIJob", "/spec/mpiReplicaSpecs", "", kMpiTypes},
    {"JAXJob", "/spec/jaxReplicaSpecs", "", {}},
    {"XGBoostJob", "/spec/xgbReplicaSpecs", "", {}},
    {"PaddleJob", "/spec/paddleReplicaSpecs", "", {}},
});

/// The replicas of one type.
class Replicas {
 public:
  Replicas(const ObjectSubject& object, const ReplicaKind& kind, std::string type,
           const json& replicas, Findings& findings)
      : object_(object),
        kind_(kind),
        type_(std::move(type)),
        replicas_(replicas),
        at_(object.in_document(kind.replicas) / type_),
        findings_(findings) {}

  void check() {
    check_type();
    if (!replicas_.is_object()) return;
    check_container();
    check_count();
    check_restart();
    check_pod_restart();
    const std::int64_t gpus = gpus_in(object_, value_at(replicas_, Pointer("/template/spec")));
    if (type_ == "PS" && kind_.kind == "TFJob" && gpus > 0)
      findings_.add(rule(TrainingRule::parameter_server), at_,
                    fmt::format("each parameter server holds {} GPU{}", gpus, gpus == 1 ? "" : "s"),
                    "leave GPUs to Chief and Worker");
  }

 private:
  void check_type() {
    if (kind_.types.empty() || is_one_of(type_, kind_.types)) return;
    const auto near = meant(type_, kind_.types);
    const bool is_free = near && !object_.value(kind_.replicas).contains(std::string(*near));
    findings_.add(
        rule(TrainingRule::replica_type), at_,
        fmt::format("a {} has no replicas of type {}", kind_.kind, type_),
        write_one(type_, kind_.types),
        is_free ? std::optional(Edit{Edit::Kind::rename, at_, std::string(*near)}) : std::nullopt);
  }

  void check_container() {
    const json& containers = list_at(replicas_, "/template/spec/containers");
    if (kind_.container.empty() || containers.empty()) return;
    for (const json& each : containers)
      if (text_at(each, "/name") == kind_.container) return;
    const Pointer at = at_ / Pointer("/template/spec/containers/0/name");
    findings_.add(rule(TrainingRule::container), at,
                  fmt::format("no container of {} is called {}", type_, kind_.container),
                  fmt::format("write name: {}", kind_.container),
                  containers.size() == 1 && containers.front().is_object()
                      ? std::optional(Edit{Edit::Kind::set, at, std::string(kind_.container)})
                      : std::nullopt);
  }

  void check_count() {
    const auto count = integer_at(replicas_, "/replicas");
    if (!count) return;
    const bool is_one = (type_ == "Master" && kind_.kind == "PyTorchJob") || type_ == "Launcher";
    const bool is_some =
        type_ == "Worker" && (kind_.kind == "PyTorchJob" || kind_.kind == "MPIJob");
    const Pointer at = at_ / "replicas";
    if (is_one && *count != 1)
      findings_.add(
          rule(TrainingRule::replica_count), at,
          fmt::format("there are {} replicas of {}, of which there is one", *count, type_),
          "write 1", Edit{Edit::Kind::set, at, 1});
    else if (is_some && *count < 1)
      findings_.add(rule(TrainingRule::replica_count), at,
                    fmt::format("there are {} replicas of {}", *count, type_),
                    "write at least 1, or leave out Worker");
  }

  [[nodiscard]] Words restarts() const {
    const bool is_mpi = kind_.kind == "MPIJob" && object_.name.api_version.ends_with("/v2beta1");
    return is_mpi ? Words(kMpiRestarts) : Words(kRestarts);
  }

  void check_restart() {
    const std::string_view policy = text_at(replicas_, "/restartPolicy");
    if (policy.empty() || is_one_of(policy, restarts())) return;
    findings_.add(rule(TrainingRule::restart), at_ / "restartPolicy",
                  fmt::format("{} has restartPolicy {}", type_, policy),
                  write_one(policy, restarts()),
                  set_nearest(policy, restarts(), at_ / "restartPolicy"));
  }

  void check_pod_restart() {
    const std::string_view in_pod = text_at(replicas_, "/template/spec/restartPolicy");
    const std::string_view policy = text_at(replicas_, "/restartPolicy");
    if (in_pod.empty() || in_pod == policy) return;
    // The operator's default of a replica may be the same.
    if (policy.empty() && kind_.kind == "MPIJob") return;
    const Pointer at = at_ / Pointer("/template/spec/restartPolicy");
    const bool is_moved = policy.empty() && is_one_of(in_pod, restarts());
    findings_.add(
        rule(TrainingRule::restart_ignored), at,
        policy.empty()
            ? fmt::format("restartPolicy {} of the pod is overwritten by the default of {}", in_pod,
                          type_)
            : fmt::format("restartPolicy {} of the pod is overwritten by {}", in_pod, policy),
        is_moved ? fmt::format("write restartPolicy: {} beside replicas", in_pod)
                 : "leave it out of the pod",
        is_moved ? Edit{Edit::Kind::set, at_ / "restartPolicy", std::string(in_pod)}
                 : Edit{Edit::Kind::remove, at, {}});
  }

  const ObjectSubject& object_;
  const ReplicaKind& kind_;
  std::string type_;
  const json& replicas_;
  Pointer at_;
  Findings& findings_;
};

void check_run_policy(const ObjectSubject& object, Findings& findings) {
  if (!object.value("/spec/suspend").is_null())
    findings.add(rule(TrainingRule::suspend), object.in_document("/spec/suspend"),
                 fmt::format("a {} has no spec.suspend", object.name.kind),
                 "write spec.runPolicy.suspend");
  const std::string_view policy = text_at(object.object, "/spec/runPolicy/cleanPodPolicy");
  const Pointer at = object.in_document("/spec/runPolicy/cleanPodPolicy");
  if (!policy.empty() && !is_one_of(policy, kCleanPolicies))
    findings.add(rule(TrainingRule::clean_pods), at,
                 fmt::format("there is no cleanPodPolicy {}", policy),
                 write_one(policy, kCleanPolicies), set_nearest(policy, kCleanPolicies, at));
}

void check_name(const ObjectSubject& object, Findings& findings) {
  constexpr std::size_t kMost = 63;
  const std::string_view name = text_at(object.object, "/metadata/name");
  if (name.empty() || (is_dns_1035(name) && name.size() <= kMost)) return;
  findings.add(rule(TrainingRule::name), object.in_document("/metadata/name"),
               fmt::format("a {} cannot be called {}", object.name.kind, name),
               "begin with a small letter, and write small letters, digits and dashes, at most 63");
}

void check_pytorch(const ObjectSubject& object, Findings& findings) {
  const json& processes = object.value("/spec/nprocPerNode");
  const Pointer at = object.in_document("/spec/nprocPerNode");
  if (processes.is_number() || processes.is_boolean())
    findings.add(rule(TrainingRule::nproc_text), at,
                 fmt::format("nprocPerNode is {}, which is no text", written(processes)),
                 fmt::format("write \"{}\", in quotes", written(processes)),
                 Edit{Edit::Kind::set, at, written(processes)});
  const json& elastic = object.value("/spec/elasticPolicy");
  if (!elastic.is_object()) return;
  if (object.value("/spec/pytorchReplicaSpecs/Worker").is_null())
    findings.add(rule(TrainingRule::elastic), object.in_document("/spec/elasticPolicy"),
                 "elasticPolicy is in a job without Worker", "add Worker replicas");
  if (elastic.contains("nProcPerNode") && !processes.is_null()) {
    const Pointer old = object.in_document("/spec/elasticPolicy/nProcPerNode");
    findings.add(rule(TrainingRule::elastic), old,
                 "elasticPolicy.nProcPerNode is set beside nprocPerNode",
                 "leave it out of elasticPolicy", Edit{Edit::Kind::remove, old, {}});
  }
}

void check_tensorflow(const ObjectSubject& object, Findings& findings) {
  const json& types = map_at(object.object, "/spec/tfReplicaSpecs");
  if (types.contains("Chief") && types.contains("Master"))
    findings.add(rule(TrainingRule::replica_count),
                 object.in_document("/spec/tfReplicaSpecs/Master"),
                 "the job has both a Chief and a Master", "leave out Master");
}

}  // namespace

std::span<const Rule> training_rules() { return kTrainingRules; }

void check_training(const ObjectSubject& object, Findings& findings) {
  for (const ReplicaKind& kind : kKinds) {
    if (!object.is(kind.kind, "kubeflow.org")) continue;
    for (const auto& [type, replicas] : map_at(object.object, kind.replicas).items())
      Replicas(object, kind, type, replicas, findings).check();
    check_run_policy(object, findings);
    check_name(object, findings);
  }
  if (object.is("PyTorchJob", "kubeflow.org")) check_pytorch(object, findings);
  if (object.is("TFJob", "kubeflow.org")) check_tensorflow(object, findings);
  if (object.is("MPIJob", "kubeflow.org")) check_mpijob(object, findings);
  if (object.is("Notebook", "kubeflow.org")) check_notebook(object, findings);
  if (object.is("TrainJob", "trainer.kubeflow.org")) {
    check_name(object, findings);
    check_trainjob(object, findings);
  }
  if (object.is("LeaderWorkerSet", "leaderworkerset.x-k8s.io"))
    check_leader_worker_set(object, findings);
  if (object.is("Job", "batch.volcano.sh")) check_volcano_job(object, findings);
}

}  // namespace gpu::lint
