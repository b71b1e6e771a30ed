#include "base/secrets.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "base/ascii.hpp"

namespace gpu {
namespace {

constexpr std::size_t kShortest = 6;
constexpr std::string_view kMask = "<masked>";

struct Register {
  std::mutex mutex;
  std::vector<std::string> secrets;  ///< the longest first: one may be a part of another
};

Register& secret_register() {
  static Register all;
  return all;
}

/// As a JSON text holds it.
std::string escaped(std::string_view secret) {
  std::string text;
  for (const char c : secret) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

/// As a URL holds it, with `blank` in place of one.
std::string percent_encoded(std::string_view secret, std::string_view blank) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  static constexpr std::string_view kPlain = "-._~";
  std::string text;
  for (const char c : secret) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_letter(c) || is_digit(c) || kPlain.find(c) != std::string_view::npos)
      text += c;
    else if (c == ' ')
      text += blank;
    else
      text.append({'%', kHex[byte >> 4U], kHex[byte & 15U]});
  }
  return text;
}

void replace_all(std::string& text, std::string_view secret) {
  for (std::size_t at = text.find(secret); at != std::string::npos;
       at = text.find(secret, at + kMask.size()))
    text.replace(at, secret.size(), kMask);
}

/// What a token is made of (RFC 6750), and Basic's base64.
bool is_of_token(char c) {
  static constexpr std::string_view kMarks = "-._~+/=";
  return is_letter(c) || is_digit(c) || kMarks.find(c) != std::string_view::npos;
}

/// "Basic authentication" is English; a token has a digit, a mark or a capital letter.
bool is_plain_word(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Masks the word that starts at `token`, and says where the text goes on.
std::size_t mask_token(std::string& text, std::size_t token) {
  std::size_t end = token;
  while (end < text.size() && is_of_token(text[end])) ++end;
  while (end > token && text[end - 1] == '.') --end;  // of the sentence
  const std::string_view word = std::string_view(text).substr(token, end - token);
  if (word.size() < kShortest || is_plain_word(word)) return end;
  text.replace(token, word.size(), kMask);
  return token + kMask.size();
}

/// Masks what stands behind a scheme of HTTP, as its usual spellings end.
void mask_behind_schemes(std::string& text) {
  static constexpr std::array<std::string_view, 4> kEnds = {"earer ", "EARER ", "asic ", "ASIC "};
  for (const std::string_view end : kEnds)
    for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at)) {
      const bool is_scheme = at > 0 && lower_case(text[at - 1]) == 'b';
      at += end.size();
      if (is_scheme) at = mask_token(text, std::min(text.find_first_not_of(' ', at), text.size()));
    }
}

}  // namespace

void register_secret(std::string_view secret) {
  if (secret.size() < kShortest) return;
  Register& all = secret_register();
  const std::lock_guard lock(all.mutex);
  for (const std::string& form : {std::string(secret), escaped(secret),
                                  percent_encoded(secret, "%20"), percent_encoded(secret, "+")})
    if (std::find(all.secrets.begin(), all.secrets.end(), form) == all.secrets.end())
      all.secrets.push_back(form);
  std::stable_sort(all.secrets.begin(), all.secrets.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

void register_header_value(std::string_view value) {
  const bool may_be_name = std::all_of(value.begin(), value.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '.';
  });
  if (!may_be_name) register_secret(value);
}

void register_pem(std::string_view pem) {
  while (!pem.empty()) {
    const std::size_t end = std::min(pem.find('\n'), pem.size());
    const std::string_view line = trimmed(pem.substr(0, end));
    if (!line.starts_with("-----")) register_secret(line);
    pem.remove_prefix(std::min(end + 1, pem.size()));
  }
}

std::string without_secrets(std::string_view text) {
  std::string shown(text);
  Register& all = secret_register();
  {
    const std::lock_guard lock(all.mutex);
    for (const std::string& secret : all.secrets) replace_all(shown, secret);
  }
  mask_behind_schemes(shown);
  return shown;
}

}  // namespace gpu
