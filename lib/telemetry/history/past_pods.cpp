#include "telemetry/history/past_pods.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/ascii.hpp"
#include "telemetry/history/told_labels.hpp"
#include "telemetry/prometheus/series.hpp"

namespace gpu::telemetry {
namespace {

constexpr std::size_t kMostPods = 200'000;
/// So far clocks of a cluster may be ahead of ours.
constexpr std::chrono::minutes kMostSkew{5};

void keep_latest(std::optional<Time>& latest, const std::optional<Time>& time) {
  if (time) latest = std::max(latest, time);
}

/// Whether it is a uid that may be written into a question.
bool is_plain(std::string_view uid) {
  constexpr std::size_t kLongest = 64;
  return !uid.empty() && uid.size() <= kLongest && std::all_of(uid.begin(), uid.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-';
  });
}

OwnerReference controller(std::string_view kind, std::string_view name) {
  return {.kind = std::string(kind),
          .name = std::string(name),
          .uid = {},
          .api_version = {},
          .controller = true};
}

/// As the scheduler adds up: init containers run one after the other, before the others.
ResourceList summed(const std::map<std::string, std::pair<std::int64_t, std::int64_t>>& amounts) {
  ResourceList list;
  for (const auto& [resource, units] : amounts)
    list.set(resource, Quantity::of(std::max(units.first, units.second)));
  return list;
}

}  // namespace

PastPods::PastPods(const Snapshot& snapshot, const WrittenNames& names, Time now)
    : names_(names), latest_(now + kMostSkew) {
  for (const Pod& pod : snapshot.pods) {
    listed_.insert(pod.uid);
    listed_.insert(pod.ns + "/" + pod.name);
  }
  listed_.erase("");
  for (const Node& node : snapshot.nodes) nodes_.insert(node.name);
}

PastPods::Gathered* PastPods::place_of(const Series& one) {
  const std::string_view ns = told(one, "namespace");
  const std::string_view name = told(one, "pod");
  if (ns.empty() || name.empty()) return nullptr;
  const std::string_view uid = value_of(one.labels, "uid");
  std::string key(cluster_of(one));
  key += '\n';
  uid.empty() ? key.append(ns).append("/").append(name) : key.append(uid);
  const auto found = pods_.find(key);
  if (found != pods_.end()) return &found->second;
  is_full_ = is_full_ || pods_.size() >= kMostPods;
  if (is_full_) return nullptr;
  Gathered gathered{.cluster = std::string(cluster_of(one))};
  gathered.pod.ns = ns;
  gathered.pod.name = name;
  gathered.pod.uid = uid;
  return &pods_.emplace(std::move(key), std::move(gathered)).first->second;
}

void PastPods::add(PodFact fact, const Series& one, Time end) {
  Gathered* const gathered = place_of(one);
  if (gathered == nullptr) return;
  if (const std::string_view node = told_node(one); !node.empty()) gathered->pod.node = node;
  switch (fact) {
    case PodFact::requests:
    case PodFact::init_requests:
      gathered->last_day = std::max(gathered->last_day, end);
      return add_amount(*gathered, one, fact == PodFact::init_requests);
    case PodFact::scheduled:
      return keep_latest(gathered->pod.scheduled, time_of(one));
    case PodFact::completed:
      return keep_latest(gathered->completed, time_of(one));
    case PodFact::info:
      return add_maker(*gathered, one);
    case PodFact::owner:
      return add_owner(*gathered, one);
  }
}

void PastPods::add_seen(const Series& one) {
  if (Gathered* const gathered = place_of(one)) keep_latest(gathered->seen, time_of(one));
}

void PastPods::add_slot(const Series& one) {
  if (Gathered* const gathered = place_of(one)) keep_latest(gathered->slot, told_time(one));
}

/// Nothing for what has not come yet.
std::optional<Time> PastPods::time_of(const Series& one) {
  const std::optional<Time> time = told_time(one);
  if (time && *time <= latest_) return time;
  ++unusable_;
  return std::nullopt;
}

PastPods::Endless PastPods::endless(Time end) const {
  Endless endless;
  for (const auto& [key, gathered] : pods_) {
    if (gathered.completed || gathered.amounts.empty() || gathered.last_day != end ||
        is_listed(gathered.pod))
      continue;
    if (!is_plain(gathered.pod.uid)) {
      endless.has_nameless = true;
      continue;
    }
    endless.uids.push_back(gathered.pod.uid);
    endless.slots[gathered.slot.value_or(end)].push_back(gathered.pod.uid);
  }
  return endless;
}

bool PastPods::lacks_places() const {
  if (!has_owners_) return !pods_.empty();
  return std::any_of(pods_.begin(), pods_.end(), [](const auto& each) {
    return each.second.pod.node.empty() && each.second.pod.scheduled;
  });
}

