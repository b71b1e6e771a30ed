#include "model/objects/node.hpp"

#include <algorithm>

namespace gpu {

const Condition* condition_of(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const Condition& each) { return each.type == type; });
  return found == conditions.end() ? nullptr : &*found;
}

bool is_true(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* const condition = condition_of(conditions, type);
  return condition != nullptr && condition->status == "True";
}

std::uint64_t image_key(std::string_view image) {
  const auto place = [&](char mark) {
    const std::size_t at = image.rfind(mark);
    return at == std::string_view::npos ? std::size_t{0} : at + 1;
  };
  std::uint64_t key = 14695981039346656037U;  // FNV-1a
  const auto add = [&](std::string_view text) {
    for (const char each : text) key = (key ^ static_cast<unsigned char>(each)) * 1099511628211U;
  };
  add(image);
  if (place(':') <= place('/')) add(":latest");
  return key;
}

bool is_ready(const Node& node) { return is_true(node.conditions, "Ready"); }

}  // namespace gpu
