#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace gpu::quota {

/// What limits GPUs, in the order in which it is shown; `name_space` is a namespace that nothing
/// limits.
enum class Limiter : std::uint8_t {
  resource_quota,
  cohort,
  cluster_queue,
  local_queue,
  volcano_queue,
  kai_queue,
  name_space,
};

/// "ResourceQuota", "ClusterQueue", "Queue": the API's word.
std::string_view kind_of(Limiter limiter);
/// Whose rule it is: "kubernetes", "kueue", "volcano", "kai".
std::string_view system_of(Limiter limiter);

/// How a limit stands.
enum class State : std::uint8_t {
  ok,
  full,       ///< nothing is left
  over,       ///< more is used than it allows now
  stopped,    ///< the queue admits nothing: it was stopped, closed, or is not active
  no_effect,  ///< what it says counts nothing
  no_quota,   ///< a namespace: pods there hold GPUs that nothing limits
  unknown,    ///< what is used is not known
};

/// "ok", "full", "no-effect", ...
std::string_view name_of(State state);

/// Why a key, a flavor or a queue counts nothing, or gives nothing that exists now.
enum class Problem : std::uint8_t {
  none,
  limits_of_extended,     ///< limits.nvidia.com/gpu: only requests.* are counted
  without_requests,       ///< nvidia.com/gpu without "requests."
  not_advertised,         ///< no node has such a resource now
  no_such_class,          ///< of devices: there is no such DeviceClass
  no_such_flavor,         ///< there is no such ResourceFlavor
  flavor_without_nodes,   ///< no node has the flavor's labels now
  not_on_flavor,          ///< none of the flavor's nodes has the resource
  no_such_cluster_queue,  ///< of a LocalQueue
  wrong_group,            ///< count/jobs: the API has no such kind in that group
};

/// "limits-of-extended-resource", "not-advertised", ...; empty for none.
std::string_view name_of(Problem problem);

/// What is counted at one limit. Nothing: not known.
struct Figures {
  std::optional<Quantity> used;      ///< of Kueue: reserved
  std::optional<Quantity> admitted;  ///< of Kueue: by Workloads that passed all their checks
  std::optional<Quantity> borrowed;  ///< of `used`, beyond its own quota
  // Workloads, or PodGroups, whatever they request.
  std::optional<std::int64_t> pending;
  std::optional<std::int64_t> reserving;
  std::optional<std::int64_t> running;
};

/// One limit of one GPU resource; of Kueue in one flavor.
struct QuotaRow {
  Limiter limiter{};
  std::string ns;  ///< empty: of the whole cluster
  std::string name;
  std::string resource;  ///< "nvidia.com/gpu", or a DeviceClass
  std::string unit;      ///< what one is: "gpu", "mig", "share", "mixed"; empty where none exists
  std::string flavor;    ///< of Kueue
  std::string key;       ///< as the object has it: "requests.nvidia.com/gpu", "nominalQuota"
  /// A LocalQueue's ClusterQueue, a ClusterQueue's cohort, a queue's parent.
  std::string parent;
  std::vector<std::string> scopes;  ///< of a ResourceQuota: it counts only such pods

  /// hard, nominalQuota, capability, limit; of a Cohort with all below it. Nothing: none is set.
  std::optional<Quantity> limit;
  std::optional<Quantity> deserved;  ///< what others cannot keep: deserved, KAI's quota
  std::optional<Quantity> used;      ///< as its controller wrote it, else as counted here
  std::optional<Quantity> free;      ///< what could still be had, borrowing included
  std::optional<Quantity> borrowed;
  std::optional<Quantity> lent;  ///< nothing, too, where any of several queues may be the lender
  std::optional<Quantity> borrowing_limit;
  std::optional<Quantity> lending_limit;
  std::optional<std::int64_t> waiting;    ///< workloads that request the resource
  std::optional<Quantity> waiting_units;  ///< that they request, whatever their flavor will be
  Figures reported;                       ///< by the controller, in the object's status
  Figures counted;                        ///< here, of pods, Workloads and PodGroups

  State state = State::ok;
  /// Why a queue is stopped, in the API's word: "Hold", "HoldAndDrain", "Closed", "Closing";
  /// "Inactive" where Kueue says so itself.
  std::string stop;
  Problem problem = Problem::none;
  std::string suggestion;  ///< the name that may have been meant; often empty
};

/// Whether a limit is not what somebody meant: it counts nothing, names what does not exist, or
/// more is used than it allows.
bool is_wrong(const QuotaRow& row);

/// Whether the controller wrote something else than is counted here.
bool differs(const QuotaRow& row);

/// What `count` pods request that request `each`.
Quantity times(Quantity each, std::int64_t count);

/// "ml/gpus", "team-a".
std::string full_name(const QuotaRow& row);

}  // namespace gpu::quota
