#pragma once

#include "model/gpu/sample.hpp"
#include "usage/devices/device_merge.hpp"

namespace gpu::usage {

/// Whether an exporter that those who run the cluster mostly install told `sample`: its pod is in a
/// usual namespace. Any pod may call itself an exporter.
bool is_of_usual_exporter(const Sample& sample);

/// Takes from `all`, what `samples` of one device came to, the measures of which exporters of
/// different pods tell very different things. An exporter in a usual namespace is believed against
/// others; its samples come first in `samples`. Doubts say who told what.
void settle_contradictions(const NodeSamples& samples, Sample& all);

}  // namespace gpu::usage
