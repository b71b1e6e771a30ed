#include "kube/read/list_path.hpp"

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

std::string query_path(std::string_view path,
                       const std::vector<std::pair<std::string_view, std::string>>& query) {
  std::string result(path);
  std::string_view mark = "?";
  for (const auto& [key, value] : query) {
    if (value.empty()) continue;
    result.append(mark).append(key).append("=").append(percent_encoded(value));
    mark = "&";
  }
  return result;
}

std::string list_path(std::string_view path,
                      const std::vector<std::pair<std::string_view, std::string>>& query) {
  std::vector<std::pair<std::string_view, std::string>> all = {{"resourceVersion", "0"}};
  all.insert(all.end(), query.begin(), query.end());
  return query_path(path, all);
}

}  // namespace gpu::kube
