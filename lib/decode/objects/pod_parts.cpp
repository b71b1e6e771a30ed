#include "decode/objects/pod_parts.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "decode/objects/card_shares.hpp"
#include "model/objects/start_failure.hpp"

namespace gpu::decode {
namespace {

void set_claims(Pod& pod, ClaimReferences&& claims) {
  for (auto& reference : claims.references) {
    ClaimReference& slot = pod.claim_slots.emplace_back();
    slot.name = std::move(reference.name);
    slot.claim_template = std::move(reference.claim_template);
    slot.claim = std::move(reference.claim);
    if (slot.claim.empty()) {
      const auto made = std::find_if(claims.made.begin(), claims.made.end(),
                                     [&](const auto& it) { return it.name == slot.name; });
      slot.needs_none = made != claims.made.end() && made->claim.empty();
      if (made != claims.made.end()) slot.claim = made->claim;
    }
    if (slot.needs_none) continue;
    if (!slot.claim.empty()) pod.claims.push_back(slot.claim);
    ++pod.claim_references;
  }
}

/// The controller of ephemeral volumes calls their claims so.
void name_ephemeral_claims(Pod& pod) {
  for (PodVolume& volume : pod.volumes)
    if (volume.is_ephemeral) volume.claim = pod.name + "-" + volume.name;
}

/// Since 1.33 the state of a resize is a condition; before, it was status.resize.
void set_resize_from_conditions(Pod& pod) {
  for (const Condition& condition : pod.conditions) {
    if (condition.type != "PodResizePending") continue;
    pod.resize = condition.reason;
    return;
  }
}

/// Milliseconds above 0, and no more than a day.
std::optional<std::chrono::milliseconds> milliseconds_in(std::string_view text) {
  constexpr std::int64_t kMost = 24 * 60 * 60 * 1000;
  const std::optional<std::int64_t> number = whole_number(text);
  if (!number || *number <= 0 || *number > kMost) return std::nullopt;
  return std::chrono::milliseconds(*number);
}

/// The variable of "$(INTERVAL)", which the kubelet puts in; empty for another text.
std::string_view variable_in(std::string_view word) {
  if (!word.starts_with("$(") || !word.ends_with(')')) return {};
  return word.substr(2, word.size() - 3);
}

}  // namespace

bool may_be_exporter(const Container& container) {
  return container.image.find("exporter") != std::string::npos;
}

bool shows_all_gpus(std::string_view name, std::string_view value) {
  return name == "NVIDIA_VISIBLE_DEVICES" && value == "all";
}

void CollectInterval::set_word(std::string_view value) {
  word_variable_ = variable_in(value);
  word_ = milliseconds_in(value);
}

void CollectInterval::add_word(std::string_view word) {
  constexpr std::string_view kLong = "--collect-interval";
  if (std::exchange(is_value_next_, false)) return set_word(word);
  is_value_next_ = word == "-c" || word == kLong;
  for (const std::string_view name : {std::string_view("-c"), kLong})
    if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
      set_word(word.substr(name.size() + 1));
}

void CollectInterval::add_variable(std::string_view name, std::string_view value) {
  const auto interval = milliseconds_in(value);
  if (name == "DCGM_EXPORTER_INTERVAL") variable_ = interval;
  if (interval) variables_.insert_or_assign(std::string(name), *interval);
}

std::optional<std::chrono::milliseconds> CollectInterval::value() const {
  if (word_) return word_;
  if (const auto named = variables_.find(word_variable_); named != variables_.end())
    return named->second;
  return variable_;
}

void add_restart_rule(Container& container, std::string_view action) {
  container.restarts_all = container.restarts_all || action == "RestartAllContainers";
}

std::optional<ResourceList> unless_empty(ResourceList&& list) {
  if (list.empty()) return std::nullopt;
  return std::move(list);
}

void set_metadata(Pod& pod, Metadata&& metadata) {
  pod.ns = std::move(metadata.ns);
  pod.name = std::move(metadata.name);
  pod.uid = std::move(metadata.uid);
  pod.labels = std::move(metadata.labels);
  pod.annotations = std::move(metadata.annotations);
  pod.card_shares = card_shares_from(pod.annotations);
  pod.owners = std::move(metadata.owners);
  pod.created = metadata.created;
  pod.deleted = metadata.deleted;
}

void set_states(ContainerResourceStatus& status, ContainerState&& now, ContainerState&& last) {
  status.waiting = std::move(now.waiting);
  status.waiting_message = std::move(now.waiting_message);
  ContainerState& over = now.waits && now.terminated.empty() ? last : now;
  status.terminated = std::move(over.terminated);
  if (is_start_failure(status.terminated))
    status.terminated_message = std::move(over.terminated_message);
  status.running_since = now.running_since;
  status.started_at = now.started_at;
  status.terminated_at = now.terminated_at;
  status.last_started_at = last.started_at;
}

void complete(Pod& pod, ClaimReferences&& claims) {
  set_claims(pod, std::move(claims));
  name_ephemeral_claims(pod);
  set_resize_from_conditions(pod);
}

}  // namespace gpu::decode
