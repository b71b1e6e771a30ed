#include "kube/collect/scheduling_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/phrase.hpp"
#include "base/split.hpp"
#include "kube/http/advice.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_path.hpp"
#include "model/snapshot/kai.hpp"

namespace gpu::kube {
namespace {

using decode::KindInfo;
using decode::Part;
using decode::Scope;
using decode::When;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kMetadataList = "PartialObjectMetadataList";
/// One list of everything is kinder to the server than more of them.
constexpr std::size_t kMostEventLists = 8;
/// Someone who may not list a kind everywhere is asked about in so many namespaces.
constexpr std::size_t kMostNamespaces = 16;

/// The namespace in which its manifests install Kueue.
constexpr std::string_view kKueueNamespace = "kueue-system";

/// Where these may not be read, nothing is said: few may, and little hangs on them.
bool is_optional(When when) { return when == When::kueue || when == When::planned; }

std::string api_version(const KindInfo& kind, const std::string& version) {
  return kind.group.empty() ? version : std::string(kind.group) + "/" + version;
}

/// What owners report when they make a pod, and when they may not.
constexpr std::string_view kRefused = "FailedCreate";
constexpr std::string_view kMade = "SuccessfulCreate";

}  // namespace

Gap unreadable_gap(const std::string& resources, const std::string& why) {
  return {.what = "some " + resources + " cannot be read, so what they decide is not checked",
          .why = why,
          .help = {},
          .about = GapTopic::scheduling};
}

void SchedulingReader::see(const Pod& pod) {
  if (!pod.node_name.empty() || is_finished(pod)) return;
  waiting_in_.insert(pod.ns);
  has_volumes_ = has_volumes_ || !pod.volumes.empty();
  has_claims_ = has_claims_ || !pod.claim_slots.empty();
  has_kai_ = has_kai_ || is_of_kai(pod);
}

void SchedulingReader::forget_pods() {
  has_volumes_ = has_claims_ = has_kai_ = false;
  waiting_in_.clear();
}

void SchedulingReader::read() {
  for (const Pod& pod : reading_.needs().planned_pods) see(pod);
  for (const KindInfo& kind : decode::kinds())
    if (is_wanted(kind)) add_asks(kind);
  ask_for_refusals();
  while (!asks_.empty()) run_round();
  ask_for_successes();
  ask_for_plugin_configs();
  while (!asks_.empty()) run_round();
  judge_sights();
  const bool is_of_all = reading_.needs().kinds_of_all_pods;
  say_what_is_forbidden({.about = GapTopic::scheduling,
                         .consequence = is_of_all ? "what they limit is not shown"
                                                  : "what they decide is not checked",
                         .role = is_of_all ? "kubectl-gpu-quota" : "kubectl-gpu-why-pending"});
  say_what_is_forbidden({.about = GapTopic::jobs,
                         .consequence = "pods that are gone are not counted",
                         .role = "kubectl-gpu-cost"});
  say_what_is_broken();
}

/// A snapshot is for questions that nobody has asked yet.
bool SchedulingReader::is_wanted(const KindInfo& kind) const {
  if (!reading_.needs().kinds.contains(kind.id)) return false;
  if (reading_.needs().on_object || reading_.needs().kinds_of_all_pods) return true;
  switch (kind.when) {
    case When::always:
    case When::events:
    case When::kube_system:
    case When::owners:
    case When::kueue:
    case When::planned:
      return true;
    case When::volumes:
      return has_volumes_;
    case When::claims:
      return has_claims_;
    case When::kai:
      return has_kai_;
  }
  return true;
}

std::set<std::string> SchedulingReader::namespaces() const {
  std::set<std::string> names = waiting_in_;
  if (!reading_.needs().ns.empty()) names.insert(reading_.needs().ns);
  return names;
}

std::set<std::string> SchedulingReader::namespaces_of_pods() const {
  std::set<std::string> names;
  for (const Pod& pod : reading_.snapshot().pods) names.insert(pod.ns);
  if (!reading_.needs().ns.empty()) names.insert(reading_.needs().ns);
  return names;
}

void SchedulingReader::add_asks(const KindInfo& kind) {
  const std::vector<std::string_view> versions = split(kind.versions, ' ');
  Ask everywhere{.kind = &kind, .versions = {versions.begin(), versions.end()}, .ns = {}};
  outcomes_[&kind];
  if (kind.when == When::kube_system) {
    everywhere.ns = "kube-system";
    return ask(std::move(everywhere));
  }
  if (kind.when == When::owners) {
    everywhere.ns = reading_.needs().only_namespace;
    return ask(std::move(everywhere));
  }
  if (kind.when == When::kueue) {
    everywhere.ns = kKueueNamespace;
    return ask(std::move(everywhere));
  }
  if (kind.when == When::planned) return ask_for_planned(everywhere);
  if (kind.when == When::events && !reading_.needs().event_reasons.empty()) {
    for (const std::string& reason : reading_.needs().event_reasons) {
      Ask one = everywhere;
      one.reason = reason;
      ask(std::move(one));
    }
    return;
  }
  const std::set<std::string> names = namespaces();
  const bool is_each = kind.when == When::events && !reading_.needs().on_object && !names.empty() &&
                       names.size() <= kMostEventLists;
  if (!is_each) return ask(std::move(everywhere));
  for (const std::string& ns : names) {
    Ask one = everywhere;
    one.ns = ns;
    ask(std::move(one));
  }
  events_of_ = names;
}

void SchedulingReader::ask_for_planned(const Ask& everywhere) {
  std::set<std::string> names;
  for (const Pod& pod : reading_.needs().planned_pods) names.insert(pod.ns);
  for (const std::string& ns : names) {
    Ask one = everywhere;
    one.ns = ns;
    ask(std::move(one));
  }
}

void SchedulingReader::ask_for_refusals() {
  if (!reading_.needs().refused_owners || events_of_.empty()) return;
  ask({.kind = &decode::info_of(ObjectKind::event),
       .versions = {"v1"},
       .ns = {},
       .reason = std::string(kRefused)});
}

/// An owner that was refused may have made its pods since.
void SchedulingReader::ask_for_successes() {
  const bool is_each = refused_in_.size() <= kMostEventLists;
  for (const std::string& ns : refused_in_) {
    ask({.kind = &decode::info_of(ObjectKind::event),
         .versions = {"v1"},
         .ns = is_each ? ns : std::string(),
         .reason = std::string(kMade)});
    if (!is_each) return;
  }
}

void SchedulingReader::ask_for_plugin_configs() {
  if (!reading_.needs().kinds.contains(ObjectKind::plugin_config)) return;
  const SchedulingFacts& facts = reading_.snapshot().scheduling;
  std::set<std::pair<std::string, std::string>> names;
  for (const DaemonSet& daemon : facts.daemon_sets)
    for (const std::string& name : daemon.config_maps) names.emplace(daemon.ns, name);
  for (const ClusterPolicy& policy : facts.cluster_policies)
    if (!policy.plugin_config.empty() && !policy.ns.empty())
      names.emplace(policy.ns, policy.plugin_config);
  std::size_t left = kMostNamespaces;
  for (const auto& [ns, name] : names) {
    if (name.empty() || left-- == 0) continue;
    ask({.kind = &decode::info_of(ObjectKind::queue_config),
         .versions = {"v1"},
         .ns = ns,
         .reason = {},
         .name = name});
  }
}

bool SchedulingReader::is_told(const Ask& ask, const nlohmann::json& event) {
  if (ask.reason.empty()) return false;
  const auto metadata = event.find("metadata");
  if (metadata == event.end() || !metadata->is_object()) return false;
  const auto found = metadata->find("namespace");
  if (found == metadata->end() || !found->is_string()) return false;
  const std::string& ns = found->get_ref<const std::string&>();
  if (events_of_.contains(ns)) return true;
  if (ask.reason == kRefused) refused_in_.insert(ns);
  return false;
}

std::string SchedulingReader::path_of(const Ask& ask) {
  if (!ask.kind->path.empty()) return std::string(ask.kind->path);
  const std::string root = ask.kind->group.empty() ? "/api/" : "/apis/";
  const std::string scope = ask.ns.empty() ? "" : "/namespaces/" + percent_encoded(ask.ns);
  return root + api_version(*ask.kind, ask.versions.front()) + scope + "/" +
         std::string(ask.kind->plural);
}

/// Discovery says by the header alone that all groups are wanted with their kinds, and a server
/// that cannot leave out all but metadata refuses; empty for a list, which the batch asks for as
/// JSON.
std::string SchedulingReader::accept_of(const Ask& ask) {
  if (ask.kind->part == Part::metadata)
    return fmt::format("{};as={};g=meta.k8s.io;v=v1", kJson, kMetadataList);
  if (ask.kind->path.empty()) return {};
  return fmt::format("{};g={};v={};as={}List", kJson, ask.kind->group, ask.versions.front(),
                     ask.kind->kind);
}

/// A field selector; empty for all objects.
std::string SchedulingReader::fields_of(const Ask& ask) {
  if (!ask.reason.empty()) return "reason=" + field_value(ask.reason);
  if (!ask.name.empty()) return "metadata.name=" + field_value(ask.name);
  return ask.kind->name.empty() ? "" : "metadata.name=" + field_value(ask.kind->name);
}

ItemReader SchedulingReader::reader(const Ask& ask) {
  const KindInfo& kind = *ask.kind;
  return ItemReader::of_objects(
      kind.part == Part::metadata ? std::string(kMetadataList) : std::string(kind.kind) + "List",
      [this, &kind, ask,
       version = api_version(kind, ask.versions.front())](const nlohmann::json& object) {
        if (is_told(ask, object)) return;
        reading_.tell(object, version, kind.kind);
        try {
          kind.storage.take(object, reading_.snapshot().scheduling);
        } catch (const Error& error) {
          // A CRD's object may be anything; the others still count.
          if (error.kind() != ErrorKind::data) throw;
          ++outcomes_[&kind].broken;
          if (first_problem_.empty()) first_problem_ = error.message();
        }
      });
}

void SchedulingReader::run_round() {
  std::deque<Ask> round = std::exchange(asks_, {});
  ListBatch batch(reading_.client(), std::string(kJson),
                  [this](std::size_t bytes) { reading_.count_bytes(bytes); });
  for (const Ask& ask : round) {
    batch.add(list_path(path_of(ask), {{"fieldSelector", fields_of(ask)}}), reader(ask),
              {.accept = accept_of(ask)});
  }
  const std::vector<Reply> replies = batch.run();
  for (std::size_t i = 0; i < round.size(); ++i) conclude(std::move(round[i]), replies.at(i));
}

void SchedulingReader::conclude(Ask&& ask, const Reply& reply) {
  Outcome& outcome = outcomes_[ask.kind];
  if (reply.ok()) {
    ++outcome.read;
  } else if (reply.error) {
    throw error_of(reply, reading_.client().connection());
  } else if (ask.kind->part == Part::whole && (reply.status == 404 || reply.status == 406)) {
    ask.versions.erase(ask.versions.begin());
    if (ask.versions.empty())
      ++outcome.read;  // what the API does not have is seen whole
    else
      asks_.push_back(std::move(ask));
  } else {
    refuse(std::move(ask), reply);
  }
}

void SchedulingReader::refuse(Ask&& ask, const Reply& reply) {
  Outcome& outcome = outcomes_[ask.kind];
  if (!ask.reason.empty() && !reading_.needs().kinds_of_all_pods) {
    if (outcome.refused++ > 0) return;  // one gap says it
    const Error error = error_of(reply, reading_.client().connection());
    reading_.snapshot().gaps.push_back(
        {.what = reading_.needs().event_reasons.empty()
                     ? "events of all namespaces cannot be listed, so owners whose pods are "
                       "refused where no pod waits are not shown"
                     : "events of all namespaces cannot be listed, so what kubelets and "
                       "autoscalers say in them is not known",
         .why = error.message(),
         .help = error.help(),
         .about = GapTopic::scheduling,
         .cause = GapCause::refused});
    return;
  }
  const bool goes_on = reply.status == 403 && ask.ns.empty() && !ask.is_fallback &&
                       ask.kind->scope == Scope::namespaced;
  if (outcome.refusal.empty())
    outcome.refusal = error_of(reply, reading_.client().connection()).message();
  if (!goes_on) {
    ++outcome.refused;
    return;
  }
  outcome.is_fallback = true;
  const bool is_of_all = ask.kind->when == When::owners || reading_.needs().kinds_of_all_pods;
  std::set<std::string> names = is_of_all ? namespaces_of_pods() : namespaces();
  if (names.empty()) names.insert("default");
  std::size_t left = kMostNamespaces;
  for (const std::string& ns : names) {
    if (left-- == 0) break;
    Ask one = ask;
    one.ns = ns;
    one.is_fallback = true;
    asks_.push_back(std::move(one));
  }
}

void SchedulingReader::judge_sights() {
  for (const auto& [kind, outcome] : outcomes_) {
    Coverage& sight = reading_.snapshot().scheduling.coverages[coverage_key(*kind)];
    const bool is_part = outcome.is_fallback || outcome.refused > 0 || outcome.broken > 0;
    if (outcome.read == 0)
      sight = Coverage::none;
    else
      sight = is_part ? Coverage::partial : Coverage::whole;
  }
}

/// Those of a topic in one gap: one role allows them.
void SchedulingReader::say_what_is_forbidden(const ForbiddenGap& gap) {
  std::vector<std::string> resources;
  std::vector<std::string> refusals;
  for (const KindInfo& kind : decode::kinds()) {
    const auto found = outcomes_.find(&kind);
    if (found == outcomes_.end() || found->second.read > 0 || found->second.refusal.empty() ||
        is_optional(kind.when) || (kind.when == When::owners) != (gap.about == GapTopic::jobs))
      continue;
    resources.push_back(resource_of(kind));
    refusals.push_back(found->second.refusal);
  }
  if (resources.empty()) return;
  reading_.snapshot().gaps.push_back(
      {.what = joined(resources) + " cannot be listed, so " + gap.consequence,
       .why = refusals.front(),
       .help = role_help(refusals, {}, gap.role, reading_.client().connection()),
       .about = gap.about,
       .cause = GapCause::refused});
}

void SchedulingReader::say_what_is_broken() {
  std::vector<std::string> resources;
  for (const KindInfo& kind : decode::kinds())
    if (const auto found = outcomes_.find(&kind);
        found != outcomes_.end() && found->second.broken > 0)
      resources.push_back(resource_of(kind));
  if (resources.empty()) return;
  reading_.snapshot().gaps.push_back(unreadable_gap(joined(resources), first_problem_));
}

}  // namespace gpu::kube
