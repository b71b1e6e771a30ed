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

/// What a scheduler that goes by rules of its own said last of a pod, or else of its group: whole,
/// from the newest of conditions and events, with how often and when it last did. KAI, Run:ai,
/// Volcano and YuniKorn do, and any other whose words are not kube-scheduler's. Nothing for
/// schedulers that go by kube-scheduler's rules, and where nothing was said.
std::optional<SchedulerWord> own_word(const scheduler::Cluster& cluster, const Pod& pod);

/// The newest word of a kube-scheduler whose extender refuses nodes: HAMi's. It is whole, too, and
/// not held against kube-scheduler's rules, which the extender does not know. Nothing for any
/// other.
std::optional<SchedulerWord> extender_refusal(const scheduler::Cluster& cluster, const Pod& pod);

/// How to find out why HAMi's scheduler does not know a node; nothing where it refuses otherwise.
std::optional<Advice> extender_advice(const SchedulerWord& word);

/// Whether the scheduler that the pod names is known to go by rules of its own, whatever it says.
bool has_own_rules(const Pod& pod);

/// What such words come to by themselves: a queue's quota, a gang, what nodes lack; not_modelled
/// where that is not known.
Code code_of_own_word(std::string_view message);

/// What an extender of the pod's scheduler (HAMi's) said last of the pod in events of its own:
/// "hami-scheduler's extender says (60s ago, 8 times): ..."; empty where it said nothing.
std::string extender_words(const scheduler::Cluster& cluster, const Pod& pod,
                           const std::optional<Time>& now);

/// The queue of KAI, Run:ai, Volcano or YuniKorn that the pod names: "queue train (label
/// kai.scheduler/queue)"; empty where it names none.
std::string own_queue_text(const Pod& pod);

/// How to look at that queue; empty where it names none.
std::string own_queue_command(const Pod& pod);

}  // namespace gpu::diagnose
