#include "cmd/lint/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "input/files/manifest_file.hpp"
#include "kube/config/connection.hpp"
#include "lint/rules/rules.hpp"
#include "lint/text/placed_object.hpp"
#include "plan/plan.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::cmd {
namespace {

using diagnose::Code;
using lint::ClusterRule;

std::string namespace_of(const GlobalFlags& flags, const Env& env) {
  if (flags.connection.ns) return *flags.connection.ns;
  if (flags.from) return "default";
  const kube::Connection connection =
      kube::resolve_connection(flags.connection, {.environment = env.environment});
  return connection.ns.empty() ? "default" : connection.ns;
}

/// Reasons that no room mends: the manifest or the cluster has to change.
bool never_ends(Code code) {
  static constexpr auto kLasting = std::to_array<Code>(
      {Code::request_exceeds_every_node, Code::resource_not_advertised, Code::resource_name_unknown,
       Code::resource_renamed, Code::mig_mismatch, Code::untolerated_taint,
       Code::node_selector_mismatch, Code::device_class_missing, Code::quota_needs_requests,
       Code::limit_range, Code::admission_rejected, Code::unknown_scheduler});
  return std::find(kLasting.begin(), kLasting.end(), code) != kLasting.end();
}

/// The objects of the texts, to say what stands where.
class Objects {
 public:
  explicit Objects(const LintTexts& texts) {
    for (const LintText& each : texts.texts) all_[each.name] = lint::objects_in(each.text);
  }

  [[nodiscard]] const std::map<std::string, std::vector<lint::PlacedObject>>& all() const {
    return all_;
  }
  /// Null where there is none, or another has its name.
  [[nodiscard]] const lint::PlacedObject* find(const std::string& file, std::string_view kind,
                                               std::string_view name) const {
    const auto found = all_.find(file);
    if (found == all_.end()) return nullptr;
    for (const lint::PlacedObject& each : found->second)
      if (each.kind == kind && each.name == name) return &each;
    return nullptr;
  }

