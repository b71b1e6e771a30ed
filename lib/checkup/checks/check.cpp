#include "checkup/checks/check.hpp"

#include <array>

namespace gpu::checkup {
namespace {

using Names = std::span<const std::string_view>;
using Looks = Check::LooksAt;
using Kind = ObjectKind;

constexpr std::array<std::string_view, 1> kAccess = {"access"};
constexpr std::array<std::string_view, 1> kNodes = {"gpu-nodes"};
constexpr std::array<std::string_view, 2> kDriver = {"gpu-nodes", "driver"};
constexpr std::array<std::string_view, 1> kMetrics = {"metrics"};
constexpr std::array<std::string_view, 1> kPrometheus = {"prometheus"};
constexpr ObjectKinds kDaemons = {Kind::daemon_set};
constexpr ObjectKinds kEventful = {Kind::daemon_set, Kind::event};
constexpr ObjectKinds kOperator = {Kind::daemon_set, Kind::cluster_policy};
constexpr ObjectKinds kSharing = {Kind::daemon_set, Kind::cluster_policy, Kind::plugin_config};

// A row: name; what it looks at; what it needs, the kinds that it wants read, where it looks, its
// function.
constexpr auto kChecks = std::to_array<Check>({
    {"access",
     "what you may not read, and what that hides",  //
     {},
     {},
     Looks::cluster,
     check_access},
    {"server",
     "the versions of Kubernetes and of its API for DRA",  //
     Names(kAccess),
     {Kind::api_group},
     Looks::cluster,
     check_server},
    {"gpu-nodes", "whether nodes with GPUs are there",  //
     Names(kAccess), kEventful, Looks::cluster, check_gpu_nodes},
    {"operator", "operators of the GPU stack, and what NVIDIA's says of itself",  //
     Names(kAccess), kOperator, Looks::cluster, check_operator},
    {"discovery", "node feature discovery and GPU feature discovery",  //
     Names(kNodes), kDaemons, Looks::cluster, check_discovery},
    {"driver", "drivers, their versions and upgrades, and those that hang",  //
     Names(kNodes), kDaemons, Looks::cluster, check_driver},
    {"runtime", "the container toolkit, and containers that cannot get their GPUs",  //
     Names(kDriver), kEventful, Looks::cluster, check_runtime},
    {"device-plugin", "whether device plugins run, and nodes advertise GPUs",  //
     Names(kDriver), kEventful, Looks::cluster, check_device_plugin},
    {"gpus",
     "unhealthy cards: withdrawn, missing, Xid, ECC, remapped rows, throttled",  //
     Names(kNodes),
     {},
     Looks::cluster,
     check_gpus},
    {"mig", "MIG layouts that are stuck, or could not be made",  //
     Names(kNodes), kDaemons, Looks::cluster, check_mig},
    {"sharing", "mistakes in the configuration of time-slicing and MPS",  //
     Names(kNodes), kSharing, Looks::cluster, check_sharing},
    {"labels",
     "labels of GPUs that are missing, or differ from what nodes have",  //
     Names(kNodes),
     {},
     Looks::cluster,
     check_labels},
    {"images",
     "images that need a newer driver than their node has",  //
     Names(kNodes),
     {},
     Looks::cluster,
     check_images},
    {"dra", "DRA drivers, their devices and classes",  //
     Names(kNodes), kDaemons, Looks::cluster, check_dra},
    {"plugin-and-dra",
     "GPUs that a device plugin and DRA hand out both",  //
     Names(kNodes),
     {},
     Looks::cluster,
     check_two_ways},
    {"metrics", "exporters of GPU metrics",  //
     Names(kNodes), kOperator, Looks::cluster, check_metrics},
    {"numbers",
     "numbers of `top` that cannot be trusted",  //
     Names(kMetrics),
     {},
     Looks::cluster,
     check_numbers},
    {"prometheus",
     "whether Prometheus has what --since and cost need",  //
     Names(kNodes),
     {},
     Looks::cluster,
     check_prometheus},
    {"unrequested",
     "GPUs in use that no pod requested",  //
     Names(kNodes),
     {},
     Looks::cluster,
     check_unrequested},
    {"quota",
     "keys of ResourceQuotas that nothing counts",  //
     Names(kAccess),
     {Kind::resource_quota},
     Looks::cluster,
     check_quota},
    {"idle",
     "GPUs that pods have held idle for 24 hours",  //
     Names(kPrometheus),
     {},
     Looks::cluster,
     check_idle},
    {"cordoned",
     "nodes with GPUs that are closed while pods wait",  //
     Names(kNodes),
     {},
     Looks::cluster,
     check_cordoned},
    {"plugin-path",
     "programs that run instead of our commands",  //
     {},
     {},
     Looks::machine,
     check_plugin_path},
    {"completion",
     "whether Tab completes `kubectl gpu`",  //
     {},
     {},
     Looks::machine,
     check_completion},
});

}  // namespace

std::span<const Check> all_checks() { return kChecks; }

}  // namespace gpu::checkup
