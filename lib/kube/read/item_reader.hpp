#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "decode/wire/list_framer.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu::kube {

/// Reads the body of a list answer item by item, in whichever encoding the server chose; then the
/// next page, if there is one.
class ItemReader {
 public:
  using OnNode = std::function<void(Node&&)>;
  using OnPod = std::function<void(Pod&&)>;
  using OnObject = std::function<void(const nlohmann::json&)>;

  /// Of a NodeList, of a PodList; protobuf or JSON.
  static ItemReader of_nodes(OnNode on_node);
  static ItemReader of_pods(OnPod on_pod);
  /// A list of kind `list_kind` ("NamespaceList"), requested as JSON.
  static ItemReader of_objects(std::string list_kind, OnObject on_object);

  /// A 2xx answer of this Content-Type begins, and an earlier one has ended.
  void start(std::string_view content_type);
  /// The next bytes of its body. Throws Error{data} if all pages together have more items or bytes
  /// than the limits.
  void feed(std::string_view bytes);
  /// The end of a 2xx body. Throws Error{data} if it is not the requested list.
  void finish();
  /// metadata.continue, after finish(); empty on the last page. Throws Error{data} for an empty
  /// page that is not the last, for a token that came before, for 100 pages or more with fewer than
  /// 10 items on average, because such a list may never end, and for a token of more than 64 KiB.
  [[nodiscard]] std::string next_page();
  /// metadata.resourceVersion of the list, after finish(): where a watch goes on from.
  [[nodiscard]] std::string resource_version() const;

 private:
  using OnItem = std::function<void(decode::Wire, std::string_view)>;
  ItemReader(std::string list_kind, OnItem on_item)
      : list_kind_(std::move(list_kind)), on_item_(std::move(on_item)) {}

  std::string list_kind_;
  OnItem on_item_;
  void count_item();
  void forget_pages();
  [[nodiscard]] std::string said_in_status() const;

  std::optional<decode::ListFramer> framer_;
  std::size_t items_ = 0;         ///< of this page
  std::size_t items_before_ = 0;  ///< of the pages before it
  std::uint64_t bytes_ = 0;       ///< of all pages
  std::string head_;              ///< what the page begins with: a Status says more than its kind
  std::set<std::string> tokens_;  ///< of the pages that were named
};

}  // namespace gpu::kube
