#include "telemetry/prometheus/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace gpu::telemetry {
namespace {

constexpr std::size_t kLongestWords = 200;
/// What a page says stands at its beginning.
constexpr std::size_t kMostPageBytes = 4096;

/// `page` without its tags; styles and scripts are no words.
std::string text_of_page(std::string_view page) {
  page = page.substr(0, kMostPageBytes);
  const std::size_t body = lower_case(page).find("<body");
  if (body != std::string::npos) page.remove_prefix(body);
  std::string text;
  bool is_in_tag = false;
  for (const char c : page) {
    if (c == '<') is_in_tag = true;
    if (!is_in_tag) text += c;
    if (c == '>') {
      is_in_tag = false;
      text += ' ';
    }
  }
  return text;
}

/// On one line, with one space between words.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!is_space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string error_in(const nlohmann::json& answer) {
  for (const char* const name : {"error", "message", "msg"})
    if (const auto found = answer.find(name); found != answer.end() && found->is_string())
      return found->get<std::string>();
  return {};
}

}  // namespace

std::string words_in(std::string_view body) {
  std::string words;
  const std::size_t start = body.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return {};
  body.remove_prefix(start);
  const nlohmann::json answer =
      body.front() == '{' ? nlohmann::json::parse(body, nullptr, false) : nlohmann::json();
  if (answer.is_object())
    words = error_in(answer);
  else if (body.front() == '<')
    words = text_of_page(body);
  else
    words = body.substr(0, body.find_first_of("\r\n"));
  words = sanitize(on_one_line(words));
  if (words.size() <= kLongestWords) return words;
  std::size_t end = kLongestWords;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0U) == 0x80U) --end;
  return words.substr(0, end) + "...";
}

bool speaks_of_tenants(std::string_view words) {
  static constexpr std::array<std::string_view, 5> kWords = {"org id", "orgid", "org-id", "tenant",
                                                             "organization"};
  const std::string lower = lower_case(words);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::string tenant_help() {
  return "name the tenant whose metrics are meant, in the header that the server knows:\n"
         "--prometheus-header 'X-Scope-OrgID: TENANT'";
}

QueryProblem refusal_problem(const kube::Reply& reply, const PrometheusPlace& place) {
  const std::string words = words_in(reply.body);
  QueryProblem problem{.why = fmt::format("it answered {}", reply.status), .help = {}};
  problem.why += words.empty() ? ": it wants to know who asks" : ": " + words;
  if (speaks_of_tenants(words)) {
    problem.help = tenant_help();
  } else if (!place.outside) {
    problem.why += "; the API server's proxy passes no credentials on";
    problem.help = "ask it directly:\n--prometheus-url https://HOST --prometheus-token-file FILE";
  } else if (place.outside->connection().credentials.token.empty() ||
             place.outside->connection().server.starts_with("http://")) {
    problem.help =
        "give it a bearer token, which is sent over https only:\n--prometheus-token-file FILE";
  } else {
    problem.help = "the token was sent: has it expired, and may its owner query?";
  }
  return problem;
}

}  // namespace gpu::telemetry
