#include "kube/http/transfer.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "kube/config/url.hpp"
#include "kube/http/advice.hpp"

namespace gpu::kube {
namespace {

constexpr std::size_t kLargestBody = 16U << 20U;
constexpr std::size_t kLargestErrorBody = 1U << 20U;

bool is_success(int status) { return status >= 200 && status < 300; }

/// What all requests carry, and what this one asks for.
std::vector<Header> all_headers(const Request& request, const RequestSetup& setup) {
  std::vector<Header> headers = setup.headers;
  check_header_value("Accept", request.accept);
  headers.push_back({"Accept", request.accept, request.accept});
  for (const auto& [name, value] : request.headers) {
    check_header_value(name, value);
    headers.push_back({name, value, "<masked>"});
  }
  return headers;
}

std::vector<std::string> header_lines(const std::vector<Header>& headers) {
  std::vector<std::string> lines;
  lines.reserve(headers.size());
  // "Name;" is how libcurl is told of a header without a value.
  for (const Header& header : headers)
    lines.push_back(header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
  return lines;
}

std::string where(const std::string& location) {
  return without_userinfo(location.substr(0, location.find_first_of("?#")));
}

}  // namespace

Transfer::Transfer(const Request& request, const RequestSetup& setup, const Share& share,
                   Trace& trace, std::chrono::milliseconds limit)
    : request_(request), setup_(setup), trace_(trace) {
  if (!setup.endpoint.connect_to.empty()) connect_to_ = string_list({setup.endpoint.connect_to});
  easy_ = connected_handle(setup, connect_to_, share);
  const std::string url = request_url(setup.endpoint.base, request.path, setup.connection);
  shown_url_ = request_url(setup.endpoint.shown_base, request.path, setup.connection);
  std::vector<Header> headers = all_headers(request, setup);
  headers_ = string_list(header_lines(headers));
  set_option(easy_, CURLOPT_URL, url.c_str());
  set_option(easy_, CURLOPT_HTTPHEADER, headers_.get());
  set_option(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(limit.count()));
  set_callbacks();
  if (setup.connection.compression) headers.push_back({"Accept-Encoding", "gzip", "gzip"});
  trace_.request(shown_url_, headers);
}

void Transfer::set_callbacks() {
  set_option(easy_, CURLOPT_PRIVATE, static_cast<void*>(this));
  set_option(easy_, CURLOPT_ERRORBUFFER, error_text_.data());
  set_option(easy_, CURLOPT_HEADERFUNCTION, &Transfer::header_callback);
  set_option(easy_, CURLOPT_HEADERDATA, static_cast<void*>(this));
  set_option(easy_, CURLOPT_WRITEFUNCTION, &Transfer::write_callback);
  set_option(easy_, CURLOPT_WRITEDATA, static_cast<void*>(this));
  set_option(easy_, CURLOPT_XFERINFOFUNCTION, &Transfer::progress_callback);
  set_option(easy_, CURLOPT_XFERINFODATA, static_cast<void*>(this));
  set_option(easy_, CURLOPT_NOPROGRESS, 0L);
  set_option(easy_, CURLOPT_OPENSOCKETFUNCTION, &Transfer::socket_callback);
  set_option(easy_, CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  set_option(easy_, CURLOPT_PREREQFUNCTION, &Transfer::connected_callback);
  set_option(easy_, CURLOPT_PREREQDATA, static_cast<void*>(this));
}

/// Of libcurl's own sockets no other program may get one.
curl_socket_t Transfer::socket_callback(void* self, curlsocktype /*purpose*/,
                                        curl_sockaddr* address) {
  const int made = ::socket(address->family, address->socktype, address->protocol);
  if (made < 0) static_cast<Transfer*>(self)->socket_error_ = errno;
  if (made < 0) return CURL_SOCKET_BAD;
  ::fcntl(made, F_SETFD, FD_CLOEXEC);
  return made;
}

bool Transfer::is_trickling(Clock::time_point now, std::chrono::milliseconds window) {
  constexpr curl_off_t kLeast = 1000;  // bytes: no line is that slow
  if (!body_began_) window_start_ = now;
  if (now - window_start_ < window) return false;
  const curl_off_t came = received_ - std::exchange(window_received_, received_);
  window_start_ = now;
  return came < kLeast;
}

std::optional<Clock::time_point> Transfer::last_byte() const {
  if (!sent_) return std::nullopt;
  return last_byte_;
}

std::size_t Transfer::header_callback(char* data, std::size_t size, std::size_t count, void* self) {
  auto* const transfer = static_cast<Transfer*>(self);
  try {
    transfer->on_header(std::string_view(data, size * count));
    return size * count;
  } catch (...) {
    transfer->thrown_ = std::current_exception();
    return 0;
  }
}

std::size_t Transfer::write_callback(char* data, std::size_t size, std::size_t count, void* self) {
  auto* const transfer = static_cast<Transfer*>(self);
  try {
    return transfer->on_body(std::string_view(data, size * count));
  } catch (...) {
    // It may not fly through libcurl's C code: finish() throws it on.
    transfer->thrown_ = std::current_exception();
    return 0;
  }
}

int Transfer::progress_callback(void* self, curl_off_t /*total*/, curl_off_t now,
                                curl_off_t /*up_total*/, curl_off_t /*up_now*/) {
  auto* const transfer = static_cast<Transfer*>(self);
  // Counted before inflating, so a long run of compressed zeroes is not silence.
  if (std::exchange(transfer->received_, now) != now) transfer->last_byte_ = Clock::now();
  return 0;
}

int Transfer::connected_callback(void* self, char* /*remote*/, char* /*local*/, int /*remote_port*/,
                                 int /*local_port*/) {
  auto* const transfer = static_cast<Transfer*>(self);
  transfer->sent_ = true;
  transfer->last_byte_ = Clock::now();
  return CURL_PREREQFUNC_OK;
}

void Transfer::on_status_line(std::string_view line) {
  header_lines_.clear();
  retry_after_.clear();
  location_.clear();
  reply_ = Reply{};
  const std::size_t space = line.find(' ');
  status_text_ = space == std::string_view::npos ? "" : std::string(trimmed(line.substr(space)));
  std::from_chars(status_text_.data(), status_text_.data() + status_text_.size(), reply_.status);
}

void Transfer::on_header(std::string_view line) {
  last_byte_ = Clock::now();
  if (body_began_) return;  // a trailer
  line = trimmed(line);
  if (line.starts_with("HTTP/")) return on_status_line(line);
  if (line.empty()) return on_headers_end();
  header_lines_.emplace_back(line);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (equal_ignoring_case(name, "Content-Type")) reply_.content_type = value;
  if (equal_ignoring_case(name, "Retry-After")) retry_after_ = value;
  if (equal_ignoring_case(name, "Location")) location_ = value;
  if (equal_ignoring_case(name, "Warning")) trace_.warning(value);
}

void Transfer::on_headers_end() {
  if (reply_.status < 200) return;  // 100 Continue and its kin: the answer is still to come
  trace_.answer(shown_url_, status_text_, elapsed());
  trace_.response_headers(header_lines_);
  if (is_success(reply_.status) && request_.on_success) request_.on_success();
}

bool Transfer::is_html() const {
  static constexpr std::string_view kHtml = "text/html";
  return equal_ignoring_case(std::string_view(reply_.content_type).substr(0, kHtml.size()),
                             kHtml) &&
         request_.accept.find("text/") == std::string::npos;
}

bool Transfer::streams() const {
  return request_.on_data && is_success(reply_.status) && !is_html();
}

std::size_t Transfer::on_body(std::string_view bytes) {
  last_byte_ = Clock::now();
  const bool first = !std::exchange(body_began_, true);
  if (streams()) {
    if (first && request_.on_start) request_.on_start(reply_.content_type);
    return on_streamed(bytes);
  }
  keep(bytes);
  return reply_.error ? 0 : bytes.size();
}

std::size_t Transfer::on_streamed(std::string_view bytes) {
  const std::size_t most = request_.most_bytes;
  reply_.is_cut = most > 0 && bytes.size() > most - streamed_;
  const std::string_view wanted = reply_.is_cut ? bytes.substr(0, most - streamed_) : bytes;
  streamed_ += wanted.size();
  if (!wanted.empty()) request_.on_data(wanted);
  return wanted.size();  // fewer than came end the transfer
}

void Transfer::keep(std::string_view bytes) {
  const std::size_t limit = is_success(reply_.status) ? kLargestBody : kLargestErrorBody;
  if (reply_.body.size() + bytes.size() <= limit) {
    reply_.body += bytes;
    return;
  }
  reply_.error =
      Error(ErrorKind::data,
            fmt::format("the answer to {} is larger than {} MiB", shown_url_, limit >> 20U),
            "that is no Kubernetes answer to this question: is this address an API server? (" +
                described(setup_.connection) + ")");
}

std::chrono::milliseconds Transfer::elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
}

Phase Transfer::phase() const {
  if (body_began_ || reply_.status != 0) return Phase::reading;
  if (sent_) return Phase::waiting;
  long own_port = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_LOCAL_PORT, &own_port);
  return own_port > 0 ? Phase::handshaking : Phase::dialing;
}

TransportFailure Transfer::failure(CURLcode code) const {
  TransportFailure failure;
  failure.code = code;
  failure.detail = error_text_.front() != '\0' ? error_text_.data() : curl_easy_strerror(code);
  curl_easy_getinfo(easy_.get(), CURLINFO_SSL_VERIFYRESULT, &failure.verify);
  curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &failure.os_error);
  if (socket_error_ != 0) failure.os_error = socket_error_;
  curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &failure.proxy_code);
  failure.phase = phase();
  failure.has_body = body_began_;
  return failure;
}

