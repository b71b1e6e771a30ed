#include "scheduler/devices/allocator.hpp"

#include <algorithm>
#include <utility>

#include "base/quantity.hpp"
#include "scheduler/cluster/rules.hpp"
#include "scheduler/devices/attribute.hpp"
#include "scheduler/devices/capacity.hpp"
#include "scheduler/devices/taint.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::size_t kMostResults = 32;  // AllocationResultsMaxSize
// kube-scheduler stops after ten seconds; a pod's other nodes are then not worth as much.
constexpr std::int64_t kMostSteps = 200'000;
constexpr std::int64_t kFewSteps = 2'000;
// Of a whole run, in constraints looked at: about a second.
constexpr std::int64_t kMostEffort = 40'000'000;
constexpr std::int64_t kEffortOfStep = 10;        // what a step takes beside constraints
constexpr std::int64_t kMostOrdered = 1'000'000;  // it tries about so many a second

std::string name_of(const ResourceClaim& claim) { return claim.ns + "/" + claim.name; }

}  // namespace

DeviceAllocator::DeviceAllocator(const Cluster& cluster, const DeviceSupply& supply,
                                 std::size_t node, const std::vector<const ResourceClaim*>& claims)
    : supply_(supply),
      cluster_(cluster),
      node_(*cluster.nodes()[node].node),
      pools_(supply_.pools_of(node)),
      has_new_features_(has_new_device_features(cluster.rules())),
      most_steps_(kMostSteps),
      effort_of_step_(kEffortOfStep) {
  claims_.reserve(claims.size());
  const auto& known = cluster.shared<DeviceSupply>();
  for (const ResourceClaim* claim : claims) {
    claims_.push_back({.claim = claim});
    if (known.is_hard(*claim)) most_steps_ = kFewSteps;
    effort_of_step_ += static_cast<std::int64_t>(claim->constraints.size());
    plain_steps_ += static_cast<std::int64_t>(claim->requests.size());
  }
  std::int64_t devices = 1;
  for (const NodePool& pool : pools_)
    for (const ResourceSlice* each : pool.slices)
      devices += static_cast<std::int64_t>(each->devices.size());
  plain_steps_ = capped_product(plain_steps_, devices);
}

DeviceAllocator::Step DeviceAllocator::stop(Allocation::Kind kind, std::string text) {
  failure_ = {kind, std::move(text)};
  return Step::stopped;
}

Allocation DeviceAllocator::allocate() {
  for (Claim& claim : claims_)
    if (!prepare(*claim.claim)) return failure_;
  const Step step = next({});
  if (step == Step::stopped) return failure_;
  if (step == Step::done) return {Allocation::Kind::found, {}};
  const bool has_bad_pool = std::any_of(pools_.begin(), pools_.end(),
                                        [](const NodePool& pool) { return pool.is_invalid; });
  return {has_bad_pool ? Allocation::Kind::bad_pools : Allocation::Kind::none,
          may_time_out() ? "whether kube-scheduler tries all ways to choose devices in time" : ""};
}

/// Until 1.36 it tries devices of a request in every order: k of them take k! times as long.
bool DeviceAllocator::may_time_out() const {
  if (cluster_.rules().resumes_device_search) return false;
  std::size_t devices = 0;
  for (const NodePool& pool : pools_)
    for (const ResourceSlice* each : pool.slices) devices += each->devices.size();
  auto left = static_cast<double>(kMostOrdered) / static_cast<double>(steps_ + 1);
  for (const Claim& claim : claims_)
    for (const std::vector<Wanted>& alternatives : claim.requests) {
      const std::size_t most = std::min(alternatives.front().count, devices);
      for (std::size_t i = 2; i <= most && left > 1; ++i) left /= static_cast<double>(i);
    }
  return left <= 1;
}

bool DeviceAllocator::prepare(const ResourceClaim& of_claim) {
  Claim& claim = *std::find_if(claims_.begin(), claims_.end(), [&](const Claim& each) {
    return each.claim == &of_claim && each.requests.empty();
  });
  std::size_t least_of_claim = 0;
  for (const DeviceRequest& request : of_claim.requests) {
    std::vector<Wanted> alternatives;
    for (const DeviceRequest& each : request.alternatives)
      if (!prepare(claim, {&each, {request.name, each.name}}, alternatives)) return false;
    if (request.alternatives.empty() &&
        !prepare(claim, {&request, {request.name, {}}}, alternatives))
      return false;
    const auto least =
        std::min_element(alternatives.begin(), alternatives.end(),
                         [](const Wanted& a, const Wanted& b) { return a.count < b.count; });
    least_of_claim += least->count;
    claim.requests.push_back(std::move(alternatives));
  }
  for (const DeviceConstraint& constraint : of_claim.constraints)
    claim.constraints.emplace_back(constraint);
  if (least_of_claim <= kMostResults) return true;
  stop(Allocation::Kind::error, "claim " + name_of(of_claim) + ": number of requested devices " +
                                    std::to_string(least_of_claim) +
                                    " exceeds the claim limit of " + std::to_string(kMostResults));
  return false;
}

