#include "admission/kai/bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/objects/quantity_text.hpp"

namespace gpu::admission {
namespace {

constexpr std::int64_t kMegabyte = 1'000'000;

const KaiAllowance& allowance_of(const KaiQueue& queue, KaiShare share) {
  return queue.allowances.at(static_cast<std::size_t>(share));
}

std::optional<Quantity> in_status(const KaiQueue& queue, KaiShare share, KaiBound bound) {
  const auto& list = bound == KaiBound::limit ? queue.allocated : queue.allocated_non_preemptible;
  if (!list) return std::nullopt;
  return amount_of(*list, allowance_of(queue, share).resource);
}

/// Of GPUs only: pods that need none are not all read.
std::optional<Quantity> in_pods(const scheduler::Cluster& cluster, const KaiQueue& queue,
                                KaiShare share, KaiBound bound) {
  if (share != KaiShare::gpus || cluster.snapshot().pod_coverage != Coverage::whole)
    return std::nullopt;
  const auto& holders = cluster.shared<KaiIndex>().holders(queue.name);
  return gpus_of(bound == KaiBound::limit ? holders : non_preemptible(holders));
}

/// Thousandths without zeros at their end: "0.5".
std::string decimal_text(Quantity amount) {
  const std::int64_t milli = amount.milli_value();
  if (milli % 1000 == 0) return std::to_string(milli / 1000);
  std::string text = fmt::format("{}.{:03}", milli / 1000, milli % 1000);
  while (text.ends_with('0')) text.pop_back();
  return text;
}

}  // namespace

KaiRoom kai_room(const scheduler::Cluster& cluster, const KaiQueue& queue, KaiShare share,
                 KaiBound bound) {
  const KaiAllowance& allowance = allowance_of(queue, share);
  const auto by_status = in_status(queue, share, bound);
  const auto by_pods = in_pods(cluster, queue, share, bound);
  return {.share = share,
          .bound = bound,
          .most = bound == KaiBound::limit ? allowance.limit : allowance.quota,
          .allocated = by_status && by_pods ? std::max(by_status, by_pods)
                       : by_status          ? by_status
                                            : by_pods};
}

bool is_over(const KaiRoom& room, Quantity more) {
  return room.most && room.allocated && Quantity{} < more && *room.most < *room.allocated + more;
}

std::string kai_text(KaiShare share, Quantity amount) {
  switch (share) {
    case KaiShare::gpus:
      return decimal_text(amount) + (amount == Quantity::of(1) ? " GPU" : " GPUs");
    case KaiShare::cpu:
      return quantity_text("cpu", amount) + " CPU";
    case KaiShare::memory:
      return kai_number(share, amount) + " MB of memory";
  }
  return {};
}

std::string kai_number(KaiShare share, Quantity amount) {
  switch (share) {
    case KaiShare::gpus:
      return decimal_text(amount);
    case KaiShare::cpu:
      return std::to_string(amount.milli_value());
    case KaiShare::memory:
      return std::to_string((amount.value() + kMegabyte - 1) / kMegabyte);
  }
  return {};
}

std::string_view kai_member(KaiShare share) {
  switch (share) {
    case KaiShare::gpus:
      return "gpu";
    case KaiShare::cpu:
      return "cpu";
    case KaiShare::memory:
      return "memory";
  }
  return {};
}

std::string_view text_of(KaiBound bound) { return bound == KaiBound::limit ? "limit" : "quota"; }

}  // namespace gpu::admission