Reply Transfer::finish(CURLcode code) {
  try {
    if (thrown_) std::rethrow_exception(thrown_);
  } catch (const Error& error) {
    const Error told = with_origin(error, setup_.connection);
    if (request_.lifetime != Lifetime::stream || told.kind() != ErrorKind::data) throw told;
    reply_.error = told;
    trace_.answer(shown_url_, "failed", elapsed());
    return std::move(reply_);
  }
  // A server that says 401 and drops the line has still said 401.
  const bool answered = code == CURLE_OK || reply_.status >= 300 || reply_.is_cut;
  reply_.is_late = !answered && code == CURLE_OPERATION_TIMEDOUT;
  if (!answered && !reply_.error) reply_.error = transport_error(failure(code), setup_.connection);
  if (!answered) {
    trace_.answer(shown_url_, "failed", elapsed());
    return std::move(reply_);
  }
  judge_answer();
  return std::move(reply_);
}

void Transfer::judge_answer() {
  if (!is_success(reply_.status)) trace_.error_body(reply_.body);
  if (reply_.error) return;
  if (is_success(reply_.status) && is_html()) {
    reply_.error = Error(
        ErrorKind::server,
        fmt::format("{} answered with HTML, not Kubernetes: a proxy or login page?", shown_url_),
        reach_help(setup_.connection));
  } else if (reply_.status >= 300 && reply_.status < 400) {
    reply_.error = Error(
        ErrorKind::server,
        fmt::format("{} answered {} and points to {}: a proxy or login page?", shown_url_,
                    status_text_, location_.empty() ? "nowhere" : where(location_)),
        reach_help(setup_.connection, "redirects are not followed, credentials would go along"));
  } else if (streams() && !body_began_ && request_.lifetime == Lifetime::answer) {
    reply_.error = Error(ErrorKind::data, fmt::format("the answer to {} is empty", shown_url_));
    reply_.error = with_origin(*reply_.error, setup_.connection);
  }
}

Reply Transfer::give_up(std::chrono::milliseconds silence) {
  TransportFailure failed = failure(CURLE_OPERATION_TIMEDOUT);
  const bool is_silent = Clock::now() - last_byte_ >= silence;
  failed.detail =
      (is_silent ? "nothing came for " : "hardly anything came for ") + go_duration(silence);
  reply_.is_late = true;
  reply_.error = transport_error(failed, setup_.connection);
  trace_.answer(shown_url_, "failed", elapsed());
  return std::move(reply_);
}

}  // namespace gpu::kube
