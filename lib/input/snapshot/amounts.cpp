#include "input/snapshot/amounts.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/ascii.hpp"
#include "input/snapshot/word_set.hpp"

namespace gpu::input {
namespace {

using nlohmann::json;

/// "80Gi", "-1.5", "250m", "1e3", "25%".
bool is_quantity(std::string_view text) {
  static const WordSet kSuffixes("% n u m k K M G T P E Ki Mi Gi Ti Pi Ei");
  const auto take_digits = [&text] {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(digits);
    return digits > 0;
  };
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  bool has_digits = take_digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    has_digits = take_digits() || has_digits;
  }
  if (!has_digits) return false;
  if (text.empty() || kSuffixes.has(text)) return true;
  if (!text.starts_with('e') && !text.starts_with('E')) return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return take_digits() && text.empty();
}

/// "2026-11-01T12:00:00.5Z".
bool is_time(std::string_view text) {
  constexpr std::size_t kSeconds = 19;
  return text.size() >= kSeconds && text[4] == '-' && text[7] == '-' && text[10] == 'T' &&
         text.find_first_not_of("0123456789-:.+TZ") == std::string_view::npos;
}

/// "1h30m".
bool is_span(std::string_view text) {
  return is_digit(text.front()) &&
         text.find_first_not_of("0123456789hmsun") == std::string_view::npos;
}

/// A quantity or a time: nothing that a name would look like.
bool is_amount(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return !text.empty() && text.size() <= kMost &&
         (is_quantity(text) || is_time(text) || is_span(text));
}

}  // namespace

json harmless(const json& value) {
  if (value.is_number() || value.is_boolean()) return value;
  if (value.is_string() && is_amount(value.get_ref<const std::string&>())) return value;
  return nullptr;
}

}  // namespace gpu::input
