#include "diagnose/answer/code.hpp"

#include <algorithm>
#include <array>

namespace gpu::diagnose {
namespace {

/// A code, and its name: docs/reasons/NAME.md is its page.
struct Row {
  Code code{};
  std::string_view name;
};

constexpr auto kRows = std::to_array<Row>({
    {Code::insufficient_gpus, "insufficient-gpus"},
    {Code::insufficient_extended_resource, "insufficient-extended-resource"},
    {Code::gpus_scattered, "gpus-scattered"},
    {Code::request_exceeds_every_node, "request-exceeds-every-node"},
    {Code::resource_not_advertised, "resource-not-advertised"},
    {Code::resource_name_unknown, "resource-name-unknown"},
    {Code::resource_renamed, "resource-renamed"},
    {Code::mig_mismatch, "mig-mismatch"},
    {Code::device_plugin_missing, "device-plugin-missing"},
    {Code::device_plugin_unhealthy, "device-plugin-unhealthy"},
    {Code::driver_missing, "driver-missing"},
    {Code::gpu_unhealthy, "gpu-unhealthy"},
    {Code::untolerated_taint, "untolerated-taint"},
    {Code::node_selector_mismatch, "node-selector-mismatch"},
    {Code::cordoned, "cordoned"},
    {Code::node_not_ready, "node-not-ready"},
    {Code::insufficient_cpu, "insufficient-cpu"},
    {Code::insufficient_memory, "insufficient-memory"},
    {Code::insufficient_storage, "insufficient-storage"},
    {Code::too_many_pods, "too-many-pods"},
    {Code::port_taken, "port-taken"},
    {Code::volume_unbound, "volume-unbound"},
    {Code::volume_zone, "volume-zone"},
    {Code::volume_limit, "volume-limit"},
    {Code::volume_in_use, "volume-in-use"},
    {Code::rollout_surge, "rollout-surge"},
    {Code::topology_spread, "topology-spread"},
    {Code::pod_affinity, "pod-affinity"},
    {Code::pod_anti_affinity, "pod-anti-affinity"},
    {Code::claim_missing, "claim-missing"},
    {Code::device_class_missing, "device-class-missing"},
    {Code::claim_unsatisfiable, "claim-unsatisfiable"},
    {Code::scheduling_gated, "scheduling-gated"},
    {Code::held_by_queue, "held-by-queue"},
    {Code::gang_waiting, "gang-waiting"},
    {Code::quota_exceeded, "quota-exceeded"},
    {Code::quota_needs_requests, "quota-needs-requests"},
    {Code::limit_range, "limit-range"},
    {Code::admission_rejected, "admission-rejected"},
    {Code::unknown_scheduler, "unknown-scheduler"},
    {Code::preemption_pending, "preemption-pending"},
    {Code::autoscaler_limit, "autoscaler-limit"},
    {Code::autoscaler_no_match, "autoscaler-no-match"},
    {Code::kubelet_rejected, "kubelet-rejected"},
    {Code::runtime_missing, "runtime-missing"},
    {Code::start_error, "start-error"},
    {Code::crash_loop, "crash-loop"},
    {Code::image_pull, "image-pull"},
    {Code::volume_attach, "volume-attach"},
    {Code::starting, "starting"},
    {Code::not_modelled, "not-modelled"},
});

constexpr auto kCodes = [] {
  std::array<Code, kRows.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kRows[i].code;
  return all;
}();

constexpr const Row& row_of(Code code) { return kRows[static_cast<std::size_t>(code)]; }

constexpr bool is_in_order() {
  for (const Row& row : kRows)
    if (&row_of(row.code) != &row) return false;
  return kCodes.back() == Code::not_modelled;
}
static_assert(is_in_order(), "one row for each code, in their order");

}  // namespace

std::string_view name_of(Code code) { return row_of(code).name; }

std::optional<Code> code_named(std::string_view name) {
  const auto found =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == name; });
  return found == kRows.end() ? std::nullopt : std::optional(found->code);
}

std::span<const Code> codes() { return kCodes; }

}  // namespace gpu::diagnose
