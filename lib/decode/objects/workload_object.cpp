#include "decode/objects/workload_object.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "decode/objects/metadata.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/pod_template.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

/// Kubeflow's training jobs have it one level down.
bool is_suspended(const JsonObject& spec) {
  const auto policy = spec.object("runPolicy");
  return spec.flag("suspend") || (policy && policy->flag("suspend"));
}

std::optional<std::int64_t> wanted_pods(const WorkloadObject& made,
                                        const std::optional<JsonObject>& spec,
                                        const std::optional<JsonObject>& status) {
  if (made.kind == "DaemonSet")
    return status ? status->long_number("desiredNumberScheduled") : std::nullopt;
  if (!spec) return std::nullopt;
  const bool is_job = made.kind == "Job" && made.api_version.starts_with("batch/");
  return spec->long_number(is_job ? "parallelism" : "replicas");
}

/// How a kind without conditions says that it is over: the member of status, and one in it.
struct PhaseField {
  std::string_view kind;
  std::string_view member;
  std::string_view within;  ///< empty: the member is the phase
};

constexpr std::array<PhaseField, 7> kPhases = {{{"Workflow", "phase", ""},
                                                {"Job", "state", "phase"},
                                                {"SparkApplication", "applicationState", "state"},
                                                {"RayJob", "jobStatus", ""},
                                                {"RayJob", "jobDeploymentStatus", ""},
                                                {"AppWrapper", "phase", ""},
                                                {"DaskJob", "jobStatus", ""}}};

void add_phase(WorkloadObject& made, const JsonObject& status) {
  if (made.api_version.starts_with("batch/")) return;
  for (const PhaseField& field : kPhases) {
    if (field.kind != made.kind || !status.has(field.member)) continue;
    Condition condition{.status = "True"};
    if (field.within.empty()) {
      condition.type = status.text(field.member);
    } else if (const auto state = status.object(field.member)) {
      condition.type = state->text(field.within);
    }
    condition.message = status.has("message") ? status.text("message") : std::string();
    if (!condition.type.empty()) made.conditions.push_back(std::move(condition));
  }
}

/// spec.paused, which says so itself before any controller does.
void add_pause(WorkloadObject& made, const JsonObject& spec) {
  const bool may_be_paused = made.kind == "Deployment" || made.kind == "Rollout";
  if (may_be_paused && spec.flag("paused"))
    made.conditions.push_back({.type = "Paused", .status = "True"});
}

/// One that stands for all: objects with several templates have pods of several kinds.
std::optional<Pod> only_pod(const nlohmann::json& object) {
  const std::vector<PodTemplate> templates = pod_templates(object);
  if (templates.size() != 1) return std::nullopt;
  return pod_from_json(templates.front().pod);
}

}  // namespace

WorkloadObject workload_object_from_json(const nlohmann::json& object, std::string_view api_version,
                                         std::string_view kind) {
  WorkloadObject made{.kind = std::string(kind), .api_version = std::string(api_version)};
  naming_object(kind, made.ns, made.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata")) {
      Metadata metadata = metadata_from_json(*read, Annotations::none);
      made.ns = std::move(metadata.ns);
      made.name = std::move(metadata.name);
      made.uid = std::move(metadata.uid);
      made.labels = std::move(metadata.labels);
      made.owners = std::move(metadata.owners);
      made.created = metadata.created;
    }
    const auto spec = root.object("spec");
    const auto status = root.object("status");
    made.is_suspended = spec && is_suspended(*spec);
    made.wanted = wanted_pods(made, spec, status);
    if (status) {
      status->each("conditions", [&](const JsonObject& condition) {
        made.conditions.push_back(condition_from_json(condition));
      });
      add_phase(made, *status);
    }
    if (spec) add_pause(made, *spec);
    made.pod = only_pod(object);
  });
  return made;
}

}  // namespace gpu::decode
