#include "schedule/refused_creation.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gpu::schedule {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Refused {
  Code code{};
  std::string_view lead;
};

Refused refusal_of(std::string_view message) {
  if (contains(message, "exceeded quota"))
    return {Code::quota_exceeded, "the namespace's quota is used up: "};
  if (contains(message, "failed quota"))
    return {Code::quota_needs_requests, "the namespace's quota asks for requests that it lacks: "};
  const bool is_bound =
      contains(message, "usage per Container") || contains(message, "usage per Pod") ||
      contains(message, "No limit is specified") || contains(message, "limit to request ratio");
  if (is_bound) return {Code::limit_range, "a LimitRange of the namespace refuses it: "};
  return {Code::admission_rejected, "the API server refuses its pods: "};
}

/// What stands behind `Error creating: pods "x" is forbidden: `.
std::string told_by(std::string_view message) {
  constexpr std::string_view kForbidden = "is forbidden: ";
  const std::size_t at = message.find(kForbidden);
  return std::string(at == std::string_view::npos ? message
                                                  : message.substr(at + kForbidden.size()));
}

std::string advice_for(Code code) {
  if (code == Code::quota_exceeded)
    return "end something in the namespace that counts against the quota, ask for less, or have "
           "the quota raised";
  if (code == Code::quota_needs_requests)
    return "give every container the requests and limits that the quota names, or have a "
           "LimitRange "
           "set defaults for them";
  if (code == Code::limit_range)
    return "ask for what the namespace's LimitRange allows: kubectl describe limitrange";
  return "change the pod template as the message says";
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

const Event* failed_create(const Cluster& cluster, std::string_view ns, const Owner& owner) {
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
  const Refused refused = refusal_of(message);
  answer.code = refused.code;
  answer.summary = std::string(refused.lead) + told_by(message);
  answer.advice.push_back({.summary = advice_for(refused.code), .command = {}});
  answer.nearest = "no pod was made";
}

}  // namespace gpu::schedule
