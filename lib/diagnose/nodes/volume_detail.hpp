#pragma once

#include <cstddef>
#include <string>

#include "diagnose/nodes/ruled_out.hpp"
#include "scheduler/cluster/overlay.hpp"

namespace gpu::diagnose {

/// Which volume rules nodes out for a pod, and why. Refers to the overlay and the pod.
class VolumeDetails {
 public:
  VolumeDetails(const scheduler::Overlay& overlay, const Pod& pod);
  /// For the row of a node: "3 of 3 of csi.example.com".
  [[nodiscard]] std::string limit_detail(std::size_t node) const;
  /// "volume in eu-1b".
  [[nodiscard]] std::string place_detail(std::size_t node) const;
  /// The pods that use the volume; empty if none is known.
  [[nodiscard]] std::string use_headline(const RuledOut& ruled_out) const;
  [[nodiscard]] std::string limit_headline(const RuledOut& ruled_out) const;
  [[nodiscard]] std::string place_headline(const RuledOut& ruled_out) const;
  /// Why no volume can be had on the nearest node.
  [[nodiscard]] std::string missing_headline(const RuledOut& ruled_out) const;

 private:
  /// A volume that is somewhere else than a node.
  struct Elsewhere {
    std::string claim;
    std::string key;     ///< the label that says where
    std::string values;  ///< where the volume can be used
    std::string here;    ///< what the node has for it; may be empty
  };
  [[nodiscard]] Elsewhere elsewhere(const Node& node) const;

  const scheduler::Overlay& overlay_;
  const Pod& pod_;
};

}  // namespace gpu::diagnose
