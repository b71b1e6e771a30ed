#include "kube/http/trace.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace gpu::kube {
namespace {

constexpr int kLines = 6;
constexpr int kRequestHeaders = 7;
constexpr int kResponses = 8;
constexpr int kCurl = 9;
constexpr std::size_t kShownBody = 1024;
constexpr std::size_t kShownWarning = 1024;

/// A session of a login page in front of the API server is a credential too.
bool is_secret_response_header(std::string_view line) {
  const std::string name = lower_case(line.substr(0, line.find(':')));
  return name == "set-cookie" || name == "authorization" || name == "proxy-authorization";
}

}  // namespace

void Trace::request(std::string_view url, const std::vector<Header>& headers) {
  if (shows(kCurl)) {
    std::string command = "curl -v -XGET";
    for (const Header& header : headers)
      command += " -H " + shell_quoted(header.name + ": " + header.shown);
    *log_ << sanitize(command + " " + shell_quoted(url)) << '\n';
  }
  if (!shows(kRequestHeaders)) return;
  *log_ << sanitize(fmt::format("GET {}", url)) << "\nRequest Headers:\n";
  for (const Header& header : headers)
    *log_ << "    " << sanitize(header.name + ": " + header.shown) << '\n';
  log_->flush();
}

void Trace::answer(std::string_view url, std::string_view outcome,
                   std::chrono::milliseconds elapsed) {
  if (!shows(kLines)) return;
  *log_ << sanitize(fmt::format("GET {} {} in {} milliseconds", url, outcome, elapsed.count()))
        << std::endl;
}

void Trace::response_headers(const std::vector<std::string>& headers) {
  if (!shows(kResponses)) return;
  *log_ << "Response Headers:\n";
  for (const std::string& line : headers) {
    const std::string name = line.substr(0, line.find(':'));
    *log_ << "    " << sanitize(is_secret_response_header(line) ? name + ": <masked>" : line)
          << '\n';
  }
  log_->flush();
}

void Trace::error_body(std::string_view body) {
  // Anything but JSON is binary or somebody's login page.
  if (!shows(kResponses) || !body.starts_with('{')) return;
  // Masked before it is cut: half a token would not be known for one.
  constexpr std::size_t kSearched = 8 * kShownBody;
  const std::string shown = sanitize(body.substr(0, kSearched)).substr(0, kShownBody);
  *log_ << "Response Body: " << shown << (body.size() > kShownBody ? " [truncated]" : "")
        << std::endl;
}

void Trace::warning(std::string_view value) {
  if (log_ == nullptr) return;
  const std::string text = without_secrets(warning_text(value)).substr(0, kShownWarning);
  if (warned_.insert(text).second) *log_ << "Warning: " << sanitize(text) << std::endl;
}

void Trace::waiting(std::chrono::seconds wait, int status) {
  if (log_ == nullptr || told_waiting_) return;
  told_waiting_ = true;
  *log_ << fmt::format("waiting {} s: the API server is busy ({})", wait.count(), status)
        << std::endl;
}

void Trace::waiting_for_plugin(std::string_view name) {
  if (log_ != nullptr) *log_ << "waiting for credential plugin " << sanitize(name) << std::endl;
}

std::string warning_text(std::string_view value) {
  const std::size_t open = value.find('"');
  if (open == std::string_view::npos) return std::string(value);
  std::string text;
  for (std::size_t at = open + 1; at < value.size() && value[at] != '"'; ++at) {
    if (value[at] == '\\' && at + 1 < value.size()) ++at;
    text += value[at];
  }
  return text;
}

}  // namespace gpu::kube
