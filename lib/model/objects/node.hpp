#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "model/gpu/card_share.hpp"

namespace gpu {

/// One entry of `spec.taints`.
struct Taint {
  std::string key;
  std::string value;
  std::string effect;         ///< NoSchedule, PreferNoSchedule, NoExecute
  std::optional<Time> added;  ///< timeAdded: of NoExecute, and of a cordon
  friend bool operator==(const Taint&, const Taint&) = default;
};

/// One entry of `status.conditions`.
struct Condition {
  std::string type;
  std::string status;  ///< True, False, Unknown
  std::string reason;
  std::string message;
  std::optional<Time> last_transition;
  friend bool operator==(const Condition&, const Condition&) = default;
};

/// The condition of this type; null where there is none.
const Condition* condition_of(const std::vector<Condition>& conditions, std::string_view type);

/// Whether there is a condition of this type, and it is True.
bool is_true(const std::vector<Condition>& conditions, std::string_view type);

/// A name of an image that a node has already, as it is compared and no more: a hash. See
/// image_key().
struct NodeImage {
  std::uint64_t key = 0;
  std::int64_t bytes = 0;
  friend bool operator==(const NodeImage&, const NodeImage&) = default;
};

/// The key of an image's name, which kube-scheduler completes with the tag "latest" where it has
/// neither tag nor digest (normalizedImageName of ImageLocality).
std::uint64_t image_key(std::string_view image);

/// What we keep of a core/v1 Node. Addresses and managedFields are skipped on reading.
struct Node {
  std::string name;
  StringMap labels;
  StringMap annotations;
  std::vector<SharedCard> shared_cards;  ///< what annotations register
  std::optional<Time> created;
  std::optional<Time> deleted;  ///< metadata.deletionTimestamp: the node is going away
  bool unschedulable = false;   ///< spec.unschedulable: cordoned
  std::string provider_id;
  std::vector<Taint> taints;
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<Condition> conditions;
  std::string kubelet_version;
  std::vector<std::string> declared_features;  ///< status.declaredFeatures (1.36)
  std::vector<NodeImage> images;               ///< status.images, an entry for each name
  friend bool operator==(const Node&, const Node&) = default;
};

/// Condition Ready is True. A node without that condition has never reported: not ready.
bool is_ready(const Node& node);

}  // namespace gpu
