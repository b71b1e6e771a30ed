#include "kube/read/list_batch.hpp"

#include <algorithm>
#include <utility>

#include "kube/http/advice.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::kube {
namespace {

/// Servers page by 500 items or so; a list of half a million is past what we read anyway.
constexpr int kMostPages = 1000;
/// For the pages after the first. The biggest clusters are listed in one.
constexpr std::chrono::minutes kLongestPaging{10};

}  // namespace

std::size_t ListBatch::add(std::string path, ItemReader reader, ListOptions options) {
  lists_.push_back({std::move(path), std::move(reader), std::move(options), {}});
  return lists_.size() - 1;
}

std::vector<Reply> ListBatch::run() {
  std::vector<Reply> replies(lists_.size());
  std::vector<std::size_t> open(lists_.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  limit_time();
  const auto start = std::chrono::steady_clock::now();
  for (int page = 0; !open.empty(); ++page) {
    if (page == kMostPages)
      throw Error(ErrorKind::data, "the API server's list has no end: more than 1,000 pages");
    if (page > 0 && std::chrono::steady_clock::now() - start > kLongestPaging)
      throw Error(ErrorKind::data, "the API server's list is not at its end after 10 minutes and " +
                                       std::to_string(page) + " pages");
    std::vector<Request> requests;
    requests.reserve(open.size());
    for (const std::size_t i : open) requests.push_back(request_for(lists_[i]));
    std::vector<Reply> answers = client_.fetch(requests);
    std::vector<std::size_t> still_open;
    for (std::size_t n = 0; n < open.size(); ++n) {
      List& list = lists_[open[n]];
      list.next_page.clear();
      if (answers[n].ok()) finish(list);
      if (!list.next_page.empty()) still_open.push_back(open[n]);
      replies[open[n]] = std::move(answers[n]);
    }
    open = std::move(still_open);
  }
  return replies;
}

/// --request-timeout is for a whole list, not for each of its pages.
void ListBatch::limit_time() {
  constexpr std::chrono::hours kLongest{24 * 365};
  const auto& given = client_.connection().request_timeout;
  if (!given || *given <= std::chrono::milliseconds::zero() || *given > kLongest) return;
  const auto end = std::chrono::steady_clock::now() + *given;
  for (List& list : lists_)
    list.options.deadline = std::min(end, list.options.deadline.value_or(end));
}

Request ListBatch::request_for(List& list) const {
  const std::string page =
      list.next_page.empty() ? "" : "&continue=" + percent_encoded(list.next_page);
  return {
      .path = list.path + page,
      .accept = list.options.accept.empty() ? accept_ : list.options.accept,
      .on_start = [&list](std::string_view type) { list.reader.start(type); },
      .on_data =
          [&list, this](std::string_view bytes) {
            if (on_bytes_) on_bytes_(bytes.size());
            list.reader.feed(bytes);
          },
      .on_throttle = list.options.on_throttle,
      .deadline = list.options.deadline,
  };
}

/// A body can turn out to be cut off, or no list, at its very end only.
void ListBatch::finish(List& list) const {
  try {
    list.reader.finish();
    list.next_page = list.reader.next_page();
  } catch (const Error& error) {
    throw with_origin(error, client_.connection());
  }
}

}  // namespace gpu::kube
