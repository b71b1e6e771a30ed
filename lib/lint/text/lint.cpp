#include "lint/text/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "lint/rules/rules.hpp"
#include "lint/rules/subject.hpp"
#include "lint/text/each_object.hpp"
#include "manifest/read/document.hpp"

namespace gpu::lint {
namespace {

constexpr auto kTextRules = std::to_array<Rule>({
    {"file-too-large", Severity::error, "the file is too large to be judged",
     "More than 4 MB of text, or more than 100 levels, are not read.",
     "https://kubernetes.io/docs/concepts/overview/working-with-objects"},
    {"not-yaml", Severity::error, "the file is neither YAML nor JSON",
     "kubectl refuses it. Templates of a Helm chart are no YAML: lint what `helm template` prints.",
     "https://kubernetes.io/docs/concepts/overview/working-with-objects"},
    {"key-twice", Severity::error, "a key stands twice in one object",
     "The last one wins without a warning: what the first one says is lost.",
     "https://yaml.org/spec/1.2.2/#3213-node-comparison"},
});
enum TextRuleAt : std::size_t { kTooLarge, kNotYaml, kTwice };

std::span<const Rule> text_rules() { return kTextRules; }

/// The checks of pods, and the rules that they know.
struct PodCheck {
  std::span<const Rule> (*rules)();
  void (*check)(const PodSubject& pod, Findings& findings);
};
constexpr auto kPodChecks = std::to_array<PodCheck>({
    {resource_rules, check_resources},
    {placement_rules, check_placement},
    {shared_memory_rules, check_shared_memory},
    {environment_rules, check_environment},
    {image_rules, check_images},
    {access_rules, check_access},
    {parallelism_rules, check_parallelism},
});

struct ObjectCheck {
  std::span<const Rule> (*rules)();
  void (*check)(const ObjectSubject& object, Findings& findings);
};
constexpr auto kObjectChecks = std::to_array<ObjectCheck>({
    {object_rules, check_object},
    {batch_rules, check_batch},
    {training_rules, check_training},
    {ray_rules, check_ray},
    {serving_rules, check_serving},
    {policy_rules, check_policy},
    {queue_rules, check_queues},
    {sharing_rules, check_sharing},
    {monitoring_rules, check_monitoring},
});

/// Objects that describe other objects: what looks like a pod in them is a schema.
bool is_schema(const manifest::KindName& name) { return name.kind == "CustomResourceDefinition"; }

void check_pod(const ObjectSubject& owner, const decode::PodTemplate& made, Findings& findings) {
  const PodSubject pod{.owner = owner,
                       .made = made,
                       .spec = value_at(made.pod, Pointer("/spec")),
                       .spec_at = owner.at / made.spec_at};
  if (!pod.spec.is_object()) return;
  check_fields(pod, findings);
  for (const PodCheck& each : kPodChecks) each.check(pod, findings);
}

void check_one(const ObjectSubject& subject, Findings& findings) {
  for (const ObjectCheck& each : kObjectChecks) each.check(subject, findings);
  if (!subject.object.is_object() || is_schema(subject.name)) return;
  for (const decode::PodTemplate& made : decode::pod_templates(subject.object))
    check_pod(subject, made, findings);
}

/// How little a rule knows of what its field is for: the API server's words know least.
int generality(const Rule& rule) {
  const std::span<const Rule> general = object_rules();
  const bool is_general = &rule >= general.data() && &rule < general.data() + general.size();
  return rule.id == "field-refused" ? 2 : is_general ? 1 : 0;
}

/// Of two findings at one field, the one that knows what the field is for.
std::vector<Finding> without_repeats(const std::vector<Finding>& findings) {
  std::unordered_map<std::string, std::vector<const Finding*>> by_field;
  for (const Finding& each : findings) by_field[each.at.to_string()].push_back(&each);
  std::vector<Finding> kept;
  for (const Finding& each : findings) {
    const std::vector<const Finding*>& there = by_field.at(each.at.to_string());
    const bool is_repeated = std::any_of(there.begin(), there.end(), [&](const Finding* other) {
      if (other == &each) return false;
      if (generality(*each.rule) > generality(*other->rule)) return true;
      return other < &each && other->rule == each.rule && other->message == each.message;
    });
    if (!is_repeated) kept.push_back(each);
  }
  return kept;
}

void place(const manifest::ManifestDocument& document, std::size_t number,
           const std::vector<Finding>& findings, FileFindings& file) {
  if (findings.empty()) return;
  std::vector<Pointer> pointers;
  for (const Finding& each : findings) pointers.push_back(each.at);
  const std::vector<decode::TextPlace> places = document.places_of(pointers);
  for (std::size_t i = 0; i < findings.size(); ++i)
    file.findings.push_back({.finding = findings[i],
                             .document = number,
                             .line = places[i].line,
                             .column = places[i].column});
}

PlacedFinding not_yaml(const manifest::TextError& error, std::string_view text) {
  const bool is_template = text.find("{{") != std::string_view::npos;
  return {.finding = {.rule = &kTextRules[kNotYaml],
                      .at = Pointer(),
                      .message = error.problem(),
                      .fix = is_template ? "lint what `helm template` prints" : std::string()},
          .document = 1,
          .line = error.place().line,
          .column = error.place().column};
}

}  // namespace

FileFindings lint_text(std::string_view text) {
  FileFindings file;
  std::vector<manifest::ManifestDocument> documents;
  try {
    documents = manifest::documents_of(text);
  } catch (const manifest::TextError& error) {
    file.findings.push_back(not_yaml(error, text));
    return file;
  } catch (const Error& error) {  // what is too large to be read
    file.findings.push_back(not_yaml(manifest::TextError({}, error.message()), {}));
    file.findings.back().finding.rule = &kTextRules[kTooLarge];
    return file;
  }
  std::size_t number = 0;
  for (const manifest::ManifestDocument& document : documents) {
    ++number;
    Findings found;
    each_object(document.object, Pointer(), {}, [&](const ObjectSubject& each) {
      ++file.objects;
      check_one(each, found);
    });
    place(document, number, without_repeats(found.all()), file);
    if (document.twice)
      file.findings.push_back(
          {.finding = {.rule = &kTextRules[kTwice],
                       .at = Pointer(),
                       .message = fmt::format("{} stands twice, and this one wins over line {}",
                                              document.twice->key,
                                              document.twice->first.line + document.first_line - 1),
                       .fix = "leave one of them out"},
           .document = number,
           .line = document.twice->second.line + document.first_line - 1,
           .column = document.twice->second.column});
  }
  std::stable_sort(file.findings.begin(), file.findings.end(),
                   [](const PlacedFinding& a, const PlacedFinding& b) {
                     return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                   });
  return file;
}

std::vector<const Rule*> rules() {
  std::vector<const Rule*> all;
  const auto add = [&](std::span<const Rule> some) {
    for (const Rule& rule : some) all.push_back(&rule);
  };
  add(text_rules());
  for (const ObjectCheck& each : kObjectChecks) add(each.rules());
  for (const PodCheck& each : kPodChecks) add(each.rules());
  add(cluster_rules());
  return all;
}

const Rule* rule_named(std::string_view id) {
  const std::vector<const Rule*> all = rules();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Rule* rule) { return rule->id == id; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace gpu::lint