bool DeviceAllocator::prepare(Claim& claim, Wanted wanted, std::vector<Wanted>& into) {
  if (wanted.request->wants_all) {
    if (!find_all(*claim.claim, wanted)) return false;
    wanted.count = wanted.all.size();
  } else {
    wanted.count = static_cast<std::size_t>(std::max<std::int64_t>(wanted.request->count, 0));
  }
  into.push_back(std::move(wanted));
  return true;
}

bool DeviceAllocator::find_all(const ResourceClaim& claim, Wanted& wanted) {
  for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
    const NodePool& from = pools_[pool];
    if (from.is_incomplete || from.is_invalid) {
      stop(Allocation::Kind::error,
           "claim " + name_of(claim) + ", request " + wanted.request->name +
               ": asks for all devices, but resource pool " + std::string(from.driver) + "/" +
               std::string(from.name) + " is currently " +
               (from.is_incomplete ? "being updated" : "invalid"));
      return false;
    }
    for (std::size_t slice = 0; slice < from.slices.size(); ++slice)
      for (std::size_t index = 0; index < from.slices[slice]->devices.size(); ++index) {
        const DevicePlace place{pool, slice, index};
        const std::optional<bool> is_selected = selects(claim, *wanted.request, place);
        if (!is_selected) return false;
        if (!*is_selected) continue;
        const Step fits = capacity(*wanted.request, place);
        if (fits == Step::stopped) return false;
        if (fits == Step::done) wanted.all.push_back(place);
      }
  }
  return true;
}

const DeviceAllocator::Wanted& DeviceAllocator::wanted(const Position& at) const {
  return claims_[at.claim].requests[at.request][at.alternative];
}

const ResourceSlice& DeviceAllocator::slice(const DevicePlace& place) const {
  return *pools_[place.pool].slices[place.slice];
}

const Device& DeviceAllocator::device(const DevicePlace& place) const {
  return slice(place).devices[place.device];
}

DeviceId DeviceAllocator::id(const DevicePlace& place) const {
  return {slice(place).driver, slice(place).pool, device(place).name};
}

bool DeviceAllocator::is_shared(const DevicePlace& place) const {
  return has_new_features_ && device(place).allow_multiple;
}

/// Whether another step may be taken. As many as there are devices for each request are free.
bool DeviceAllocator::may_step() {
  ++steps_;
  std::int64_t& effort = cluster_.shared<DeviceSupply>().search_effort();
  if (steps_ > plain_steps_) effort += effort_of_step_;
  return steps_ <= most_steps_ && (steps_ <= plain_steps_ || effort <= kMostEffort);
}

DeviceAllocator::Step DeviceAllocator::give_up() {
  const auto& supply = cluster_.shared<DeviceSupply>();
  for (const Claim& each : claims_) supply.found_hard(*each.claim);
  return stop(Allocation::Kind::not_checked, supply.given_up(node_.name));
}

DeviceAllocator::Step DeviceAllocator::next(const Position& at) {
  if (at.claim >= claims_.size()) return Step::done;
  if (at.request < claims_[at.claim].requests.size()) return any_alternative(at);
  const Step step = next({.claim = at.claim + 1});
  // Another choice in this claim may leave room for the next one.
  return step == Step::too_many ? Step::failed : step;
}

DeviceAllocator::Step DeviceAllocator::any_alternative(Position at) {
  const std::size_t count = claims_[at.claim].requests[at.request].size();
  const bool has_choice = !wanted(at).name.alternative.empty();
  if (!has_choice) return devices(at, {});
  bool are_all_too_many = true;
  for (; at.alternative < count; ++at.alternative) {
    if (!may_step()) return give_up();
    const Step step = devices(at, {});
    if (step == Step::too_many) continue;
    are_all_too_many = false;
    if (step != Step::failed) return step;
  }
  return are_all_too_many ? Step::too_many : Step::failed;
}

