#pragma once

#include "model/gpu/sample.hpp"
#include "usage/devices/device_merge.hpp"

namespace gpu::usage {

/// Whether `sample` comes from an exporter in a well-known namespace, where mostly administrators
/// install pods. Any pod may present itself as an exporter.
bool is_of_usual_exporter(const Sample& sample);

/// `all` is the merged sample of `samples`, which are of one device. If exporters of different pods
/// report very different values of a measure, the value of an exporter in a well-known namespace is
/// used; its samples are first in `samples`. If there is none, or several that disagree, the
/// measure is removed from `all`. Adds doubts that name both values and their exporters.
void settle_contradictions(const NodeSamples& samples, Sample& all);

}  // namespace gpu::usage
