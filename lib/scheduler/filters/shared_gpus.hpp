#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu/card_share.hpp"
#include "model/objects/pod.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// Why one GPU does not give a pod the part that it requests, in the order in which HAMi checks.
enum class GpuRefusal : std::uint8_t {
  none,
  type,        ///< the pod's annotations leave out its type
  uuid,        ///< or name others
  unhealthy,   ///< its plugin says so
  slots,       ///< as many pods share it as may
  memory,      ///< too little is left
  cores,       ///< too little compute is left
  not_alone,   ///< all compute is requested, and another pod has a part of it
  no_compute,  ///< none is left, even for who requests none
  part,        ///< too small a part of it is left (KAI)
};

/// What one container requests of each of `gpus` GPUs.
struct GpuPart {
  std::int64_t gpus = 0;
  std::int64_t memory_mib = 0;  ///< 0: by percent
  std::int64_t memory_percent = 100;
  std::int64_t cores = 0;  ///< percent of compute
};

/// One GPU of a node, as a scheduler of GPU parts sees it.
struct SharedGpu {
  std::string_view name;             ///< UUID; for KAI at least its group; empty: not known
  std::string_view group = {};       ///< KAI's; empty: no pod has a part of it
  const SharedCard* card = nullptr;  ///< as HAMi or Volcano registered it; null for KAI
  CardUse use;                       ///< what pods have of it; for KAI thousandths, in `cores`
  /// Who has a part of it, and how much: MiB; for KAI thousandths.
  std::vector<std::pair<const Pod*, CardUse>> holders;
  GpuRefusal refusal = GpuRefusal::none;
};

/// The parts of a node's GPUs that a pod would get: in one of the two lists.
struct TakenParts {
  std::vector<CardShare> shares;    ///< HAMi and Volcano
  std::vector<std::string> groups;  ///< KAI's groups; an empty one: a GPU that no pod has yet
};

/// Whether HAMi's extender judges `resource` for the pod, and kube-scheduler ignores it
/// (ignoredByScheduler): memory and cores of cards. Nodes do not advertise them.
bool is_left_to_hami(const Cluster& cluster, const Pod& pod, std::string_view resource);

/// Whether `resource` is one of those, but the pod does not use HAMi's scheduler, because HAMi's
/// webhook did not write it into the pod: for any other scheduler no node has the resource.
bool goes_round_hami(const Cluster& cluster, const Pod& pod, std::string_view resource);

/// For one pod, the checks of schedulers that give pods parts of GPUs: HAMi's extender and Volcano
/// by annotations of nodes and pods, KAI and Run:ai by fractions. Not a plugin of kube-scheduler.
/// Source: Fit() of HAMi's pkg/device/nvidia, and KAI's gpu_sharing_node_info.go.
class SharedGpus {
 public:
  SharedGpus(const Cluster& cluster, const Pod& pod);
  [[nodiscard]] PreFilterResult before() const;
  void ask(const NodeView& node, Findings& findings) const;

  /// Whose cards the parts are of: HAMi's or Volcano's.
  [[nodiscard]] SharingStrategy by() const { return by_; }
  /// What each container requests of HAMi or Volcano.
  [[nodiscard]] const std::vector<GpuPart>& parts() const { return parts_; }
  /// What the pod requests of KAI or Run:ai.
  [[nodiscard]] const std::optional<GpuFraction>& fraction() const { return fraction_; }
  /// The GPUs of a node, each with the reason why it refuses the first part that does not fit.
  [[nodiscard]] std::vector<SharedGpu> gpus(const NodeView& node) const;
  /// What the pod would get on a node where it fits: with HAMi and Volcano parts of the first GPUs
  /// that have room, with KAI parts of the fullest, by its binpack. Nothing if the parts of other
  /// pods are not known.
  [[nodiscard]] std::optional<TakenParts> taken_on(const NodeView& node) const;

 private:
  [[nodiscard]] std::vector<SharedGpu> card_gpus(const NodeView& node) const;
  [[nodiscard]] std::vector<SharedGpu> fraction_gpus(const NodeView& node) const;
  [[nodiscard]] bool fits_cards(std::vector<SharedGpu>& gpus,
                                std::vector<CardShare>* taken = nullptr) const;
  [[nodiscard]] std::optional<TakenParts> taken_fractions(const NodeView& node) const;
  [[nodiscard]] std::string unread_on(const NodeView& node) const;
  [[nodiscard]] GpuRefusal refusal_of(const SharedGpu& gpu, const GpuPart& part) const;

  const Pod& pod_;
  SharingStrategy by_ = SharingStrategy::hami;  ///< whose cards these are
  std::vector<GpuPart> parts_;
  std::optional<GpuFraction> fraction_;
  std::vector<std::string> not_checked_;
};

}  // namespace gpu::scheduler
