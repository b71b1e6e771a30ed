#include <nlohmann/json.hpp>
#include <variant>

#include "manifest/tree/yaml.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::ordered_json;

ordered_json json_value(const Tree& tree) {
  return std::visit(
      [](const auto& value) -> ordered_json {
        using Held = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Held, Tree::Map>) {
          ordered_json object = ordered_json::object();
          for (const Tree::Entry& entry : value) object[entry.key] = json_value(entry.value);
          return object;
        } else if constexpr (std::is_same_v<Held, Tree::List>) {
          ordered_json array = ordered_json::array();
          for (const Tree::Item& item : value) array.push_back(json_value(item.value));
          return array;
        } else {
          return value;
        }
      },
      tree.value());
}

/// Words of a command line may be any bytes.
std::string dumped(const ordered_json& value) {
  constexpr int kIndent = 2;
  return value.dump(kIndent, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string json_of(const Documents& documents) {
  if (documents.size() == 1) return dumped(json_value(documents.front()));
  ordered_json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", ordered_json::array()}};
  for (const Tree& each : documents) list["items"].push_back(json_value(each));
  return dumped(list);
}

}  // namespace gpu::manifest
