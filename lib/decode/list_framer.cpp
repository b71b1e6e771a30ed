#include "decode/list_framer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "decode/json_framer.hpp"
#include "decode/path.hpp"
#include "decode/protobuf_framer.hpp"

namespace gpu::decode {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

Wire wire_of(std::string_view content_type) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  if (equal_ignoring_case(type, "application/vnd.kubernetes.protobuf")) return Wire::protobuf;
  if (equal_ignoring_case(type, "application/json")) return Wire::json;
  throw Error(ErrorKind::data,
              fmt::format("expected an answer in JSON or protobuf, got the content type {}",
                          in_quotes(content_type)),
              "A proxy or a login page may answer in place of the API server: check the server's "
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

const std::string& ListFramer::continue_token() const { return state_->header().continue_token; }

}  // namespace gpu::decode
