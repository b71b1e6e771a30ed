#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gpu::decode {

/// Limits for text from outside: a list past them is refused, not swallowed.
struct FrameLimits {
  std::size_t item_bytes = std::size_t{16} << 20U;
  std::size_t list_bytes = std::size_t{4} << 30U;
};

/// The two forms in which the API server writes objects.
enum class Wire { protobuf, json };

/// Which wire form a Content-Type names: `application/vnd.kubernetes.protobuf` or
/// `application/json` (parameters ignored). Throws Error{data} naming the type for anything else,
/// an HTML page say.
Wire wire_of(std::string_view content_type);

/// Cuts whole items out of a Kubernetes list while its bytes arrive; no buffer ever holds a list.
/// Protobuf: `k8s\0` + runtime.Unknown{typeMeta, raw}, where raw is a FooList{1 metadata, 2 items}.
/// JSON: an object whose member `items` is an array; also a single object without `items`, which
/// comes out as one item (a `kubectl get pod x -o json` file, a Status). Every throw is
/// Error{data} that says the byte position and what was expected.
class ListFramer {
 public:
  /// `item` is one whole item: protobuf bytes of the item message, or JSON text of the object. The
  /// view is valid during the call only.
  using OnItem = std::function<void(std::string_view item)>;

  ListFramer(Wire wire, OnItem on_item, FrameLimits limits = {});
  ~ListFramer();
  ListFramer(ListFramer&&) noexcept;
  ListFramer& operator=(ListFramer&&) noexcept;

  /// The next bytes, cut anywhere.
  void feed(std::string_view bytes);
  /// The end of the body. Throws when it is truncated or has something after its end.
  void finish();

  /// `PodList`, `NodeList`, `List`, `Status`, ...: known after finish().
  [[nodiscard]] const std::string& kind() const;
  /// metadata.resourceVersion and metadata.continue of the list, known after finish().
  [[nodiscard]] const std::string& resource_version() const;
  [[nodiscard]] const std::string& continue_token() const;
  /// JSON text of a member of the outermost object that is_noted_member() names; empty when it was
  /// not there (yet). Protobuf has none.
  [[nodiscard]] std::string_view noted(std::string_view member) const;

 private:
  struct State;
  // A pointer, so that the two state machines stay out of this header.
  std::unique_ptr<State> state_;
};

}  // namespace gpu::decode
