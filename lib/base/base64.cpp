#include "base/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gpu {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::optional<std::uint32_t> value_of(char letter) {
  const std::size_t at = kAlphabet.find(letter);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(at);
}

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/// The bytes of a group of four letters, of which `letters` were there.
void append_group(std::string& bytes, std::uint32_t bits, std::size_t letters) {
  bits <<= 6 * (4 - letters);
  for (std::size_t i = 0; i + 1 < letters; ++i)
    bytes += static_cast<char>((bits >> (16 - 8 * i)) & 0xff);
}

class Decoder {
 public:
  explicit Decoder(std::string_view text) : text_(text) {}

  Base64Result run() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_line_end(c)) continue;
      if (c == '=') return finish_padding();
      const std::optional<std::uint32_t> value = value_of(c);
      if (!value) return failed(at_);
      bits_ = (bits_ << 6) | *value;
      if (++letters_ < 4) continue;
      flush();
    }
    // Go names the start of the group that is cut short, counting back the letters it has.
    return letters_ == 0 ? done() : failed(text_.size() - letters_);
  }

 private:
  Base64Result finish_padding() {
    const std::size_t first = at_++;
    if (letters_ < 2) return failed(first);
    if (letters_ == 2) {
      skip_line_ends();
      if (at_ == text_.size()) return failed(at_);
      if (text_[at_] != '=') return failed(at_ - 1);
      ++at_;
    }
    skip_line_ends();
    if (at_ < text_.size()) return failed(at_);
    flush();
    return done();
  }

  void skip_line_ends() {
    while (at_ < text_.size() && is_line_end(text_[at_])) ++at_;
  }

  void flush() {
    append_group(bytes_, bits_, letters_);
    bits_ = 0;
    letters_ = 0;
  }

  Base64Result done() { return {std::move(bytes_), std::nullopt}; }
  static Base64Result failed(std::size_t at) { return {{}, at}; }

  std::string_view text_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::uint32_t bits_ = 0;
  std::size_t letters_ = 0;
};

}  // namespace

Base64Result decode_base64(std::string_view text) { return Decoder(text).run(); }

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto byte = i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U;
      bits = (bits << 8) | byte;
    }
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? kAlphabet[(bits >> (18 - 6 * i)) & 0x3f] : '=';
  }
  return text;
}

std::optional<std::string> decode_base64_url(std::string_view text) {
  std::string standard(text);
  if (standard.find_first_of("+/=") != std::string::npos) return std::nullopt;
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  standard.append((4 - standard.size() % 4) % 4, '=');
  Base64Result decoded = decode_base64(standard);
  if (!decoded.ok()) return std::nullopt;
  return std::move(decoded.bytes);
}

}  // namespace gpu
