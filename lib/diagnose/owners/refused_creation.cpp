#include "diagnose/owners/refused_creation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/contains.hpp"
#include "base/text.hpp"

namespace gpu::diagnose {
namespace {

/// What stands behind `Error creating: ` and `pods "x" is forbidden: `.
std::string_view told_by(std::string_view message) {
  constexpr std::string_view kError = "Error creating: ";
  constexpr std::string_view kForbidden = "is forbidden: ";
  if (message.starts_with(kError)) message.remove_prefix(kError.size());
  const std::size_t at = message.find(kForbidden);
  return at == std::string_view::npos ? message : message.substr(at + kForbidden.size());
}

/// What stands between `lead` and one of `ends`; empty where there is no `lead`.
std::string_view text_behind(std::string_view message, std::string_view lead,
                             std::string_view ends) {
  const std::size_t at = message.find(lead);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at + lead.size());
  return message.substr(0, message.find_first_of(ends));
}

/// "exceeded quota: gpus, requested: ..." as the quota's name and what follows it.
struct QuotaWords {
  std::string name;
  std::string rest;
};
QuotaWords quota_words(std::string_view message, std::string_view lead) {
  message.remove_prefix(message.find(lead) + lead.size());
  const std::size_t end = std::min(message.find_first_of(",:"), message.size());
  std::string_view rest = message.substr(end);
  rest.remove_prefix(std::min(rest.find_first_not_of(",: "), rest.size()));
  return {std::string(message.substr(0, end)), std::string(rest)};
}

/// The value of `resource` behind `lead` in "requested: a=1,b=2, used: a=3,b=4, limited: ...".
std::string_view value_behind(std::string_view words, std::string_view lead,
                              std::string_view resource) {
  const std::size_t list = words.find(lead);
  const std::size_t at = words.find(std::string(resource) + "=", list);
  if (list == std::string_view::npos || at == std::string_view::npos) return {};
  words.remove_prefix(at + resource.size() + 1);
  return words.substr(0, words.find_first_of(", "));
}

/// The first resource that the quota has too little of, in a sentence; the API server's words where
/// they are put in another way.
std::string exceeded_text(const QuotaWords& words) {
  constexpr std::string_view kRequested = "requested: ";
  std::string_view resource = words.rest;
  if (resource.starts_with(kRequested)) resource.remove_prefix(kRequested.size());
  resource = resource.substr(0, resource.find('='));
  const std::string_view asked = value_behind(words.rest, kRequested, resource);
  const std::string_view used = value_behind(words.rest, "used: ", resource);
  const std::string_view hard = value_behind(words.rest, "limited: ", resource);
  std::string text = "the quota " + words.name + " is used up: ";
  if (asked.empty() || used.empty() || hard.empty()) return text + words.rest;
  return text.append(used)
      .append(" of ")
      .append(hard)
      .append(" ")
      .append(resource)
      .append(" are taken, and the pod requests ")
      .append(asked);
}

struct Refused {
  Code code{};
  std::string summary;
};

Refused refusal_of(std::string_view message) {
  constexpr std::string_view kExceeded = "exceeded quota: ";
  constexpr std::string_view kFailed = "failed quota: ";
  if (contains(message, kExceeded))
    return {Code::quota_exceeded, exceeded_text(quota_words(message, kExceeded))};
  if (contains(message, kFailed)) {
    const QuotaWords words = quota_words(message, kFailed);
    return {Code::quota_needs_requests,
            "the quota " + words.name + " lets in no pods without requests: " + words.rest};
  }
  const std::string told(told_by(message));
  const bool is_bound =
      contains(message, "usage per Container") || contains(message, "usage per Pod") ||
      contains(message, "No limit is specified") || contains(message, "limit to request ratio");
  if (is_bound) return {Code::limit_range, "a LimitRange of the namespace refuses it: " + told};
  return {Code::admission_rejected, "the API server refuses its pods: " + told};
}

/// A webhook that does not answer: the pod is as good as it was.
Advice webhook_advice(std::string_view message) {
  const std::string_view host = text_behind(message, "https://", ":/?\"");
  const std::string_view service = host.substr(0, host.find('.'));
  constexpr std::string_view kRest = " the pods are made once it does";
  if (service.size() == host.size() || !contains(host, ".svc"))
    return {.summary = "see why that webhook does not answer:" + std::string(kRest),
            .command = "kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations"};
  const std::string_view ns = host.substr(service.size() + 1);
  return {.summary = "see why the webhook behind the Service " + std::string(service) +
                     " does not answer:" + std::string(kRest),
          .command = "kubectl get endpointslices -n " + shell_quoted(ns.substr(0, ns.find('.'))) +
                     " -l kubernetes.io/service-name=" + shell_quoted(service)};
}

/// What lacks is not the template's fault alone, or not at all.
std::optional<Advice> missing_object_advice(std::string_view place, std::string_view message) {
  if (contains(message, "RuntimeClass"))
    return Advice{
        .summary = "install that RuntimeClass, or correct runtimeClassName in the pod template",
        .command = "kubectl get runtimeclasses"};
  if (contains(message, "no PriorityClass with name"))
    return Advice{
        .summary = "make that PriorityClass, or correct priorityClassName in the pod template",
        .command = "kubectl get priorityclasses"};
  if (contains(message, "error looking up service account"))
    return Advice{
        .summary = fmt::format("create the ServiceAccount {}, or correct serviceAccountName in the "
                               "pod template",
                               text_behind(message, "serviceaccount \"", "\"")),
        .command = fmt::format("kubectl get serviceaccounts{}", place)};
  return std::nullopt;
}

/// The API server's own trouble: its client tries again.
bool is_passing(std::string_view message) {
  return contains(message, "Internal error occurred") || contains(message, "etcdserver: ") ||
         contains(message, "context deadline exceeded") ||
         contains(message, "the server is currently unable") ||
         contains(message, "the server was unable") || contains(message, "connection refused");
}

Advice advice_for(Code code, std::string_view ns, std::string_view message) {
  const std::string place = " -n " + shell_quoted(ns);
  if (code == Code::quota_exceeded)
    return {.summary =
                "delete something in the namespace that counts against the quota, request less, or "
                "have the quota raised",
            .command = "kubectl describe resourcequota" + place};
  if (code == Code::quota_needs_requests)
    return {.summary =
                "give every container the requests and limits that the quota names, or have "
                "a LimitRange set defaults for them",
            .command = "kubectl describe resourcequota" + place};
  if (code == Code::limit_range)
    return {.summary = "request what the namespace's LimitRange allows",
            .command = "kubectl describe limitrange" + place};
  if (auto missing = missing_object_advice(place, message)) return *std::move(missing);
  if (contains(message, "failed calling webhook")) return webhook_advice(message);
  if (contains(message, "because it is being terminated"))
    return {.summary =
                "create the workload in another namespace: this one is being deleted, and "
                "takes nothing new",
            .command = "kubectl describe namespace " + shell_quoted(ns)};
  if (is_passing(message))
    return {.summary =
                "wait: this is the API server's trouble, not the pod's, and what creates the pods "
                "tries again by itself",
            .command = "kubectl get --raw '/readyz?verbose'"};
  return {.summary = "change the pod template as the message says", .command = {}};
}

/// Whether an object is called as what the owner makes: "web-5d4f" of Deployment web, which is no
/// part of Deployment web-api.
bool is_child(const Event& event, const Owner& owner) {
  static constexpr std::array<std::string_view, 3> kKinds = {"ReplicaSet", "Job", "StatefulSet"};
  if (event.kind == owner.kind || !event.object.starts_with(owner.name + "-")) return false;
  if (std::find(kKinds.begin(), kKinds.end(), event.kind) == kKinds.end()) return false;
  const bool has_one_suffix = owner.kind == "Deployment" || owner.kind == "CronJob";
  return !has_one_suffix || event.object.find('-', owner.name.size() + 1) == std::string::npos;
}

}  // namespace

const Event* failed_create(const scheduler::Cluster& cluster, std::string_view ns,
                           const Owner& owner) {
  const Event* newest = nullptr;
  for (const Event& event : cluster.snapshot().scheduling.events) {
    if (event.reason != "FailedCreate" || event.ns != ns) continue;
    const bool is_own = event.kind == owner.kind && event.object == owner.name;
    if (!is_own && !is_child(event, owner)) continue;
    if (newest == nullptr || event.last.value_or(Time::min()) >= newest->last.value_or(Time::min()))
      newest = &event;
  }
  return newest;
}

void explain_refusal(Explanation& answer, std::string_view message) {
  Refused refused = refusal_of(message);
  answer.code = refused.code;
  answer.summary = std::move(refused.summary);
  answer.advice.push_back(advice_for(refused.code, answer.ns, message));
  answer.nearest = "no pod was created";
}

}  // namespace gpu::diagnose
