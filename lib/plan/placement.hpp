#pragma once

#include <cstdint>
#include <string>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "plan/filling.hpp"

namespace gpu::plan {

/// So many pods of one template are tried one after the other.
inline constexpr std::int64_t kMostPlaced = 64;

/// Creates the claims of a StatefulSet's pods, as many as are tried, and lets `planned` be the
/// first.
void create_volume_claims(PlannedPod& planned, Snapshot& snapshot);

/// The cluster as it fills up with what is planned: each pod that starts is put where the scheduler
/// puts it, on the fullest of several nodes that it scores alike; at most 64 of one template, and
/// 512 in all. That is one of the ways that `fit` tries.
class PodPlacement {
 public:
  PodPlacement(const scheduler::Cluster& cluster, diagnose::ExplainOptions options);
  PodPlacement(const PodPlacement&) = delete;
  PodPlacement& operator=(const PodPlacement&) = delete;

  [[nodiscard]] const scheduler::Cluster& cluster() const { return filling_.cluster(); }

  /// A pod like this will be asked about: marks keep what it may need to be undone.
  void expect(const Pod& pod) { filling_.expect(pod); }

  /// Of all its replicas. Those that start stay where they are put.
  diagnose::Explanation answer(const PlannedPod& planned);

  /// How many pods of the last answer start, as far as they were tried.
  [[nodiscard]] std::int64_t started() const { return started_; }
  /// Why the next pod of the last answer does not start; empty: all do, or that is not known.
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// Something starts that is not put anywhere: later answers say so.
  void leave_out() { is_all_placed_ = false; }

  /// To come back to: what started since then has not, though its tries count.
  struct Mark {
    Filling::Mark filling;
    std::int64_t placed = 0;
    bool is_all_placed = true;
  };
  [[nodiscard]] Mark mark() const { return {filling_.mark(), placed_, is_all_placed_}; }
  void back_to(const Mark& mark);

 private:
  /// Why the rest is not tried: they are too many, or what a started one takes is not known.
  enum class Rest { too_many, unknown };

  diagnose::Explanation answer_each(const PlannedPod& planned);
  diagnose::Explanation stopped(const PlannedPod& planned, diagnose::Explanation answer,
                                const Pod& next);
  diagnose::Explanation unfinished(diagnose::Explanation first, const PlannedPod& planned,
                                   std::int64_t started, Rest rest);

  Filling filling_;
  TieBreak ties_{TieBreak::Way::fullest};
  diagnose::ExplainOptions options_;
  std::int64_t placed_ = 0;
  std::int64_t tried_ = 0;
  std::int64_t started_ = 0;  ///< of the last answer
  std::string reason_;        ///< of the last answer
  bool is_all_placed_ = true;
};

}  // namespace gpu::plan
