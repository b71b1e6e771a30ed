#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kube/read/collect_context.hpp"
#include "kube/read/gpu_devices.hpp"
#include "kube/read/list_batch.hpp"
#include "model/objects/gap.hpp"

namespace gpu::kube {

/// Reads the objects of resource.k8s.io for GPUs: the ResourceSlices of GPU drivers together with
/// the nodes, and, if there are any, ResourceClaims and DeviceClasses together with the pods.
class DraReader {
 public:
  /// Refers to `reading`.
  explicit DraReader(CollectContext& reading) : reading_(reading) {}

  /// Adds the list of slices to `batch`.
  void add_slices(ListBatch& batch);
  /// Reads the reply to it from those of `batch`. If the server does not serve the newest version
  /// of the API, requests older versions. Throws if the server fails; remembers a 403.
  void conclude_slices(const std::vector<Reply>& replies);

  /// Adds the lists of claims and classes to `batch`. Does nothing without slices, or when called
  /// again.
  void add_claims(ListBatch& batch);
  /// Reads the replies to these from those of `batch`.
  void conclude_claims(const std::vector<Reply>& replies);

  /// Once the nodes and pods are known: decides whether it matters that slices were forbidden.
  void judge_sight();

 private:
  [[nodiscard]] bool wants_all() const;
  [[nodiscard]] bool wants_claims() const;
  ItemReader slice_reader();
  ItemReader claim_reader();
  ItemReader class_reader();
  /// Null while a reply is good; throws when it is neither good nor 403.
  [[nodiscard]] std::optional<Error> refusal_in(const Reply& reply) const;
  /// Without devices of GPUs, only why-pending needs claims and classes.
  [[nodiscard]] GapTopic topic_of_claims() const;
  void add_gap(std::string what, const Error& refusal, GapTopic about = GapTopic::none);

  CollectContext& reading_;
  std::size_t version_ = 0;    ///< of kVersions: the one that is served
  std::size_t slices_at_ = 0;  ///< in the replies of their batch
  std::optional<std::size_t> claims_at_;
  std::optional<std::size_t> classes_at_;
  bool is_served_ = false;  ///< some version of the API is
  bool has_claims_ = false;
  std::optional<Error> forbidden_;  ///< the API server's refusal to list slices
};

}  // namespace gpu::kube
