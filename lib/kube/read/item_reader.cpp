#include "kube/read/item_reader.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/status.hpp"
#include "decode/wire/json_item.hpp"
#include "kube/http/advice.hpp"

namespace gpu::kube {

using decode::Wire;

namespace {

/// Over all pages of a list. Kubernetes is tested with 5,000 nodes, and was run with 130,000.
constexpr std::size_t kMostNodes = 150'000;
constexpr std::size_t kMostItems = 1'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30U;
/// Servers take no longer addresses; the tokens of Kubernetes have some hundred bytes.
constexpr std::size_t kLongestToken = std::size_t{64} << 10U;
/// A server pages by hundreds of items: one that does so by a few is not about to come to an end.
constexpr std::size_t kSparsePages = 100;
constexpr std::size_t kLeastItems = 10;
constexpr std::size_t kHead = std::size_t{64} << 10U;

/// "150,000".
std::string grouped(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace

ItemReader ItemReader::of_nodes(OnNode on_node) {
  return {"NodeList", [on_node = std::move(on_node)](decode::Wire wire, std::string_view item) {
            on_node(wire == decode::Wire::protobuf
                        ? decode::node_from_protobuf(item)
                        : decode::node_from_json(decode::json_item(item)));
          }};
}

ItemReader ItemReader::of_pods(OnPod on_pod) {
  return {"PodList", [on_pod = std::move(on_pod)](decode::Wire wire, std::string_view item) {
            on_pod(wire == decode::Wire::protobuf ? decode::pod_from_protobuf(item)
                                                  : decode::pod_from_json(decode::json_item(item)));
          }};
}

ItemReader ItemReader::of_objects(std::string list_kind, OnObject on_object) {
  return {std::move(list_kind),
          [on_object = std::move(on_object)](decode::Wire wire, std::string_view item) {
            if (wire == decode::Wire::json) on_object(decode::json_item(item));
          }};
}

void ItemReader::start(std::string_view content_type) {
  const decode::Wire wire = decode::wire_of(content_type);
  items_before_ += std::exchange(items_, 0);
  head_.clear();
  framer_.emplace(wire, [this, wire](std::string_view item) {
    // A Status comes as the one item of an answer that is no list; finish() speaks of it.
    if (framer_->kind() == "Status") return;
    count_item();
    on_item_(wire, item);
  });
}

void ItemReader::feed(std::string_view bytes) {
  if (!framer_) return;
  bytes_ += bytes.size();
  if (bytes_ > kMostBytes)
    throw Error(ErrorKind::data,
                fmt::format("the API server's {} is larger than {} GiB, the most that is read",
                            list_kind_, kMostBytes >> 30U));
  if (head_.size() < kHead) head_ += bytes.substr(0, kHead - head_.size());
  framer_->feed(bytes);
}

void ItemReader::count_item() {
  ++items_;
  const std::size_t most = list_kind_ == "NodeList" ? kMostNodes : kMostItems;
  if (items_before_ + items_ > most)
    throw Error(ErrorKind::data,
                fmt::format("the API server's {} has more than {} items, the most that are read",
                            list_kind_, grouped(most)));
}

/// ": MESSAGE" of a Status; empty where it has none.
std::string ItemReader::said_in_status() const {
  const auto status = decode::status_from_body(head_);
  if (!status || status->message.empty()) return {};
  return ": " + quotation(status->message);
}

void ItemReader::finish() {
  if (!framer_)
    throw Error(ErrorKind::data,
                "the API server sent an empty answer, a " + list_kind_ + " was expected");
  framer_->finish();
  if (framer_->kind() != list_kind_)
    throw Error(ErrorKind::data,
                "the API server sent " +
                    (framer_->kind().empty() ? "a nameless object" : "a " + framer_->kind()) +
                    ", a " + list_kind_ + " was expected" +
                    (framer_->kind() == "Status" ? said_in_status() : ""));
}

std::string ItemReader::next_page() {
  if (!framer_ || framer_->continue_token().empty()) {
    forget_pages();
    return {};
  }
  const std::string& token = framer_->continue_token();
  if (items_ == 0)
    throw Error(ErrorKind::data, "the API server sent an empty page that is not the last");
  if (token.size() > kLongestToken)
    throw Error(ErrorKind::data,
                fmt::format("the API server names the next page of a {} by {} bytes, which is no "
                            "token (at most {} are sent)",
                            list_kind_, grouped(token.size()), grouped(kLongestToken)));
  if (!tokens_.insert(token).second)
    throw Error(ErrorKind::data, fmt::format("the API server's {} has no end: it names the same "
                                             "next page twice",
                                             list_kind_));
  if (tokens_.size() >= kSparsePages && items_before_ + items_ < kLeastItems * tokens_.size())
    throw Error(ErrorKind::data,
                fmt::format("the API server's {} seems to have no end: {} items came in {} pages",
                            list_kind_, items_before_ + items_, tokens_.size()));
  return token;
}

/// The list is at its end: the next one is another.
void ItemReader::forget_pages() {
  tokens_.clear();
  items_before_ = items_ = 0;
  bytes_ = 0;
}

std::string ItemReader::resource_version() const {
  return framer_ ? framer_->resource_version() : std::string();
}

}  // namespace gpu::kube