void PastPods::add_amount(Gathered& gathered, const Series& one, bool is_init) {
  const std::string resource = names_.resource(value_of(one.labels, "resource"));
  constexpr double kMost = 1e9;
  if (resource.empty()) return;
  const bool is_usable = one.value >= 0 && one.value <= kMost;
  if (!is_usable) ++unusable_;
  const std::int64_t units = is_usable ? std::llround(one.value) : 0;
  if (units == 0) return;
  const std::string_view container = told(one, "container");
  for (Amount& amount : gathered.amounts) {
    if (amount.container != container || amount.resource != resource || amount.is_init != is_init)
      continue;
    amount.units = std::max(amount.units, units);
    return;
  }
  gathered.amounts.push_back({std::string(container), resource, units, is_init});
}

void PastPods::add_owner(Gathered& gathered, const Series& one) {
  has_owners_ = true;
  const std::string_view kind = told_or_none(one, "owner_kind");
  const std::string_view name = told_or_none(one, "owner_name");
  const bool is_controller = value_of(one.labels, "owner_is_controller") != "false";
  if (kind.empty() || name.empty() || !is_controller) return;
  gathered.has_controller = true;
  gathered.pod.owners = {controller(kind, name)};
}

void PastPods::add_maker(Gathered& gathered, const Series& one) {
  const std::string_view kind = told_or_none(one, "created_by_kind");
  const std::string_view name = told_or_none(one, "created_by_name");
  if (kind.empty() || name.empty() || gathered.has_controller) return;
  gathered.pod.owners = {controller(kind, name)};
}

std::set<std::string> PastPods::clusters() const {
  std::set<std::string> all;
  for (const auto& [key, gathered] : pods_)
    if (!gathered.amounts.empty()) all.insert(gathered.cluster);
  return all;
}

std::optional<std::string> PastPods::own_cluster() const {
  const std::set<std::string> all = clusters();
  if (all.size() == 1) return *all.begin();
  std::set<std::string> by_pod, by_node;
  for (const auto& [key, gathered] : pods_) {
    if (!gathered.pod.uid.empty() && listed_.contains(gathered.pod.uid))
      by_pod.insert(gathered.cluster);
    if (nodes_.contains(gathered.pod.node)) by_node.insert(gathered.cluster);
  }
  const std::set<std::string>& own = by_pod.empty() ? by_node : by_pod;
  return own.size() == 1 ? std::optional(*own.begin()) : std::nullopt;
}

bool PastPods::is_listed(const PastPod& pod) const {
  return listed_.contains(pod.uid.empty() ? pod.ns + "/" + pod.name : pod.uid);
}

PastEnd PastPods::end_of(const Gathered& gathered) const {
  if (gathered.completed) return PastEnd::completed;
  const bool is_in_silence =
      gathered.seen && std::any_of(silences_.begin(), silences_.end(), [&](const auto& silence) {
        return *gathered.seen >= silence.first - kStands - 2 * kSilenceStep &&
               *gathered.seen <= silence.second;
      });
  return is_in_silence ? PastEnd::unseen : PastEnd::last_seen;
}

/// Whether it held GPUs after `from`.
bool PastPods::conclude(Gathered& gathered, Time from) const {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> amounts;
  for (const Amount& amount : gathered.amounts) {
    auto& [all, largest_init] = amounts[amount.resource];
    if (amount.is_init)
      largest_init = std::max(largest_init, amount.units);
    else
      all = capped_sum(all, amount.units);
  }
  PastPod& pod = gathered.pod;
  pod.requests = summed(amounts);
  if (pod.node.empty() && !pod.scheduled) return false;  // never bound
  pod.ended = gathered.completed ? gathered.completed : gathered.seen;
  pod.end = end_of(gathered);
  // One controls static pods: they are their own owners.
  if (!pod.owners.empty() && pod.owners.front().kind == "Node") pod.owners.clear();
  return !pod.requests.empty() && (!pod.ended || *pod.ended > from);
}

std::vector<PastPod> PastPods::finish(const std::string& cluster, Time from) {
  std::vector<PastPod> pods;
  pods.reserve(pods_.size());
  for (auto& [key, gathered] : pods_)
    if (gathered.cluster == cluster && !is_listed(gathered.pod) && conclude(gathered, from))
      pods.push_back(std::move(gathered.pod));
  pods_.clear();
  std::sort(pods.begin(), pods.end(), [](const PastPod& a, const PastPod& b) {
    return std::tie(a.ns, a.name, a.uid) < std::tie(b.ns, b.name, b.uid);
  });
  return pods;
}

}  // namespace gpu::telemetry
