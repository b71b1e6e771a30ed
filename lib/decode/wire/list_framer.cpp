#include "decode/wire/list_framer.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "decode/wire/json_framer.hpp"
#include "decode/wire/path.hpp"
#include "decode/wire/protobuf_framer.hpp"

namespace gpu::decode {
Wire wire_of(std::string_view content_type) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  if (equal_ignoring_case(type, "application/vnd.kubernetes.protobuf")) return Wire::protobuf;
  if (equal_ignoring_case(type, "application/json")) return Wire::json;
  throw Error(ErrorKind::data,
              fmt::format("expected an answer in JSON or protobuf, got the content type {}",
                          in_quotes(content_type)),
              "A proxy or a login page may answer instead of the API server: check the server's "
              "address in your kubeconfig.");
}

struct ListFramer::State {
  std::variant<ProtobufFramer, JsonFramer> framer;

  [[nodiscard]] const ListHeader& header() const {
    return std::visit([](const auto& it) -> const ListHeader& { return it.header(); }, framer);
  }
};

ListFramer::ListFramer(Wire wire, OnItem on_item, FrameLimits limits)
    : state_(wire == Wire::protobuf ? new State{ProtobufFramer(std::move(on_item), limits)}
                                    : new State{JsonFramer(std::move(on_item), limits)}) {}
ListFramer::~ListFramer() = default;
ListFramer::ListFramer(ListFramer&&) noexcept = default;
ListFramer& ListFramer::operator=(ListFramer&&) noexcept = default;

void ListFramer::feed(std::string_view bytes) {
  std::visit([&](auto& it) { it.feed(bytes); }, state_->framer);
}

void ListFramer::finish() {
  std::visit([](auto& it) { it.finish(); }, state_->framer);
}

const std::string& ListFramer::kind() const { return state_->header().kind; }

const std::string& ListFramer::resource_version() const {
  return state_->header().resource_version;
}

std::string_view ListFramer::noted(std::string_view member) const {
  const auto found = state_->header().noted.find(member);
  return found == state_->header().noted.end() ? std::string_view{} : found->second;
}

const std::string& ListFramer::continue_token() const { return state_->header().continue_token; }

}  // namespace gpu::decode