DeviceAllocator::Step DeviceAllocator::devices(const Position& at, const DevicePlace& start) {
  const Wanted& want = wanted(at);
  if (want.request->wants_all && want.all.empty()) return Step::failed;
  if (at.device >= want.count) return next({.claim = at.claim, .request = at.request + 1});
  if (claims_[at.claim].devices + want.count - at.device > kMostResults) return Step::too_many;
  return want.request->wants_all ? all_devices(at) : one_of(at, start);
}

DeviceAllocator::Step DeviceAllocator::all_devices(const Position& at) {
  const DevicePlace place = wanted(at).all[at.device];
  return with_device(at, place, {});
}

DeviceAllocator::Step DeviceAllocator::one_of(const Position& at, const DevicePlace& start) {
  for (std::size_t pool = start.pool; pool < pools_.size(); ++pool) {
    if (pools_[pool].is_invalid && cluster_.rules().stops_at_invalid_pools)
      return stop(Allocation::Kind::error, "pool " + std::string(pools_[pool].name) +
                                               " is invalid: duplicate device name " +
                                               std::string(pools_[pool].duplicate));
    if (!pools_[pool].can_be_used) continue;
    const bool is_first_pool = pool == start.pool;
    const auto& slices = pools_[pool].slices;
    for (std::size_t index = is_first_pool ? start.slice : 0; index < slices.size(); ++index) {
      const bool is_first = is_first_pool && index == start.slice;
      for (std::size_t i = is_first ? start.device : 0; i < slices[index]->devices.size(); ++i)
        if (const Step step = try_device(at, {pool, index, i}); step != Step::failed) return step;
    }
  }
  return Step::failed;
}

DeviceAllocator::Step DeviceAllocator::try_device(const Position& at, const DevicePlace& place) {
  if (!may_step()) return give_up();
  // Devices in use are not held against selectors: those may fail on them.
  if (is_blocked(at, place)) return Step::failed;
  const DeviceRequest& request = *wanted(at).request;
  const std::optional<bool> is_selected = selects(*claims_[at.claim].claim, request, place);
  if (!is_selected) return Step::stopped;
  if (!*is_selected) return Step::failed;
  if (const Step fits = capacity(request, place); fits != Step::done) return fits;
  return with_device(at, place, {place.pool, place.slice, place.device + 1});
}

DeviceAllocator::Step DeviceAllocator::with_device(const Position& at, const DevicePlace& place,
                                                   const DevicePlace& start) {
  if (const Step chosen = choose(at, place); chosen != Step::done) return chosen;
  Position after = at;
  ++after.device;
  const Step step = devices(after, start);
  if (step != Step::done) drop(at, place);
  return step;
}

bool DeviceAllocator::is_blocked(const Position& at, const DevicePlace& place) const {
  const DeviceId device_id = id(place);
  const auto chosen = chosen_.find(device_id);
  const bool is_chosen = chosen != chosen_.end() && !chosen->second.empty();
  if (wanted(at).request->admin_access) return is_chosen && chosen->second.contains(at.claim);
  return is_chosen || supply_.is_taken(device_id);
}

DeviceAllocator::Step DeviceAllocator::choose(const Position& at, const DevicePlace& place) {
  const Wanted& want = wanted(at);
  const Device& candidate = device(place);
  if (!(is_shared(place) && want.request->admin_access) && is_blocked(at, place))
    return Step::failed;
  if (!has_new_features_ && !candidate.consumes.empty()) return Step::failed;
  if (!take_counters(place)) return Step::failed;
  if (has_new_features_ && taint_blocks(candidate, *want.request)) return Step::failed;
  Claim& claim = claims_[at.claim];
  for (std::size_t i = 0; i < claim.constraints.size(); ++i) {
    if (claim.constraints[i].add(want.name, slice(place).driver, candidate)) continue;
    if (want.request->wants_all)
      return stop(Allocation::Kind::error,
                  "claim " + name_of(*claim.claim) + ", request " + want.request->name +
                      ": cannot add device " + slice(place).driver + "/" + slice(place).pool + "/" +
                      candidate.name + " because a claim constraint would not be satisfied");
    while (i-- > 0) claim.constraints[i].remove(want.name);
    return Step::failed;
  }
  if (is_shared(place))
    add_to(chosen_shares_[id(place)], consumed_by(*want.request, candidate));
  else
    chosen_[id(place)].insert(at.claim);
  ++claim.devices;
  return Step::done;
}

