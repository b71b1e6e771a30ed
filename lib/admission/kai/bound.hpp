#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/kai/index.hpp"

namespace gpu::admission {

/// What KAI compares a request with: all that a Queue may have, and what pods that cannot be
/// preempted may have of it.
enum class KaiBound : std::uint8_t { limit, quota };

/// Of one Queue, one resource and one bound.
struct KaiRoom {
  KaiShare share{};
  KaiBound bound{};
  std::optional<Quantity> most;       ///< nothing: it is not limited
  std::optional<Quantity> allocated;  ///< nothing: not known
};

/// What is allocated counts as its status says, or as its pods do where these hold more: KAI goes
/// by the pods, of which those are missed here that take their Queue from their owner's label.
KaiRoom kai_room(const scheduler::Cluster& cluster, const KaiQueue& queue, KaiShare share,
                 KaiBound bound);

/// Whether `more` is beyond it; not where it has no bound, or it is not known what is allocated.
bool is_over(const KaiRoom& room, Quantity more);

/// "4 GPUs", "0.5 GPUs", "32 CPU", "16000 MB of memory", as Queues count.
std::string kai_text(KaiShare share, Quantity amount);
/// The same without the unit, as it stands in the Queue's spec.
std::string kai_number(KaiShare share, Quantity amount);
/// "gpu", "cpu", "memory": as the Queue's spec calls it.
std::string_view kai_member(KaiShare share);
/// "limit", "quota".
std::string_view text_of(KaiBound bound);

}  // namespace gpu::admission
