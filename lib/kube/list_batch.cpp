#include "kube/list_batch.hpp"

#include <utility>

#include "kube/advice.hpp"

namespace gpu::kube {

void ListBatch::add(std::string path, ItemReader reader) {
  paths_.push_back(std::move(path));
  readers_.push_back(std::move(reader));
}

std::vector<Reply> ListBatch::run(OnThrottle on_throttle) {
  std::vector<Request> requests;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    ItemReader& reader = readers_[i];
    requests.push_back({
        .path = paths_[i],
        .accept = accept_,
        .on_start = [&reader](std::string_view type) { reader.start(type); },
        .on_data = [&reader](std::string_view bytes) { reader.feed(bytes); },
        .on_throttle = on_throttle,
    });
  }
  std::vector<Reply> replies = client_.fetch(requests);
  for (std::size_t i = 0; i < replies.size(); ++i)
    if (replies[i].ok()) finish(readers_[i]);
  return replies;
}

/// A body can turn out to be cut off, or no list, at its very end only.
void ListBatch::finish(ItemReader& reader) const {
  try {
    reader.finish();
  } catch (const Error& error) {
    throw with_origin(error, client_.connection());
  }
}

}  // namespace gpu::kube
