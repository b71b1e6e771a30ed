#include <fmt/format.h>

#include <vector>

#include "lint/rules/training_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

constexpr auto kImplementations = std::to_array<std::string_view>({"OpenMPI", "Intel", "MPICH"});

/// All words of a container, those of a shell's line apart.
std::vector<std::string> words_apart(const ContainerSubject& container) {
  std::vector<std::string> apart;
  for (const std::string& word : container.words()) {
    std::size_t begin = 0;
    while ((begin = word.find_first_not_of(" \t\n", begin)) != std::string::npos) {
      const std::size_t end = std::min(word.find_first_of(" \t\n", begin), word.size());
      apart.push_back(word.substr(begin, end - begin));
      begin = end;
    }
  }
  return apart;
}

bool is_mpirun(std::string_view word) {
  const std::string_view name = word.substr(word.rfind('/') + 1);
  return name == "mpirun" || name == "mpiexec";
}

/// The number behind -np of mpirun.
std::optional<std::int64_t> ranks_of(const std::vector<std::string>& words) {
  const auto run = std::find_if(words.begin(), words.end(), is_mpirun);
  if (run == words.end()) return std::nullopt;
  for (auto word = run + 1; word != words.end() && word + 1 != words.end(); ++word) {
    const bool is_first = word == run + 1 && *word == "-n";
    if (*word == "-np" || *word == "--np" || is_first) return whole_number(*(word + 1));
  }
  return std::nullopt;
}

void check_slots(const ObjectSubject& object, std::int64_t slots, Findings& findings) {
  const std::int64_t gpus =
      gpus_in(object, object.value("/spec/mpiReplicaSpecs/Worker/template/spec"));
  if (gpus == 0 || gpus == slots) return;
  const Pointer at = object.in_document("/spec/slotsPerWorker");
  findings.add(rule(TrainingRule::slots), at,
               fmt::format("a worker has {} GPU{} and {} slot{}", gpus, gpus == 1 ? "" : "s", slots,
                           slots == 1 ? "" : "s"),
               fmt::format("write slotsPerWorker: {}", gpus));
}

void check_ranks(const ObjectSubject& object, std::int64_t slots, bool is_launcher_worker,
                 Findings& findings) {
  const auto workers = integer_at(object.object, "/spec/mpiReplicaSpecs/Worker/replicas");
  constexpr std::int64_t kMany = 1'000'000;
  if (!workers || *workers < 1 || *workers > kMany || slots < 1 || slots > kMany) return;
  const std::int64_t all = (*workers + (is_launcher_worker ? 1 : 0)) * slots;
  const char* const spec = "/spec/mpiReplicaSpecs/Launcher/template/spec";
  for_each_container_in(
      object, object.value(spec), object.in_document(spec), [&](const ContainerSubject& each) {
        const auto ranks = ranks_of(words_apart(each));
        if (!ranks || *ranks == all) return;
        const bool has_args = each.container.contains("args");
        findings.add(rule(TrainingRule::ranks), each.at / (has_args ? "args" : "command"),
                     fmt::format("mpirun starts {} rank{}, and the workers have {} slot{}", *ranks,
                                 *ranks == 1 ? "" : "s", all, all == 1 ? "" : "s"),
                     fmt::format("write -np {}", all));
      });
}

void check_launcher(const ObjectSubject& object, bool is_worker, Findings& findings) {
  const char* const spec = "/spec/mpiReplicaSpecs/Launcher/template/spec";
  if (is_worker) return;
  for_each_container_in(
      object, object.value(spec), object.in_document(spec), [&](const ContainerSubject& each) {
        const std::int64_t gpus = gpus_of(each);
        if (gpus == 0) return;
        findings.add(rule(TrainingRule::launcher), each.at / "resources",
                     fmt::format("the launcher holds {} GPU{}", gpus, gpus == 1 ? "" : "s"),
                     "leave GPUs to the workers, or write "
                     "runLauncherAsWorker: true");
      });
}

void check_version(const ObjectSubject& object, Findings& findings) {
  if (object.name.api_version != "kubeflow.org/v1") return;
  for (const char* const field :
       {"sshAuthMountPath", "mpiImplementation", "launcherCreationPolicy", "runLauncherAsWorker"})
    if (!value_at(object.object, Pointer("/spec") / field).is_null())
      findings.add(rule(TrainingRule::version_field), object.in_document("/spec") / field,
                   fmt::format("MPIJob of kubeflow.org/v1 has no {}", field),
                   "write apiVersion: kubeflow.org/v2beta1, if mpi-operator is installed");
}

/// Workers are called after the job, and their names are host names.
void check_worker_names(const ObjectSubject& object, Findings& findings) {
  constexpr std::size_t kMost = 63;
  const std::string_view name = text_at(object.object, "/metadata/name");
  const std::int64_t workers =
      integer_at(object.object, "/spec/mpiReplicaSpecs/Worker/replicas").value_or(1);
  const std::string last =
      fmt::format("{}-worker-{}", name, std::max<std::int64_t>(1, workers) - 1);
  if (name.empty() || name.size() > kMost || last.size() <= kMost) return;
  findings.add(
      rule(TrainingRule::name), object.in_document("/metadata/name"),
      fmt::format("the last worker would be called {}, which has {} characters", last, last.size()),
      fmt::format("write at most {} characters", kMost - (last.size() - name.size())));
}

}  // namespace

void check_mpijob(const ObjectSubject& object, Findings& findings) {
  const std::string_view implementation = text_at(object.object, "/spec/mpiImplementation");
  const Pointer at = object.in_document("/spec/mpiImplementation");
  if (!implementation.empty() && !is_one_of(implementation, kImplementations))
    findings.add(rule(TrainingRule::implementation), at,
                 fmt::format("there is no mpiImplementation {}", implementation),
                 write_one(implementation, kImplementations),
                 set_nearest(implementation, kImplementations, at));
  const json& as_worker = object.value("/spec/runLauncherAsWorker");
  const bool is_worker = as_worker.is_boolean() && as_worker.get<bool>();
  const std::int64_t slots = integer_at(object.object, "/spec/slotsPerWorker").value_or(1);
  if (map_at(object.object, "/spec/mpiReplicaSpecs").size() > 0 &&
      object.value("/spec/mpiReplicaSpecs/Launcher").is_null())
    findings.add(rule(TrainingRule::replica_count),
                 object.in_document("/spec/mpiReplicaSpecs/Launcher"),
                 "the job has no Launcher, which starts mpirun", "add Launcher with one replica");
  check_launcher(object, is_worker, findings);
  check_slots(object, slots, findings);
  check_ranks(object, slots, is_worker, findings);
  check_version(object, findings);
  check_worker_names(object, findings);
}

}  // namespace gpu::lint
