#include "scheduler/cel/token.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.hpp"

namespace gpu::scheduler {
namespace {

bool starts_name(char c) { return is_letter(c) || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

constexpr std::array<std::string_view, 25> kSigns = {
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "?", ":", "(", ")",
    "[",  "]",  ".",  ",",  "+",  "-",  "*", "/", "%", "{", "}", "="};

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (point < 0x80U) {
    put(point);
  } else if (point < 0x800U) {
    put(0xC0U | (point >> 6U));
    put(0x80U | (point & 0x3FU));
  } else if (point < 0x10000U) {
    put(0xE0U | (point >> 12U));
    put(0x80U | ((point >> 6U) & 0x3FU));
    put(0x80U | (point & 0x3FU));
  } else {
    put(0xF0U | (point >> 18U));
    put(0x80U | ((point >> 12U) & 0x3FU));
    put(0x80U | ((point >> 6U) & 0x3FU));
    put(0x80U | (point & 0x3FU));
  }
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : rest_(source) {}

  std::optional<std::vector<CelToken>> tokens() {
    std::vector<CelToken> tokens;
    while (true) {
      skip_blanks();
      if (rest_.empty()) break;
      std::optional<CelToken> token = next();
      if (!token) return std::nullopt;
      tokens.push_back(std::move(*token));
    }
    tokens.emplace_back();
    return tokens;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty()) {
      if (is_space(rest_.front())) {
        rest_.remove_prefix(1);
      } else if (rest_.starts_with("//")) {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else {
        return;
      }
    }
  }

  std::optional<CelToken> next() {
    if (is_digit(rest_.front())) return integer();
    if (rest_.front() == '"' || rest_.front() == '\'') return text(Escapes::read);
    if (starts_name(rest_.front()) && rest_.size() > 1 && (rest_[1] == '"' || rest_[1] == '\'')) {
      if (rest_.front() != 'r' && rest_.front() != 'R') return std::nullopt;  // bytes
      rest_.remove_prefix(1);
      return text(Escapes::kept);
    }
    if (starts_name(rest_.front())) return identifier();
    for (const std::string_view sign : kSigns)
      if (rest_.starts_with(sign)) {
        rest_.remove_prefix(sign.size());
        return CelToken{CelToken::Kind::sign, std::string(sign)};
      }
    return std::nullopt;
  }

  CelToken identifier() {
    std::size_t size = 1;
    while (size < rest_.size() && (starts_name(rest_[size]) || is_digit(rest_[size]))) ++size;
    CelToken token{CelToken::Kind::identifier, std::string(rest_.substr(0, size))};
    rest_.remove_prefix(size);
    return token;
  }

  std::optional<CelToken> integer() {
    int base = 10;
    if (rest_.starts_with("0x")) {
      base = 16;
      rest_.remove_prefix(2);
    }
    CelToken token{.kind = CelToken::Kind::integer};
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), token.value, base);
    if (error != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    // 1u, 1.5 and 1e3 are other types; 1.size() is no CEL.
    if (!rest_.empty() && (starts_name(rest_.front()) || rest_.front() == '.')) return std::nullopt;
    return token;
  }

  enum class Escapes { read, kept };

  std::optional<CelToken> text(Escapes escapes) {
    std::string_view quote = rest_.substr(0, 1);
    if (rest_.size() >= 3 && rest_[1] == rest_[0] && rest_[2] == rest_[0])
      quote = rest_.substr(0, 3);
    rest_.remove_prefix(quote.size());
    CelToken token{.kind = CelToken::Kind::text};
    while (!rest_.starts_with(quote)) {
      if (rest_.empty()) return std::nullopt;
      const char c = rest_.front();
      if (quote.size() == 1 && (c == '\n' || c == '\r')) return std::nullopt;
      if (c == '\r') return std::nullopt;  // CEL turns it into a newline
      if (c == '\\' && escapes == Escapes::read) {
        if (!escape(token.text)) return std::nullopt;
        continue;
      }
      token.text.push_back(c);
      rest_.remove_prefix(1);
    }
    rest_.remove_prefix(quote.size());
    return token;
  }

  /// Takes one escape off the source.
  bool escape(std::string& text) {
    if (rest_.size() < 2) return false;
    rest_.remove_prefix(1);
    const char kind = rest_.front();
    if (kind >= '0' && kind <= '3') return code_point(text, 3, 8);
    rest_.remove_prefix(1);
    constexpr std::string_view kNames = "abfnrtv\\?\"'`";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\?\"'`";
    if (const std::size_t at = kNames.find(kind); at != std::string_view::npos) {
      text.push_back(kMeanings[at]);
      return true;
    }
    if (kind == 'x' || kind == 'X') return code_point(text, 2, 16);
    if (kind == 'u') return code_point(text, 4, 16);
    return kind == 'U' && code_point(text, 8, 16);
  }

  bool code_point(std::string& text, std::size_t digits, int base) {
    if (rest_.size() < digits) return false;
    std::uint32_t point = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, point, base);
    if (error != std::errc{} || end != rest_.data() + digits) return false;
    if (point > 0x10FFFFU || (point >= 0xD800U && point < 0xE000U)) return false;
    append_utf8(text, point);
    rest_.remove_prefix(digits);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::vector<CelToken>> cel_tokens(std::string_view source) {
  return Scanner(source).tokens();
}

}  // namespace gpu::scheduler
