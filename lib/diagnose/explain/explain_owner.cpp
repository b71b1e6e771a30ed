#include "diagnose/explain/explain_owner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "diagnose/explain/explain.hpp"
#include "diagnose/owners/named_owner.hpp"
#include "model/objects/gap.hpp"
#include "model/objects/own_kind.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kSeeAll = "see all pods that wait\n      kubectl gpu why-pending -A";

Owner owner_of(const WorkloadKind& kind, const std::string& name) {
  return {.kind = std::string(kind.kind),
          .name = name,
          .uid = {},
          .api_version = kind.group.empty() ? "v1" : std::string(kind.group) + "/"};
}

std::string kind_of(const OwnerQuestion& question) { return lower_case(question.kind.kind); }

/// Where something is known of an object of that name.
std::set<std::string> namespaces_of(const OwnerQuestion& question, const Snapshot& snapshot) {
  const Owner owner = owner_of(question.kind, question.name);
  std::set<std::string> namespaces;
  for (const Pod& pod : snapshot.pods)
    if (is_made_by(pod, pod.ns, owner, snapshot)) namespaces.insert(pod.ns);
  for (const WorkloadObject& object : snapshot.scheduling.workload_objects)
    if (object_named(snapshot.scheduling, object.ns, owner) != nullptr)
      namespaces.insert(object.ns);
  for (const Event& event : snapshot.scheduling.events)
    if (event.kind == owner.kind && event.object == owner.name) namespaces.insert(event.ns);
  for (const QueuedWorkload& workload : snapshot.scheduling.workloads)
    for (const OwnerReference& each : workload.owners)
      if (each.kind == owner.kind && each.name == owner.name) namespaces.insert(workload.ns);
  return namespaces;
}

/// Whether people may call the owner's kind so: "nimservice", "nimservices".
bool is_called(const Owner& owner, std::string_view kind) {
  return owner.kind != "Pod" &&
         (equal_ignoring_case(owner.kind, kind) || equal_ignoring_case(owner.kind + "s", kind));
}

/// Whether `letters` stand in `word` in this order, the first of them first.
bool is_subsequence(std::string_view letters, std::string_view word) {
  if (letters.empty() || word.empty() || letters.front() != word.front()) return false;
  for (const char each : word)
    if (!letters.empty() && letters.front() == each) letters.remove_prefix(1);
  return letters.empty();
}

/// Hands `visit` namespace, kind and name of all owners that pods, queues and events tell of.
template <class Visit>
void visit_known_owners(const Snapshot& snapshot, Visit visit) {
  for (const Pod& pod : snapshot.pods) {
    for (const OwnerReference& each : pod.owners) visit(pod.ns, each.kind, each.name);
    const Owner top = top_owner(pod, snapshot);
    visit(pod.ns, top.kind, top.name);
  }
  for (const QueuedWorkload& workload : snapshot.scheduling.workloads)
    for (const OwnerReference& each : workload.owners) visit(workload.ns, each.kind, each.name);
  for (const Event& event : snapshot.scheduling.events) visit(event.ns, event.kind, event.object);
}

/// Names of its kind.
std::set<std::string> known_names(const OwnerQuestion& question, const Snapshot& snapshot) {
  std::set<std::string> names;
  visit_known_owners(snapshot,
                     [&](std::string_view ns, std::string_view kind, const std::string& name) {
                       if (kind == question.kind.kind && (question.ns.empty() || ns == question.ns))
                         names.insert(name);
                     });
  return names;
}

/// Files name no namespace of a context: the only one that has it is meant.
std::string namespace_of(const OwnerQuestion& question, const Snapshot& snapshot) {
  if (!question.ns.empty()) return question.ns;
  const std::set<std::string> namespaces = namespaces_of(question, snapshot);
  if (namespaces.size() > 1)
    throw Error(
        ErrorKind::usage,
        fmt::format("{} {}s are named `{}`", namespaces.size(), kind_of(question), question.name),
        fmt::format("say which by -n: {}", fmt::join(namespaces, ", ")));
  return namespaces.empty() ? std::string() : *namespaces.begin();
}

