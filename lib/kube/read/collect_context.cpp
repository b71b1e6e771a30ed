#include "kube/read/collect_context.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace gpu::kube {

CollectContext::CollectContext(Client& client, const Needs& needs, Snapshot& snapshot)
    : client_(client), needs_(needs), snapshot_(snapshot) {
  if (needs.on_progress)
    former_tick_ = client.exchange_on_tick([this] { needs_.on_progress(progress_); });
}

CollectContext::~CollectContext() {
  if (needs_.on_progress) client_.exchange_on_tick(std::move(former_tick_));
}

void CollectContext::tell(const nlohmann::json& object, std::string_view api_version,
                          std::string_view kind) const {
  if (needs_.on_object) needs_.on_object(object, api_version, kind);
}

void CollectContext::count_node() {
  ++progress_.nodes;
  count_item();
}

void CollectContext::count_pod() {
  ++progress_.pods;
  count_item();
}

void CollectContext::count_bytes(std::size_t bytes) {
  progress_.bytes += static_cast<std::int64_t>(bytes);
}

/// A big answer is decoded in one go: then nobody else would say how far it has come.
void CollectContext::count_item() {
  constexpr int kShownEvery = 64;
  if (!needs_.on_progress || ++unshown_ < kShownEvery) return;
  unshown_ = 0;
  needs_.on_progress(progress_);
}

}  // namespace gpu::kube
