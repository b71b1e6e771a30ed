#include "manifest/read/json_value.hpp"

namespace gpu::manifest {

const nlohmann::json* member_of(const nlohmann::json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

const nlohmann::json* value_of_path(const nlohmann::json& object,
                                    const nlohmann::json::json_pointer& at) {
  return object.contains(at) ? &object.at(at) : nullptr;
}

std::string text_in(const nlohmann::json& object, std::string_view key) {
  const nlohmann::json* const value = member_of(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

bool has_group(const KindName& name, std::string_view group) {
  if (group.empty()) return name.api_version.find('/') == std::string::npos;
  return name.api_version.starts_with(group) && name.api_version.size() > group.size() &&
         name.api_version[group.size()] == '/';
}

}  // namespace gpu::manifest