void DeviceAllocator::drop(const Position& at, const DevicePlace& place) {
  Claim& claim = claims_[at.claim];
  const Wanted& want = wanted(at);
  for (ConstraintState& constraint : claim.constraints) constraint.remove(want.name);
  --claim.devices;
  if (is_shared(place)) {
    for (const auto& [name, amount] : consumed_by(*want.request, device(place)))
      chosen_shares_[id(place)][name] -= amount;
    return;  // its counters stay taken, as in the scheduler
  }
  chosen_[id(place)].erase(chosen_[id(place)].find(at.claim));
  if (const auto counters = counters_.find(place.pool); counters != counters_.end())
    counters->second.give_back(device(place));
}

bool DeviceAllocator::take_counters(const DevicePlace& place) {
  const Device& candidate = device(place);
  if (candidate.consumes.empty()) return true;
  const DeviceId device_id = id(place);
  // Another share of a device takes no counters again.
  if (is_shared(place) &&
      (supply_.shares_of(device_id) != nullptr || chosen_shares_.contains(device_id)))
    return true;
  const NodePool& pool = pools_[place.pool];
  if (pool.counters == nullptr) return false;
  DraCounters& left = counters_.try_emplace(place.pool, *pool.counters).first->second;
  if (!left.suffice_for(candidate)) return false;
  left.take(candidate);
  return true;
}

DeviceAllocator::Step DeviceAllocator::capacity(const DeviceRequest& request,
                                                const DevicePlace& place) {
  if (!has_new_features_) return Step::done;
  const DeviceId device_id = id(place);
  ResourceList taken;
  if (const ResourceList* shares = supply_.shares_of(device_id)) add_to(taken, *shares);
  if (const auto chosen = chosen_shares_.find(device_id); chosen != chosen_shares_.end())
    add_to(taken, chosen->second);
  switch (capacity_fit(request, device(place), taken)) {
    case CapacityFit::fits:
      return Step::done;
    case CapacityFit::too_little:
      return Step::failed;
    case CapacityFit::not_checked:
      return stop(Allocation::Kind::not_checked,
                  "capacity that request " + request.name + " requires");
  }
  return Step::failed;
}

std::optional<bool> DeviceAllocator::selects(const ResourceClaim& claim,
                                             const DeviceRequest& request,
                                             const DevicePlace& place) {
  const Device& candidate = device(place);
  if (!has_new_features_ && candidate.has_binding_conditions) return false;
  const auto key = std::tuple(&request, &candidate);
  if (const auto known = selections_.find(key); known != selections_.end()) return known->second;
  std::optional<bool> answer = true;
  if (const DeviceClass* of_class = cluster_.device_class(request.device_class))
    answer = selected_by(of_class->selectors, place, "class " + of_class->name);
  if (answer && *answer) answer = selected_by(request.selectors, place, "claim " + name_of(claim));
  if (!answer) return std::nullopt;
  if (*answer && slice(place).selects_per_device)
    answer =
        reaches(node_, candidate.node_name, candidate.is_on_all_nodes, candidate.node_selector);
  selections_.emplace(key, *answer);
  return answer;
}

std::optional<bool> DeviceAllocator::selected_by(const std::vector<std::string>& selectors,
                                                 const DevicePlace& place,
                                                 const std::string& whose) {
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    if (const auto unknown = unknown_attribute(device(place))) {
      stop(Allocation::Kind::error, whose + ": selector #" + std::to_string(i) +
                                        ": CEL runtime error: attribute " + std::string(*unknown) +
                                        ": unsupported attribute value");
      return std::nullopt;
    }
    const CelOutcome outcome = supply_.selector(selectors[i])
                                   .evaluate({slice(place).driver, device(place)},
                                             cluster_.shared<DeviceSupply>().effort());
    switch (outcome.kind) {
      case CelOutcome::Kind::yes:
        break;
      case CelOutcome::Kind::no:
        return false;
      case CelOutcome::Kind::error:
        stop(Allocation::Kind::error,
             whose + ": selector #" + std::to_string(i) + ": CEL runtime error: " + outcome.text);
        return std::nullopt;
      case CelOutcome::Kind::not_checked:
        stop(Allocation::Kind::not_checked,
             "selector of " + whose + ", which is not understood: " + selectors[i]);
        return std::nullopt;
    }
  }
  return true;
}

}  // namespace gpu::scheduler
