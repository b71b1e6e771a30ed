#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/quantity.hpp"
#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// What KAI's Queues share out, in the order of KaiQueue::allowances.
enum class KaiShare : std::uint8_t { gpus, cpu, memory };
inline constexpr std::array kKaiShares = {KaiShare::gpus, KaiShare::cpu, KaiShare::memory};

/// Whether KAI may end a pod for another: such pods may go over the quota of their Queue.
enum class Preemptible : std::uint8_t { yes, no, unknown };

/// What a pod takes of its Queue: whole GPUs, parts of them by annotation, and a MIG slice as its
/// share of compute; nothing of GPUs where the size of the card, or its claims, decide.
std::optional<Quantity> kai_amount(const scheduler::Cluster& cluster, const Pod& pod,
                                   KaiShare share);

/// By the pod's label, else by the value of its priority class: from 100 on it cannot be preempted.
/// Unknown where it names no class: KAI then takes one by the kind of the pod's owner.
Preemptible kai_preemptible(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::admission
