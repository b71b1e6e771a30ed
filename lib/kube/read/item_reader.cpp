#include "kube/read/item_reader.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/wire/json_item.hpp"

namespace gpu::kube {

using decode::Wire;

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
  items_ = 0;
  framer_.emplace(wire, [this, wire](std::string_view item) {
    // A Status comes as the one item of an answer that is no list; finish() speaks of it.
    if (framer_->kind() == "Status") return;
    ++items_;
    on_item_(wire, item);
  });
}

void ItemReader::feed(std::string_view bytes) {
  if (framer_) framer_->feed(bytes);
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
                    ", a " + list_kind_ + " was expected");
}

std::string ItemReader::next_page() const {
  if (!framer_ || framer_->continue_token().empty()) return {};
  if (items_ == 0)
    throw Error(ErrorKind::data, "the API server sent an empty page that is not the last");
  return framer_->continue_token();
}

std::string ItemReader::resource_version() const {
  return framer_ ? framer_->resource_version() : std::string();
}

}  // namespace gpu::kube
