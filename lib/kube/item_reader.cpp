#include "kube/item_reader.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "decode/json_item.hpp"
#include "decode/list_header.hpp"
#include "decode/node.hpp"
#include "decode/pod.hpp"

namespace gpu::kube {

using decode::Wire;

ItemReader ItemReader::of_nodes(OnNode on_node) {
  return ItemReader([on_node = std::move(on_node)](Wire wire, std::string_view item) {
    on_node(wire == Wire::protobuf ? decode::node_from_protobuf(item)
                                   : decode::node_from_json(decode::json_item(item)));
  });
}

ItemReader ItemReader::of_pods(OnPod on_pod) {
  return ItemReader([on_pod = std::move(on_pod)](Wire wire, std::string_view item) {
    on_pod(wire == Wire::protobuf ? decode::pod_from_protobuf(item)
                                  : decode::pod_from_json(decode::json_item(item)));
  });
}

ItemReader ItemReader::of_objects(OnObject on_object) {
  return ItemReader([on_object = std::move(on_object)](Wire wire, std::string_view item) {
    if (wire == Wire::json) on_object(decode::json_item(item));
  });
}

void ItemReader::start(std::string_view content_type) {
  const Wire wire = decode::wire_of(content_type);
  framer_.emplace(wire, [this, wire](std::string_view item) {
    // A Status comes out of the JSON framer as a single item; finish() speaks of it.
    if (framer_->kind() != decode::kStatusKind) on_item_(wire, item);
  });
}

void ItemReader::feed(std::string_view bytes) { framer_->feed(bytes); }

void ItemReader::finish() {
  if (!framer_)
    throw Error(ErrorKind::data, "the API server sent an empty answer, a list was expected");
  framer_->finish();
  if (!framer_->kind().ends_with("List"))
    throw Error(ErrorKind::data,
                "the API server sent a " +
                    (framer_->kind().empty() ? "nameless object" : framer_->kind()) +
                    " where a list was expected");
}

std::string ItemReader::continue_token() const {
  return framer_ ? framer_->continue_token() : std::string();
}

}  // namespace gpu::kube
