#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The scheduler's last message about the pod: the PodScheduled condition, which has the whole
/// text, otherwise the newest FailedScheduling event of that scheduler. `predicted` is the message
/// that `kubectl gpu` computes.
std::optional<SchedulerWord> scheduler_word(const scheduler::Cluster& cluster, const Pod& pod,
                                            std::string_view predicted);

/// Which parts of two messages must agree. The tail, about preemption, is worded differently in
/// each minor version.
enum class MessageParts : std::uint8_t { body, all };

/// Which rules are used because neither the scheduler's version nor the API server's was read, for
/// Explanation::not_checked; nothing if one was read.
std::optional<std::string> assumed_version(const scheduler::Cluster& cluster);

/// Which parts can be compared with the message of this cluster's scheduler: all parts if its
/// version and the rules of that version are known.
MessageParts compared_parts(const scheduler::Cluster& cluster);

/// Whether two such messages say the same: order, number of nodes and, in old versions, the
/// doubled full stop and the taint's name do not matter.
bool says_the_same(std::string_view message, std::string_view predicted,
                   MessageParts parts = MessageParts::all);

/// How a predicted message differs from the scheduler's: "what is computed here has 2 Insufficient
/// cpu, and not 1 Insufficient memory". For messages for which says_the_same() is false.
std::string difference_of(std::string_view message, std::string_view predicted);

/// Says whether something changed after the scheduler looked at the pod, so that what is computed
/// here is newer; or that this is not known.
std::string which_is_newer(const scheduler::Cluster& cluster, const Pod& pod,
                           const SchedulerWord& word, const std::optional<Time>& now);

/// The different reasons in such a message, without counts and without the part about preemption.
/// Reasons of old schedulers are returned in the words of new ones.
std::vector<std::string> reasons_in(std::string_view message);

/// The reasons in a message of the scheduler that none of kube-scheduler's own plugins gives:
/// "1 node unregistered"; empty where it has none.
std::string unknown_reasons(std::string_view message);

}  // namespace gpu::diagnose
