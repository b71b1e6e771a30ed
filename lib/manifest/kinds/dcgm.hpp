#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Labels that dcgm-exporter knows one GPU by. Hostname is hostname since NVIDIA/dcgm-exporter#655.
inline constexpr std::string_view kCardLabels = "Hostname, hostname, gpu, UUID, modelName";

/// These, the MIG slice and the pod that holds it.
inline constexpr std::string_view kHolderLabels =
    "Hostname, hostname, gpu, UUID, modelName, GPU_I_ID, GPU_I_PROFILE, namespace, pod";

/// Matchers of what pods hold. A GPU that no pod holds has no pod, or that of the exporter: a
/// scrape adds it where the metric names none.
inline constexpr std::string_view kHeld = R"(pod!="",pod!~".*dcgm-exporter.*")";

/// Less than this, in percent, is idle.
inline constexpr int kIdlePercent = 2;

/// PromQL, on several lines: how busy each GPU or MIG slice with these matchers is, in percent.
/// GPU_UTIL is absent with MIG, and GR_ENGINE_ACTIVE on old cards: the larger counts. What DCGM
/// could not measure is a huge number, and counts for nothing.
std::string busy_percent(std::string_view matchers, std::string_view labels);

/// PromQL: how much of its memory each uses, from 0 to 1.
std::string memory_share(std::string_view matchers, std::string_view labels);

/// --idle-after as Prometheus writes it: "1h". Throws Error{usage} for less than a minute.
std::string idle_window(const GenOptions& options);

/// The label by which the Prometheus of a Helm release finds an object.
Tree release_label(const GenOptions& options);

}  // namespace gpu::manifest
