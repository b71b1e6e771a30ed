#include "diagnose/answer/requested_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpu::diagnose {
namespace {

std::string text_of(const DeviceRequest& request) {
  std::string text;
  for (const DeviceRequest& choice : request.alternatives)
    text += (text.empty() ? "" : " or ") + text_of(choice);
  if (!text.empty()) return text;
  return request.wants_all ? "all of " + request.device_class
                           : fmt::format("{} x {}", request.count, request.device_class);
}

std::string text_of(const std::vector<DeviceRequest>& requests) {
  std::string text;
  for (const DeviceRequest& request : requests)
    text += (text.empty() ? ": " : ", ") + text_of(request);
  return text;
}

template <class Object>
const std::vector<DeviceRequest>* requests_of(const std::vector<Object>& objects,
                                              std::string_view ns, std::string_view name) {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const Object& each) {
    return each.ns == ns && each.name == name;
  });
  return found == objects.end() ? nullptr : &found->requests;
}

}  // namespace

std::vector<std::string> requested_claims(const Snapshot& snapshot, const Pod& pod) {
  std::vector<std::string> texts;
  for (const ClaimReference& slot : pod.claim_slots) {
    if (slot.needs_none) continue;
    const bool is_made = !slot.claim.empty();
    const std::vector<DeviceRequest>* const requests =
        is_made ? requests_of(snapshot.claims, pod.ns, slot.claim)
                : requests_of(snapshot.scheduling.claim_templates, pod.ns, slot.claim_template);
    texts.push_back((is_made ? "claim " + slot.claim : "claim of template " + slot.claim_template) +
                    (requests == nullptr ? std::string() : text_of(*requests)));
  }
  return texts;
}

}  // namespace gpu::diagnose
