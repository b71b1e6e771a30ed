#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/ruled_out.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/filters/shared_gpus.hpp"

namespace gpu::diagnose {

/// Why no GPU of a node has the part that a pod requests of HAMi, KAI or Run:ai, and which pods
/// hold the other parts. Refers to the overlay and the pod.
class SharedGpuDetails {
 public:
  SharedGpuDetails(const scheduler::Overlay& overlay, const Pod& pod);
  /// For the row of a node: "GPU-1a2b3c4d: 0 of 15360 MiB free, ml/a has 15360".
  [[nodiscard]] std::string detail(std::size_t node) const;
  /// "pod requests 4000 MiB of a GPU, and no GPU of gpu-1 has as much free: ml/a has 15360 of 15360
  /// MiB of GPU-1a2b3c4d".
  [[nodiscard]] std::string headline(const RuledOut& ruled_out) const;
  /// "pod requests 8000 MiB of a GPU by the annotation gpu-memory, and gpu-1 lacks the label ...".
  [[nodiscard]] std::string label_headline(const RuledOut& ruled_out) const;
  /// What helps: a label set by hand, or a request as a resource, which HAMi reads, instead of an
  /// annotation.
  [[nodiscard]] std::vector<Advice> label_advice(std::size_t node) const;
  [[nodiscard]] std::vector<Advice> annotation_advice(std::size_t node) const;

 private:
  [[nodiscard]] std::string part_text() const;
  [[nodiscard]] bool wants_several() const;
  [[nodiscard]] std::string why_text(const scheduler::SharedGpu& gpu) const;
  [[nodiscard]] std::string gpus_text(std::size_t node) const;

  const scheduler::Overlay& overlay_;
  const Pod& pod_;
  scheduler::SharedGpus shared_;
};

/// Annotations of the pod that HAMi ignores, because it reads them only as resources:
/// "nvidia.com/gpumem: 4000, nvidia.com/gpucores: 30"; empty for none.
std::string ignored_annotations(const Pod& pod);

/// The pods that share GPUs which KAI or Run:ai holds whole for them, on the first node with such
/// pods; nothing if there is none. For a pod that requests whole GPUs.
std::optional<Remark> sharers_remark(const scheduler::Cluster& cluster);

}  // namespace gpu::diagnose
