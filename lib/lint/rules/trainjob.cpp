#include <fmt/format.h>

#include "lint/rules/training_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

using Words = std::span<const std::string_view>;

constexpr auto kReserved = std::to_array<std::string_view>(
    {"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"});
constexpr auto kPodFields = std::to_array<std::string_view>(
    {"affinity", "containers", "imagePullSecrets", "initContainers", "nodeSelector",
     "schedulingGates", "securityContext", "serviceAccountName", "terminationGracePeriodSeconds",
     "tolerations", "volumes"});
constexpr auto kContainerFields =
    std::to_array<std::string_view>({"env", "name", "securityContext", "volumeMounts"});
constexpr auto kOfTrainer = std::to_array<std::string_view>({"image", "command", "args"});

void check_env(const ObjectSubject& object, Findings& findings) {
  const json& all = list_at(object.object, "/spec/trainer/env");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string_view name = text_at(all[i], "/name");
    if (!is_one_of(name, kReserved)) continue;
    const Pointer at = object.in_document("/spec/trainer/env") / i;
    findings.add(rule(TrainingRule::reserved_env), at,
                 fmt::format("{} is set, and Trainer sets it itself", name), "leave it out",
                 Edit{Edit::Kind::remove, at, {}});
  }
}

void check_processes(const ObjectSubject& object, Findings& findings) {
  const json& processes = object.value("/spec/trainer/numProcPerNode");
  if (!processes.is_string()) return;
  const Pointer at = object.in_document("/spec/trainer/numProcPerNode");
  const auto number = whole_number(written(processes));
  findings.add(rule(TrainingRule::nproc_number), at,
               fmt::format("numProcPerNode is {}, which is a text", processes.dump()),
               number ? fmt::format("write {}, without quotes", *number)
                      : "leave it out: it is then the number of GPUs",
               number ? Edit{Edit::Kind::set, at, *number} : Edit{Edit::Kind::remove, at, {}});
}

void check_fields(const json& value, const Pointer& at, Words known, Findings& findings) {
  if (!value.is_object()) return;
  for (const auto& [field, set] : value.items()) {
    if (is_one_of(field, known)) continue;
    // Trainer's examples have claims, and its newer types may.
    if (field == "resourceClaims" || (field == "resources" && set.contains("claims"))) continue;
    const bool is_of_trainer = is_one_of(field, kOfTrainer);
    findings.add(rule(TrainingRule::patch_field), at / field,
                 fmt::format("a runtime patch cannot set {}", field),
                 is_of_trainer ? fmt::format("write spec.trainer.{}", field)
                 : field == "resources"
                     ? std::string("write spec.trainer.resourcesPerNode")
                     : std::string("leave it out, or write a TrainingRuntime of your own"));
  }
}

void check_patched_pod(const json& spec, const Pointer& at, Findings& findings) {
  check_fields(spec, at, kPodFields, findings);
  for (const char* const list : {"initContainers", "containers"}) {
    const json& containers = value_at(spec, Pointer("") / list);
    if (!containers.is_array()) continue;
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const Pointer here = at / list / i;
      check_fields(containers[i], here, kContainerFields, findings);
      if (text_at(containers[i], "/name") == "node" && !list_at(containers[i], "/env").empty())
        findings.add(rule(TrainingRule::patch_env), here / "env",
                     "a runtime patch sets variables of the container node",
                     "write them in spec.trainer.env");
    }
  }
}

void check_patches(const ObjectSubject& object, Findings& findings) {
  const json& patches = list_at(object.object, "/spec/runtimePatches");
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Pointer at = object.in_document("/spec/runtimePatches") / i;
    if (patches[i].is_object() && text_at(patches[i], "/manager").empty())
      findings.add(rule(TrainingRule::patch_manager), at / "manager",
                   "the runtime patch has no manager", "write who makes it, as example.com/me");
    const char* const jobs_at = "/trainingRuntimeSpec/template/spec/replicatedJobs";
    const json& jobs = list_at(patches[i], jobs_at);
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      const char* const spec = "/template/spec/template/spec";
      check_patched_pod(value_at(jobs[k], Pointer(spec)), at / Pointer(jobs_at) / k / Pointer(spec),
                        findings);
    }
  }
}

}  // namespace

void check_trainjob(const ObjectSubject& object, Findings& findings) {
  check_env(object, findings);
  check_processes(object, findings);
  check_patches(object, findings);
  if (!object.value("/spec/podTemplateOverrides").is_null())
    findings.add(rule(TrainingRule::overrides), object.in_document("/spec/podTemplateOverrides"),
                 "Trainer 2.3 does not know podTemplateOverrides", "write runtimePatches");
}

}  // namespace gpu::lint
