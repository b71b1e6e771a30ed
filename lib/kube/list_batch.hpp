#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "kube/client.hpp"
#include "kube/item_reader.hpp"

namespace gpu::kube {

/// Several lists read at once, each by a reader of its own.
class ListBatch {
 public:
  ListBatch(Client& client, std::string accept) : client_(client), accept_(std::move(accept)) {}

  void add(std::string path, ItemReader reader);

  /// Replies in the order of add(). The bodies of those that are ok are read to their end; throws
  /// Error{data} for one that is no list.
  std::vector<Reply> run(OnThrottle on_throttle = OnThrottle::wait);

  /// metadata.continue of a list, after run().
  [[nodiscard]] std::string continue_token(std::size_t list) const {
    return readers_[list].continue_token();
  }

 private:
  void finish(ItemReader& reader) const;

  Client& client_;
  std::string accept_;
  std::vector<std::string> paths_;
  std::deque<ItemReader> readers_;  // the callbacks hold references: elements must not move
};

}  // namespace gpu::kube