[[noreturn]] void refuse_missing(const OwnerQuestion& question, const Snapshot& snapshot) {
  const std::string kind = kind_of(question);
  if (snapshot.pod_coverage == Coverage::none) {
    const Gap* const gap = gap_of(snapshot.gaps, Missing::pods);
    throw Error(ErrorKind::forbidden,
                fmt::format("pods of the {} `{}` cannot be read{}", kind, question.name,
                            gap == nullptr ? "" : ": " + gap->why),
                "request the verbs get and list on pods in that namespace");
  }
  std::string help(kSeeAll);
  const std::set<std::string> known = known_names(question, snapshot);
  const std::vector<std::string_view> names(known.begin(), known.end());
  if (const std::set<std::string> elsewhere = namespaces_of(question, snapshot); !elsewhere.empty())
    help = fmt::format("a {} of that name is in {}", kind, fmt::join(elsewhere, ", "));
  else if (const auto nearest = nearest_name(question.name, names))
    help = fmt::format("a similar one is `{}`", *nearest);
  throw Error(
      ErrorKind::usage,
      fmt::format("nothing is known of a {} `{}`{}: no pod of it, no event, no object", kind,
                  question.name, question.ns.empty() ? "" : " in namespace " + question.ns),
      help);
}

/// Pods that nothing keeps waiting, by how far they are.
struct NotBlocked {
  std::size_t pods = 0;
  std::size_t running = 0;
  std::size_t finished = 0;

  void add(const Pod& pod) {
    ++pods;
    running += pod.phase == "Running" ? 1 : 0;
    finished += is_finished(pod) ? 1 : 0;
  }
};

/// "its 3 pods run", "1 of its 2 pods runs", "of its 5 pods 2 run and 1 starts".
std::string calm_text(const NotBlocked& calm, std::size_t all) {
  const std::size_t starting = calm.pods - calm.running - calm.finished;
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, std::string_view one, std::string_view several) {
    if (count == 0) return;
    const std::string_view verb = count == 1 ? one : several;
    const bool is_alone = count == calm.pods;
    if (is_alone && count == all)
      parts.push_back(all == 1 ? fmt::format("its only pod {}", verb)
                               : fmt::format("its {} pods {}", all, verb));
    else
      parts.push_back(is_alone ? fmt::format("{} of its {} pods {}", count, all, verb)
                               : fmt::format("{} {}", count, verb));
  };
  add(calm.running, "runs", "run");
  add(starting, "starts", "start");
  add(calm.finished, "has finished", "have finished");
  std::string text = parts.size() > 1 ? fmt::format("of its {} pods ", all) : "";
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

/// How many pods there would be, were those made that are missing. A Job's come one after the
/// other.
std::size_t wanted_of(const WorkloadObject* object, std::size_t all) {
  if (object == nullptr || is_own(*object, "Job") || object->wanted.value_or(0) < 0) return all;
  return std::max(all, static_cast<std::size_t>(object->wanted.value_or(0)));
}

Explanation calm_answer(const OwnerQuestion& question, const std::string& ns,
                        const NotBlocked& calm, std::size_t all) {
  Explanation answer{.ns = ns, .name = question.name, .kind = std::string(question.kind.kind)};
  answer.owner = owner_of(question.kind, question.name);
  answer.names = {question.name};
  answer.is_blocked = false;
  answer.code = Code::starting;
  answer.summary = calm_text(calm, all);
  return answer;
}

/// Adds `answer` to those that say the same of other pods.
void join(std::vector<Explanation>& answers, Explanation&& answer) {
  const auto alike = std::find_if(answers.begin(), answers.end(), [&](const Explanation& each) {
    return each.code == answer.code && each.summary == answer.summary;
  });
  if (alike == answers.end())
    answers.push_back(std::move(answer));
  else
    alike->names.push_back(answer.name);
}

}  // namespace

std::optional<Owner> owner_of_other_kind(std::string_view kind, std::string_view ns,
                                         std::string_view name, const Snapshot& snapshot) {
  for (const Pod& pod : snapshot.pods) {
    if (!ns.empty() && pod.ns != ns) continue;
    Owner top = top_owner(pod, snapshot);
    if (top.name == name && is_called(top, kind)) return top;
  }
  return std::nullopt;
}

