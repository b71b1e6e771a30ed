#pragma once

#include <string>

#include "diagnose/nodes/blocker_kind.hpp"
#include "diagnose/nodes/ruled_out.hpp"
#include "scheduler/cluster/overlay.hpp"

namespace gpu::diagnose {

/// Which volume keeps a pod from nodes, and why. Refers to the overlay and the pod.
class VolumeDetails {
 public:
  VolumeDetails(const scheduler::Overlay& overlay, const Pod& pod);
  [[nodiscard]] std::string detail(BlockerKind kind, std::size_t node) const;
  [[nodiscard]] std::string headline(BlockerKind kind, const RuledOut& ruled_out) const;

 private:
  /// A volume that is somewhere else than a node.
  struct Elsewhere {
    std::string claim;
    std::string key;     ///< the label that tells where
    std::string values;  ///< where the volume can be used
    std::string here;    ///< what the node has for it; may be empty
  };
  [[nodiscard]] Elsewhere elsewhere(const Node& node) const;
  [[nodiscard]] std::string elsewhere_headline(const RuledOut& ruled_out) const;
  [[nodiscard]] std::string limit_headline(const RuledOut& ruled_out) const;
  [[nodiscard]] std::string use_headline(std::size_t node) const;
  /// Why no volume can be had on a node.
  [[nodiscard]] std::string unmade(std::size_t node) const;

  const scheduler::Overlay& overlay_;
  const Pod& pod_;
};

}  // namespace gpu::diagnose
