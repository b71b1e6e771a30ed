#include "plan/claims.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/text.hpp"
#include "diagnose/answer/pod_identity.hpp"

namespace gpu::plan {
namespace {

const ClaimTemplate* template_named(const SchedulingFacts& facts, const Pod& pod,
                                    const std::string& name) {
  const auto found = std::find_if(
      facts.claim_templates.begin(), facts.claim_templates.end(),
      [&](const ClaimTemplate& each) { return each.ns == pod.ns && each.name == name; });
  return found == facts.claim_templates.end() ? nullptr : &*found;
}

}  // namespace

void make_claims(Pod& pod, Snapshot& snapshot) {
  for (ClaimReference& slot : pod.claim_slots) {
    if (slot.claim_template.empty() || !slot.claim.empty()) continue;
    const ClaimTemplate* const made_from =
        template_named(snapshot.scheduling, pod, slot.claim_template);
    if (made_from == nullptr) continue;
    ResourceClaim claim{.ns = pod.ns, .name = fmt::format("{}-{}", pod.name, slot.name)};
    claim.uid = fmt::format("{}/{}", pod.uid, slot.name);
    claim.owner_uid = pod.uid;
    claim.requests = made_from->requests;
    claim.constraints = made_from->constraints;
    // One of that name may be there: the controller adds letters that nobody knows.
    while (std::any_of(
        snapshot.claims.begin(), snapshot.claims.end(),
        [&](const ResourceClaim& each) { return each.ns == claim.ns && each.name == claim.name; }))
      claim.name += "-x";
    slot.claim = claim.name;
    pod.claims.push_back(claim.name);
    insert_planned(snapshot.claims, std::move(claim));
  }
}

void add_namespace(SchedulingFacts& facts, Namespace planned) {
  auto& known = facts.namespaces;
  const auto at = std::lower_bound(
      known.begin(), known.end(), planned.name,
      [](const Namespace& each, const std::string& name) { return each.name < name; });
  if (at != known.end() && at->name == planned.name) return;
  planned.labels.set("kubernetes.io/metadata.name", planned.name);
  known.insert(at, std::move(planned));
}

std::optional<diagnose::Explanation> lacks_claim_template(const scheduler::Cluster& cluster,
                                                          const Pod& pod,
                                                          const diagnose::ExplainOptions& options) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  for (const ClaimReference& slot : pod.claim_slots) {
    if (slot.claim_template.empty() || !slot.claim.empty()) continue;
    diagnose::Explanation answer = diagnose::identity_of(cluster, pod, options.now);
    if (coverage_of(facts, "resourceclaimtemplates") != Coverage::whole) {
      answer.summary = fmt::format(
          "whether it fits could not be decided: the ResourceClaimTemplate {} was not read",
          slot.claim_template);
      answer.nearest = "whether it fits was not decided";
      return answer;
    }
    answer.code = diagnose::Code::claim_missing;
    answer.summary = fmt::format(
        "the ResourceClaimTemplate {} does not exist in namespace {}: no claim is made "
        "for the pod, and it waits for one",
        slot.claim_template, pod.ns);
    answer.nearest = "no ResourceClaimTemplate " + slot.claim_template;
    std::vector<std::string_view> names;
    for (const ClaimTemplate& each : facts.claim_templates)
      if (each.ns == pod.ns) names.push_back(each.name);
    const auto near = nearest_name(slot.claim_template, names);
    answer.advice.push_back({.summary = near ? fmt::format("name the template {}", *near)
                                             : std::string("create the template first"),
                             .command = {}});
    return answer;
  }
  return std::nullopt;
}

}  // namespace gpu::plan
