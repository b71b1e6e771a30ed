#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "kube/client.hpp"
#include "kube/item_reader.hpp"

namespace gpu::kube {

/// Several lists read at once, each by a reader of its own, to the last page.
class ListBatch {
 public:
  ListBatch(Client& client, std::string accept) : client_(client), accept_(std::move(accept)) {}

  void add(std::string path, ItemReader reader);

  /// Replies in the order of add(). Nothing is asked to come in pages, but a server may insist: the
  /// reply is then that of the last page, or of the one that failed. Throws Error{data} for an
  /// answer that is no list, or that has no end.
  std::vector<Reply> run(OnThrottle on_throttle = OnThrottle::wait);

 private:
  struct List {
    std::string path;
    ItemReader reader;
    std::string next_page;
  };
  [[nodiscard]] Request request_for(List& list, OnThrottle on_throttle) const;
  void finish(List& list) const;

  Client& client_;
  std::string accept_;
  std::deque<List> lists_;  // the callbacks hold references: elements must not move
};

}  // namespace gpu::kube