 private:
  std::map<std::string, std::vector<lint::PlacedObject>> all_;
};

/// The fields that a reason is about, the likeliest first.
std::vector<lint::PlacingField> fields_behind(Code code) {
  using Field = lint::PlacingField;
  switch (code) {
    case Code::node_selector_mismatch:
      return {Field::node_selector, Field::affinity};
    case Code::untolerated_taint:
      return {Field::tolerations};
    case Code::unknown_scheduler:
      return {Field::scheduler_name};
    case Code::held_by_queue:
      return {Field::queue};
    case Code::topology_spread:
      return {Field::spread};
    case Code::pod_affinity:
    case Code::pod_anti_affinity:
      return {Field::affinity};
    case Code::claim_missing:
    case Code::device_class_missing:
    case Code::claim_unsatisfiable:
      return {Field::claims};
    case Code::volume_unbound:
    case Code::volume_zone:
    case Code::volume_limit:
    case Code::volume_in_use:
      return {Field::volumes};
    case Code::insufficient_gpus:
    case Code::insufficient_extended_resource:
    case Code::gpus_scattered:
    case Code::request_exceeds_every_node:
    case Code::resource_not_advertised:
    case Code::resource_name_unknown:
    case Code::resource_renamed:
    case Code::mig_mismatch:
    case Code::insufficient_cpu:
    case Code::insufficient_memory:
    case Code::quota_exceeded:
      return {Field::gpus};
    default:
      return {};
  }
}

/// Where the reason stands in the file: at its field, else at the object.
lint::PlacedFinding place_of(const lint::PlacedObject& object, Code code) {
  for (const lint::PlacingField field : fields_behind(code))
    if (const auto found = object.fields.find(field); found != object.fields.end())
      return found->second;
  return object.nothing;
}

/// What would help first.
std::string fix_of(const diagnose::Explanation& it) {
  if (!it.fixes.empty()) return it.fixes.front().summary;
  return it.advice.empty() ? std::string() : it.advice.front().summary;
}

/// Whether a rule found an error in the object, for which the API server would refuse it.
bool has_error(const LintAnswer& offline, const std::string& file, std::size_t document) {
  return std::any_of(offline.findings.begin(), offline.findings.end(),
                     [&](const FileFinding& each) {
                       return each.file == file && each.placed.document == document &&
                              each.placed.finding.rule->severity == lint::Severity::error;
                     });
}

void add_judgement(const diagnose::Explanation& it, const Objects& objects,
                   const LintAnswer& offline, std::vector<FileFinding>& findings) {
  if (!it.is_blocked) return;
  const bool is_pod = it.owner.kind.empty() || it.owner.kind == "Pod";
  const lint::PlacedObject* const object =
      objects.find(it.manifest, is_pod ? "Pod" : it.owner.kind, is_pod ? it.name : it.owner.name);
  if (it.code == Code::admission_rejected && object != nullptr &&
      has_error(offline, it.manifest, object->nothing.document))
    return;
  FileFinding finding;
  finding.file = it.manifest;
  if (object != nullptr) finding.placed = place_of(*object, it.code);
  lint::Finding& what = finding.placed.finding;
  what.rule = &lint::rule(never_ends(it.code) ? ClusterRule::never_starts : ClusterRule::waits);
  what.message = fmt::format("{} ({})", it.summary, diagnose::name_of(it.code));
  what.fix = fix_of(it);
  findings.push_back(std::move(finding));
}

/// Whether one of the manifests brings the kind's definition: "queues.scheduling.run.ai".
bool is_defined(const Objects& objects, std::string_view api_version) {
  const std::string group = "." + std::string(api_version.substr(0, api_version.find('/')));
  for (const auto& [file, all] : objects.all())
    for (const lint::PlacedObject& each : all)
      if (each.kind == "CustomResourceDefinition" && each.name.ends_with(group)) return true;
  return false;
}

/// Whether the cluster serves the kind in that version, as far as that was read.
bool is_served(const SchedulingFacts& facts, const lint::PlacedObject& object) {
  const std::size_t slash = object.api_version.find('/');
  const std::string_view all = object.api_version;
  const std::string_view group = slash == std::string::npos ? "" : all.substr(0, slash);
  const std::string_view version = slash == std::string::npos ? all : all.substr(slash + 1);
  // The core group is in another document, which is not read.
  if (group.empty() || facts.api_groups.empty()) return true;
  for (const ApiGroup& each : facts.api_groups) {
    if (each.name != group) continue;
    for (const ApiVersion& its : each.versions)
      if (its.name == version)
        return std::find(its.kinds.begin(), its.kinds.end(), object.kind) != its.kinds.end();
  }
  return false;
}

std::string served_text(const SchedulingFacts& facts, const lint::PlacedObject& object) {
  for (const ApiGroup& group : facts.api_groups)
    for (const ApiVersion& version : group.versions)
      if (std::find(version.kinds.begin(), version.kinds.end(), object.kind) != version.kinds.end())
        return fmt::format("write apiVersion: {}/{}", group.name, version.name);
  return "install its CRD, or leave the object out";
}

void check_served(const SchedulingFacts& facts, const Objects& objects,
                  std::vector<FileFinding>& findings) {
  for (const auto& [file, all] : objects.all())
    for (const lint::PlacedObject& each : all) {
      if (each.kind.empty() || is_served(facts, each) || is_defined(objects, each.api_version))
        continue;
      FileFinding finding{.file = file, .placed = each.nothing};
      lint::Finding& what = finding.placed.finding;
      what.rule = &lint::rule(ClusterRule::not_served);
      what.message =
          fmt::format("the cluster does not serve {} in {}", each.kind, each.api_version);
      what.fix = served_text(facts, each);
      findings.push_back(std::move(finding));
    }
}

PlannedObjects planned_of(const LintTexts& texts, const std::string& ns,
                          std::vector<std::string>& not_checked) {
  PlannedObjects planned;
  for (const LintText& each : texts.texts) {
    try {
      input::add_manifest_text(planned, each.text, each.name, ns);
    } catch (const Error& error) {
      if (each.is_named) not_checked.push_back(error.message());
    }
  }
  plan::take_found(planned);
  return planned;
}

}  // namespace

ClusterFindings ask_cluster(const LintTexts& texts, const LintAnswer& offline,
                            const GlobalFlags& flags, const Env& env) {
  ClusterFindings answer;
  PlannedObjects planned = planned_of(texts, namespace_of(flags, env), answer.not_checked);
  kube::Needs needs = kube::scheduling_needs();
  needs.kinds = needs.kinds | kPlanningKinds | kFittingKinds;
  needs.keep = [](const Pod&) { return true; };
  needs.may_lack_nodes = true;
  kube::add_planned(needs, planned.pods);
  Snapshot snapshot = read_snapshot(flags, std::move(needs), env);
  const std::optional<Time> now = clock_of(flags, snapshot.taken_at, env);
  const Objects objects(texts);
  check_served(snapshot.scheduling, objects, answer.findings);
  plan::add_planned(planned, snapshot);
  for (const Gap& gap : snapshot.gaps)
    if (gap.about != GapTopic::use) answer.gaps.push_back(gap);
  if (planned.pods.empty()) return answer;
  const scheduler::Cluster cluster(snapshot);
  for (const diagnose::Explanation& each :
       plan::explain_planned_objects(planned, cluster, {.now = now}).explanations)
    add_judgement(each, objects, offline, answer.findings);
  return answer;
}

}  // namespace gpu::cmd
