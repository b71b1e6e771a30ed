#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "usage/rows/gpu_usage.hpp"
#include "usage/rows/model_usage.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::usage {

// Each keeps the rows that one of `names` matches; without names, all rows. A name that matches no
// row throws Error{usage} with the nearest one.

/// NODE, NODE/INDEX with all parts of that card, NODE/INDEX:INSTANCE, NODE/DEVICE, or UUID with or
/// without its node; of a UUID the beginning is enough.
void keep_named_gpus(std::vector<GpuUsage>& rows, const std::vector<std::string>& names);
/// POD, or NAMESPACE/POD.
void keep_named_pods(std::vector<PodUsage>& rows, const std::vector<std::string>& names);
/// NAMESPACE.
void keep_named_namespaces(std::vector<PodUsage>& rows, const std::vector<std::string>& names);
/// A model, or a part of its name, in any letter case.
void keep_named_models(std::vector<ModelUsage>& rows, const std::vector<std::string>& names);

/// Whether `name` may be a UUID, or the beginning of one: then no node of that name is searched.
bool may_be_uuid(std::string_view name);

/// All names of a row: keep_named_gpus() knows these and beginnings of UUIDs.
std::vector<std::string> gpu_names(const GpuUsage& row);

/// "gpu-a2/0", "gpu-a2/gpu-0", "gpu-a2/GPU-4b3c...", "gpu-a2/?".
std::string gpu_name(const GpuUsage& row);

}  // namespace gpu::usage
