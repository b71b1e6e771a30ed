#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "decode/list_framer.hpp"
#include "kube/client.hpp"
#include "model/node.hpp"
#include "model/pod.hpp"

namespace gpu::kube {

/// Reads the body of one list answer, whichever form the server chose, item by item.
class ItemReader {
 public:
  using OnNode = std::function<void(Node&&)>;
  using OnPod = std::function<void(Pod&&)>;
  using OnObject = std::function<void(const nlohmann::json&)>;

  /// Gives each Node, or each Pod, of the list to the callback.
  static ItemReader of_nodes(OnNode on_node);
  static ItemReader of_pods(OnPod on_pod);
  /// Of a kind that is asked for as JSON.
  static ItemReader of_objects(OnObject on_object);

  /// Before the first byte: what the Content-Type says. Again when the request was sent again.
  void start(std::string_view content_type);
  /// The next bytes of the body.
  void feed(std::string_view bytes);
  /// The end of a 2xx body. Throws Error{data} when it was no list, and the error it stands for
  /// when it was a Status.
  void finish();
  /// metadata.continue, after finish().
  [[nodiscard]] std::string continue_token() const;

 private:
  using OnItem = std::function<void(decode::Wire, std::string_view)>;
  explicit ItemReader(OnItem on_item) : on_item_(std::move(on_item)) {}

  OnItem on_item_;
  std::optional<decode::ListFramer> framer_;
};

}  // namespace gpu::kube
