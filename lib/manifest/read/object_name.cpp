#include "manifest/read/object_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/ascii.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = 253;
/// The controller adds 11 characters to the names of Jobs, which may have 63.
constexpr std::size_t kMostOfCronJob = 52;

std::string text_at(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool is_lower_alphanumeric(char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); }

/// Whether it is labels between dots, each of letters, digits and inner dashes.
bool is_subdomain(std::string_view name) {
  while (true) {
    const std::string_view label = name.substr(0, name.find('.'));
    const bool is_label = !label.empty() && is_lower_alphanumeric(label.front()) &&
                          is_lower_alphanumeric(label.back()) &&
                          std::all_of(label.begin(), label.end(),
                                      [](char c) { return c == '-' || is_lower_alphanumeric(c); });
    if (!is_label) return false;
    if (label.size() == name.size()) return true;
    name.remove_prefix(label.size() + 1);
  }
}

FieldMistake mistake(std::string_view field, std::string_view name, std::string_view why) {
  return {fmt::format("metadata.{}: Invalid value: \"{}\": {}", field, name, why),
          fmt::format("give it another metadata.{}", field), fmt::format("metadata.{}", field)};
}

}  // namespace

std::optional<FieldMistake> mistake_in_name(const json& object, std::string_view kind) {
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return std::nullopt;
  const bool is_whole = !text_at(*metadata, "name").empty();
  const char* const field = is_whole ? "name" : "generateName";
  const std::string name = text_at(*metadata, field);
  std::string looked_at = name;
  // What the API server adds stands behind the dash.
  if (!is_whole && looked_at.ends_with('-')) looked_at.back() = 'a';
  if (looked_at.empty()) return std::nullopt;
  if (looked_at.size() > kMostBytes)
    return mistake(field, name, fmt::format("must be no more than {} bytes", kMostBytes));
  if (!is_subdomain(looked_at))
    return mistake(
        field, name,
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
        "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex "
        "used for validation is "
        "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
  if (kind == "CronJob" && name.size() > kMostOfCronJob)
    return mistake(field, name, fmt::format("must be no more than {} characters", kMostOfCronJob));
  return std::nullopt;
}

}  // namespace gpu::manifest