bool is_owned_by_kind(std::string_view kind, const Snapshot& snapshot) {
  return std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                     [&](const Pod& pod) { return is_called(top_owner(pod, snapshot), kind); });
}

std::vector<Explanation> explain_other_owner(const scheduler::Cluster& cluster, const Owner& owner,
                                             const std::string& ns, const ExplainOptions& options) {
  std::vector<Explanation> answers;
  std::optional<Explanation> calm;
  for (const Pod& pod : cluster.snapshot().pods) {
    if (!ns.empty() && pod.ns != ns) continue;
    const Owner top = top_owner(pod, cluster.snapshot());
    if (top.kind != owner.kind || top.name != owner.name) continue;
    Explanation answer = explain(cluster, pod, options);
    if (answer.is_blocked)
      join(answers, std::move(answer));
    else
      calm = std::move(answer);
  }
  if (answers.empty() && calm) answers.push_back(*std::move(calm));
  return answers;
}

std::string nearest_kind(std::string_view word) {
  std::vector<std::string> words;
  for (const WorkloadKind& each : workload_kinds()) {
    words.push_back(lower_case(each.kind));
    words.emplace_back(each.plural);
  }
  const std::vector<std::string_view> choices(words.begin(), words.end());
  if (const auto near = nearest_name(lower_case(word), choices)) return std::string(*near);
  // What is cut short, or has lost letters in the middle: "deply".
  constexpr std::size_t kFew = 3;
  for (const std::string& each : words)
    if (word.size() >= kFew && is_subsequence(lower_case(word), each)) return each;
  return {};
}

std::vector<Explanation> explain_owner(const scheduler::Cluster& cluster,
                                       const OwnerQuestion& question,
                                       const ExplainOptions& options) {
  const Snapshot& snapshot = cluster.snapshot();
  const std::string ns = namespace_of(question, snapshot);
  Owner owner = owner_of(question.kind, question.name);
  const WorkloadObject* const object = object_named(snapshot.scheduling, ns, owner);
  if (object != nullptr) owner.uid = object->uid;
  std::vector<Explanation> answers;
  std::optional<Explanation> last_calm;
  NotBlocked calm;
  std::size_t all = 0;
  for (const Pod& pod : snapshot.pods) {
    if (!is_made_by(pod, ns, owner, snapshot)) continue;
    ++all;
    Explanation answer = explain(cluster, pod, options);
    if (answer.is_blocked) {
      join(answers, std::move(answer));
    } else {
      calm.add(pod);
      last_calm = std::move(answer);
    }
  }
  auto missing = missing_pods(cluster, ns, owner, options);
  if (!missing && all == 0) refuse_missing(question, snapshot);
  // One pod says more of itself than a count, and an object that is over more than its pods.
  if (last_calm && all == 1 && !missing)
    answers.push_back(*std::move(last_calm));
  else if (last_calm && (!missing || missing->is_blocked))
    answers.push_back(calm_answer(question, ns, calm, missing ? wanted_of(object, all) : all));
  if (missing) answers.insert(answers.begin(), *std::move(missing));
  std::stable_partition(answers.begin(), answers.end(),
                        [](const Explanation& answer) { return answer.is_blocked; });
  return answers;
}

std::vector<std::string> owners_named(std::string_view ns, std::string_view name,
                                      const Snapshot& snapshot) {
  std::set<std::string> found;
  visit_known_owners(
      snapshot, [&](std::string_view its_ns, std::string_view kind, const std::string& its_name) {
        const bool is_there = ns.empty() || its_ns == ns;
        if (its_name == name && is_there && kind != "Pod" && workload_kind_named(kind) != nullptr)
          found.insert(fmt::format("{} -n {}", shell_quoted(lower_case(kind) + "/" + its_name),
                                   shell_quoted(its_ns)));
      });
  return {found.begin(), found.end()};
}

}  // namespace gpu::diagnose
