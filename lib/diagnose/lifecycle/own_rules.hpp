#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "diagnose/answer/code.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The last message about a pod, or else about its group, of a scheduler with rules of its own: the
/// whole text, from the newest of conditions and events, with how often and when it was last
/// reported. Such schedulers are KAI, Run:ai, Volcano, YuniKorn, and any other whose messages are
/// not kube-scheduler's. Nothing for schedulers with kube-scheduler's rules, and if there is no
/// message.
std::optional<SchedulerWord> own_word(const scheduler::Cluster& cluster, const Pod& pod);

/// The newest message of a kube-scheduler whose extender (HAMi's) refuses nodes. It is the whole
/// text, too. It is not compared with kube-scheduler's rules, which the extender does not follow.
/// Nothing for any other.
std::optional<SchedulerWord> extender_refusal(const scheduler::Cluster& cluster, const Pod& pod);

/// How to find out why HAMi's scheduler does not know a node; nothing where it refuses otherwise.
std::optional<Advice> extender_advice(const SchedulerWord& word);

/// Whether the scheduler that the pod names is known to have rules of its own, whatever it reports.
bool has_own_rules(const Pod& pod);

/// The code of such a message by itself: a queue's quota, a gang, what nodes lack. not_modelled if
/// the message is not known, or names several reasons.
Code code_of_own_word(std::string_view message);

/// The last message about the pod in events of its scheduler's extender (HAMi's): "hami-scheduler's
/// extender says (60s ago, 8 times): ..."; empty if there is none.
std::string extender_words(const scheduler::Cluster& cluster, const Pod& pod,
                           const std::optional<Time>& now);

/// The queue of KAI, Run:ai, Volcano or YuniKorn that the pod names: "queue train (label
/// kai.scheduler/queue)"; empty where it names none.
std::string own_queue_text(const Pod& pod);

/// How to look at that queue; empty where it names none.
std::string own_queue_command(const Pod& pod);

}  // namespace gpu::diagnose
