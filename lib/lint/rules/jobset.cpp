#include <fmt/format.h>

#include "lint/rules/batch_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

constexpr const char* kQueue = "kueue.x-k8s.io/queue-name";
constexpr const char* kOldQueue = "kubernetes.io/queue-name";

/// The longest name that a pod of a replicatedJob has, without its random end.
std::string longest_pod(std::string_view set, const json& job) {
  const std::int64_t replicas = integer_at(job, "/replicas").value_or(1);
  const std::int64_t pods =
      integer_at(job, "/template/spec/completions")
          .value_or(integer_at(job, "/template/spec/parallelism").value_or(1));
  return fmt::format("{}-{}-{}-{}", set, text_at(job, "/name"),
                     std::max<std::int64_t>(1, replicas) - 1, std::max<std::int64_t>(1, pods) - 1);
}

/// Kinds of which Kueue queues the object; of others it queues the pods.
bool is_queued_whole(const ObjectSubject& object) {
  if (object.is("Job", "batch") || object.is("CronJob", "batch") ||
      object.is("JobSet", "jobset.x-k8s.io") || object.is("TrainJob", "trainer.kubeflow.org"))
    return true;
  for (const char* const kind :
       {"PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob"})
    if (object.is(kind, "kubeflow.org")) return true;
  return object.is("RayJob", "ray.io") || object.is("RayCluster", "ray.io") ||
         object.is("RayService", "ray.io");
}

bool makes_pods(const ObjectSubject& object) {
  return is_queued_whole(object) || object.is("Pod", "") || object.is("Deployment", "apps") ||
         object.is("StatefulSet", "apps") ||
         object.is("LeaderWorkerSet", "leaderworkerset.x-k8s.io");
}

/// A label or annotation that Kueue does not see.
struct Misplaced {
  Pointer at;  ///< in the object
  std::string key;
  std::string value;
};

std::optional<Misplaced> misplaced_label(const ObjectSubject& object, const Pointer& home) {
  std::vector<Pointer> places = {home};
  if (object.is("CronJob", "batch")) places.emplace_back("/metadata");
  for (const decode::PodTemplate& each : decode::pod_templates(object.object))
    if (each.metadata_at != home) places.push_back(each.metadata_at);
  for (const Pointer& place : places)
    for (const char* const list : {"labels", "annotations"})
      for (const char* const key : {kQueue, kOldQueue}) {
        const bool is_label = std::string_view(list) == "labels";
        const bool is_right = is_label && std::string_view(key) == kQueue;
        if (is_right && (place == home || !is_queued_whole(object))) continue;
        const json& value = value_at(object.object, place / list / key);
        if (value.is_string()) return Misplaced{place / list / key, key, value.get<std::string>()};
      }
  return std::nullopt;
}

/// Puts the label where it belongs.
Edit label_edit(const ObjectSubject& object, const Pointer& home, const Misplaced& found) {
  const Pointer labels = home / "labels";
  if (found.at == labels / kOldQueue)
    return {Edit::Kind::rename, object.at / found.at, std::string(kQueue)};
  if (value_at(object.object, labels).is_object())
    return {Edit::Kind::set, object.at / labels / kQueue, found.value};
  const json with_label = {{kQueue, found.value}};
  if (value_at(object.object, home).is_object())
    return {Edit::Kind::set, object.at / labels, with_label};
  return {Edit::Kind::set, object.at / home, json{{"labels", with_label}}};
}

}  // namespace

void check_jobset(const ObjectSubject& object, Findings& findings) {
  if (!object.is("JobSet", "jobset.x-k8s.io")) return;
  const json& jobs = list_at(object.object, "/spec/replicatedJobs");
  const std::string_view name = text_at(object.object, "/metadata/name");
  bool has_dependencies = false;
  std::string longest;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool depends = !list_at(jobs[i], "/dependsOn").empty();
    has_dependencies = has_dependencies || depends;
    if (i == 0 && depends)
      findings.add(rule(BatchRule::first_depends),
                   object.in_document("/spec/replicatedJobs") / i / "dependsOn",
                   fmt::format("{} is the first replicatedJob, and has dependsOn",
                               text_at(jobs[i], "/name")),
                   "list it after the job that it waits for");
    std::string pod = longest_pod(name, jobs[i]);
    if (pod.size() > longest.size()) longest = std::move(pod);
  }
  if (has_dependencies &&
      text_at(object.object, "/spec/startupPolicy/startupPolicyOrder") == "InOrder") {
    const Pointer at = object.in_document("/spec/startupPolicy");
    findings.add(rule(BatchRule::startup_depends), at,
                 "startupPolicyOrder is InOrder, and a replicatedJob has dependsOn",
                 "leave out startupPolicy", Edit{Edit::Kind::remove, at, {}});
  }
  constexpr std::size_t kMost = 63;
  if (!name.empty() && longest.size() > kMost)
    findings.add(
        rule(BatchRule::set_name), object.in_document("/metadata/name"),
        fmt::format("a pod would be called {}, which has {} characters", longest, longest.size()),
        fmt::format("shorten the names by {} characters", longest.size() - kMost));
}

void check_queue_label(const ObjectSubject& object, Findings& findings) {
  if (!makes_pods(object)) return;
  const Pointer home(object.is("CronJob", "batch") ? "/spec/jobTemplate/metadata" : "/metadata");
  if (!value_at(object.object, home / "labels" / kQueue).is_null()) return;
  const std::optional<Misplaced> found = misplaced_label(object, home);
  if (!found) return;
  findings.add(
      rule(BatchRule::queue), object.at / found->at,
      fmt::format("Kueue does not read {} here, so queue {} is not used", found->key, found->value),
      fmt::format("write the label {}: {} in {}", kQueue, found->value, path_text(home)),
      label_edit(object, home, *found));
}

}  // namespace gpu::lint
