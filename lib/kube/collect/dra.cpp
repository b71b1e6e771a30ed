#include "kube/collect/dra.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "decode/objects/device_class.hpp"
#include "decode/objects/resource_claim.hpp"
#include "decode/objects/resource_slice.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/gpu_devices.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::kube {
namespace {

// 1.34 and later serve v1; 1.32 and 1.33 the betas, where they are on at all.
constexpr std::array<std::string_view, 3> kVersions = {"v1", "v1beta2", "v1beta1"};
constexpr std::string_view kJson = "application/json";
const std::string kClasses = "deviceclasses";

std::string api_version(std::size_t version) {
  return "resource.k8s.io/" + std::string(kVersions.at(version));
}

bool has_claims(const Pod& pod) { return pod.claim_references > 0 || !pod.extended_claim.empty(); }

}  // namespace

ItemReader DraReader::slice_reader() {
  return ItemReader::of_objects("ResourceSliceList", [this](const nlohmann::json& object) {
    reading_.tell(object, api_version(version_), "ResourceSlice");
    add_slice(reading_.snapshot(), decode::resource_slice_from_json(object),
              reading_.needs().devices);
  });
}

ItemReader DraReader::claim_reader() {
  return ItemReader::of_objects("ResourceClaimList", [this](const nlohmann::json& object) {
    reading_.tell(object, api_version(version_), "ResourceClaim");
    add_claim(reading_.snapshot(), decode::resource_claim_from_json(object),
              reading_.needs().devices);
  });
}

ItemReader DraReader::class_reader() {
  return ItemReader::of_objects("DeviceClassList", [this](const nlohmann::json& object) {
    reading_.tell(object, api_version(version_), "DeviceClass");
    reading_.snapshot().device_classes.push_back(decode::device_class_from_json(object));
  });
}

void DraReader::add_slices(ListBatch& batch) {
  slices_at_ = batch.add(list_path("/apis/" + api_version(version_) + "/resourceslices", {}),
                         slice_reader(), {.accept = std::string(kJson)});
}

std::optional<Error> DraReader::refusal_in(const Reply& reply) const {
  if (reply.ok()) return std::nullopt;
  Error error = error_of(reply, reading_.client().connection());
  if (reply.status != 403) throw error;
  return error;
}

void DraReader::conclude_slices(const std::vector<Reply>& replies) {
  Reply reply = replies.at(slices_at_);
  while (reply.status == 404 && version_ + 1 < kVersions.size()) {
    ++version_;
    ListBatch batch(reading_.client(), std::string(kJson));
    add_slices(batch);
    reply = batch.run().at(slices_at_);
  }
  Snapshot& snapshot = reading_.snapshot();
  is_served_ = reply.status != 404;
  if (is_served_) forbidden_ = refusal_in(reply);
  if (forbidden_) {
    snapshot.slices.clear();
    snapshot.scheduling.other_slices.clear();
  }
  snapshot.slice_coverage = forbidden_ ? Coverage::none : Coverage::whole;
  if (!forbidden_ && !wants_claims()) {
    // Claims can hold no GPU where nobody publishes one.
    snapshot.claim_coverage = Coverage::whole;
    if (wants_all()) snapshot.scheduling.coverages[kClasses] = Coverage::whole;
  }
}

bool DraReader::wants_all() const { return reading_.needs().devices == DeviceObjects::all; }

/// Where claims and classes decide on more than on GPUs that are published, all of them. A driver
/// that publishes nothing now is known by its classes, and claims keep what they hold of it.
bool DraReader::wants_claims() const {
  const Snapshot& snapshot = reading_.snapshot();
  if (wants_all()) return is_served_;
  return !snapshot.slices.empty() ||
         (is_served_ && !forbidden_ && lacks_devices_of_labelled_nodes(snapshot));
}

void DraReader::add_claims(ListBatch& batch) {
  if (!wants_claims() || std::exchange(has_claims_, true)) return;
  const std::string& ns = reading_.needs().only_namespace;
  const std::string root = "/apis/" + api_version(version_);
  const std::string scope = ns.empty() ? "" : "/namespaces/" + percent_encoded(ns);
  claims_at_ = batch.add(list_path(root + scope + "/resourceclaims", {}), claim_reader(),
                         {.accept = std::string(kJson)});
  classes_at_ = batch.add(list_path(root + "/deviceclasses", {}), class_reader(),
                          {.accept = std::string(kJson)});
}

void DraReader::conclude_claims(const std::vector<Reply>& replies) {
  const auto claims_at = std::exchange(claims_at_, std::nullopt);
  const auto classes_at = std::exchange(classes_at_, std::nullopt);
  if (!claims_at || !classes_at) return;
  Snapshot& snapshot = reading_.snapshot();
  if (const auto refusal = refusal_in(replies.at(*claims_at))) {
    snapshot.claims.clear();
    add_gap("ResourceClaims cannot be listed, so which devices of DRA are held is unknown",
            *refusal, topic_of_claims());
  } else {
    snapshot.claim_coverage =
        reading_.needs().only_namespace.empty() ? Coverage::whole : Coverage::partial;
  }
  if (const auto refusal = refusal_in(replies.at(*classes_at))) {
    snapshot.device_classes.clear();
    add_gap("DeviceClasses cannot be listed, so which resources DRA provides is unknown", *refusal,
            topic_of_claims());
  } else if (wants_all()) {
    snapshot.scheduling.coverages[kClasses] = Coverage::whole;
  }
}

GapTopic DraReader::topic_of_claims() const {
  const bool is_for_scheduling = wants_all() && reading_.snapshot().slices.empty();
  return is_for_scheduling ? GapTopic::scheduling : GapTopic::none;
}

void DraReader::add_gap(std::string what, const Error& refusal, GapTopic about) {
  reading_.snapshot().gaps.push_back({.what = std::move(what),
                                      .why = refusal.message(),
                                      .help = refusal.help(),
                                      .about = about,
                                      .cause = GapCause::refused});
}

void DraReader::judge_sight() {
  if (!forbidden_) return;
  const Snapshot& snapshot = reading_.snapshot();
  if (lacks_devices_of_labelled_nodes(snapshot))
    add_gap("whether DRA manages the GPUs of nodes without a device plugin is unknown",
            *forbidden_);
  else if (std::any_of(snapshot.pods.begin(), snapshot.pods.end(), has_claims))
    add_gap("ResourceSlices cannot be listed, so which GPUs pods hold by claims is unknown",
            *forbidden_);
}

}  // namespace gpu::kube
