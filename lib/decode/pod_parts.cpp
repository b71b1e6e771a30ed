#include "decode/pod_parts.hpp"

#include <algorithm>
#include <utility>

#include "decode/card_shares.hpp"

namespace gpu::decode {
namespace {

void set_claims(Pod& pod, const ClaimReferences& claims) {
  for (const auto& reference : claims.references) {
    if (!reference.claim.empty()) {
      pod.claims.push_back(reference.claim);
    } else if (const auto made =
                   std::find_if(claims.made.begin(), claims.made.end(),
                                [&](const auto& it) { return it.name == reference.name; });
               made != claims.made.end()) {
      if (made->claim.empty()) continue;
      pod.claims.push_back(made->claim);
    }
    ++pod.claim_references;
  }
}

/// Since 1.33 the state of a resize is a condition; before, it was status.resize.
void set_resize_from_conditions(Pod& pod) {
  for (const Condition& condition : pod.conditions) {
    if (condition.type != "PodResizePending") continue;
    pod.resize = condition.reason;
    return;
  }
}

}  // namespace

std::optional<ResourceList> unless_empty(ResourceList&& list) {
  if (list.empty()) return std::nullopt;
  return std::move(list);
}

void set_metadata(Pod& pod, Metadata&& metadata) {
  pod.ns = std::move(metadata.ns);
  pod.name = std::move(metadata.name);
  pod.uid = std::move(metadata.uid);
  pod.labels = std::move(metadata.labels);
  pod.annotations = std::move(metadata.annotations);
  pod.card_shares = card_shares_from(pod.annotations);
  pod.owners = std::move(metadata.owners);
  pod.created = metadata.created;
  pod.deleted = metadata.deleted;
}

void complete(Pod& pod, const ClaimReferences& claims) {
  set_claims(pod, claims);
  set_resize_from_conditions(pod);
}

}  // namespace gpu::decode
