#include "kube/list_path.hpp"

#include "base/ascii.hpp"

namespace gpu::kube {

std::string percent_encoded(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  static constexpr std::string_view kUnreservedMarks = "-._~";
  std::string result;
  for (const char c : text) {
    const bool is_unreserved =
        is_letter(c) || is_digit(c) || kUnreservedMarks.find(c) != std::string_view::npos;
    if (is_unreserved) {
      result += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      result += '%';
      result += kHex[byte >> 4U];
      result += kHex[byte & 0x0FU];
    }
  }
  return result;
}

std::string field_value(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == ',' || c == '=') result += '\\';
    result += c;
  }
  return result;
}

std::string list_path(std::string_view path,
                      const std::vector<std::pair<std::string_view, std::string>>& query) {
  std::string result = std::string(path) + "?resourceVersion=0";
  for (const auto& [key, value] : query) {
    if (value.empty()) continue;
    result.append("&").append(key).append("=").append(percent_encoded(value));
  }
  return result;
}

}  // namespace gpu::kube
