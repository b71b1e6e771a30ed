#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kube/http/client.hpp"
#include "kube/read/item_reader.hpp"

namespace gpu::kube {

/// How one list of a batch is requested.
struct ListOptions {
  std::string accept;  ///< empty: as the batch says
  OnThrottle on_throttle = OnThrottle::wait;
  /// The list is not read after this time.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

/// Several lists read at once, each by a reader of its own, to the last page.
class ListBatch {
 public:
  /// `on_bytes` is called with the number of bytes of each part of a body.
  ListBatch(Client& client, std::string accept, std::function<void(std::size_t)> on_bytes = {})
      : client_(client), accept_(std::move(accept)), on_bytes_(std::move(on_bytes)) {}

  /// The place of its reply in what run() returns.
  std::size_t add(std::string path, ItemReader reader, ListOptions options = {});
  [[nodiscard]] std::size_t size() const { return lists_.size(); }

  /// Replies in the order of add(). The requests do not ask for pages, but a server may insist: the
  /// reply is then that of the last page, or of the one that failed. Throws Error{data} for an
  /// answer that is not a list, or that has no end.
  std::vector<Reply> run();

 private:
  struct List {
    std::string path;
    ItemReader reader;
    ListOptions options;
    std::string next_page;
  };
  void limit_time();
  [[nodiscard]] Request request_for(List& list) const;
  void finish(List& list) const;

  Client& client_;
  std::string accept_;
  std::function<void(std::size_t)> on_bytes_;
  std::deque<List> lists_;  // the callbacks hold references: elements must not move
};

}  // namespace gpu::kube
