#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "kube/http/easy.hpp"
#include "kube/http/request.hpp"
#include "kube/http/retry.hpp"
#include "kube/http/trace.hpp"
#include "kube/http/transport_error.hpp"

namespace gpu::kube {

/// One attempt at a request: an easy handle, and what has arrived so far. The handle points here,
/// so it neither moves nor copies.
class Transfer {
 public:
  /// `limit` is what is left of --request-timeout, zero: none. All arguments have to outlive it.
  Transfer(const Request& request, const RequestSetup& setup, const Share& share, Trace& trace,
           std::chrono::milliseconds limit);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] CURL* handle() const { return easy_.get(); }
  /// When the last bytes came; nothing while it connects, which has its own time limit.
  [[nodiscard]] std::optional<Clock::time_point> last_byte() const;
  [[nodiscard]] const std::string& retry_after() const { return retry_after_; }
  /// Whether an answer that has begun sent almost no bytes in the last `window`, which ends now.
  [[nodiscard]] bool is_trickling(Clock::time_point now, std::chrono::milliseconds window);

  /// The reply, once libcurl has finished with the handle. Throws what a callback threw. An
  /// Error{data} of a stream is not thrown: it becomes the reply's error, so that other streams go
  /// on.
  Reply finish(CURLcode code);
  /// The reply after a time limit; `silence` is how long no bytes, or almost none, had come.
  Reply give_up(std::chrono::milliseconds silence);

 private:
  void set_callbacks();
  void on_header(std::string_view line);
  void on_status_line(std::string_view line);
  void on_headers_end();
  std::size_t on_body(std::string_view bytes);
  std::size_t on_streamed(std::string_view bytes);
  void keep(std::string_view bytes);
  [[nodiscard]] bool streams() const;
  [[nodiscard]] bool is_html() const;
  [[nodiscard]] Phase phase() const;
  [[nodiscard]] TransportFailure failure(CURLcode code) const;
  void judge_answer();
  [[nodiscard]] std::chrono::milliseconds elapsed() const;

  static std::size_t header_callback(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t write_callback(char* data, std::size_t size, std::size_t count, void* self);
  static int progress_callback(void* self, curl_off_t total, curl_off_t now, curl_off_t up_total,
                               curl_off_t up_now);
  static curl_socket_t socket_callback(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int connected_callback(void* self, char* remote, char* local, int remote_port,
                                int local_port);

  const Request& request_;
  const RequestSetup& setup_;
  Trace& trace_;
  std::string shown_url_;
  StringList headers_;
  StringList connect_to_;
  Easy easy_;
  std::array<char, CURL_ERROR_SIZE> error_text_{};

  Reply reply_;
  std::string status_text_;  ///< "200 OK"
  std::string retry_after_;
  std::string location_;
  std::vector<std::string> header_lines_;
  std::exception_ptr thrown_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_byte_ = started_;
  curl_off_t received_ = 0;
  Clock::time_point window_start_ = started_;
  curl_off_t window_received_ = 0;  ///< of `received_`, when the window began
  int socket_error_ = 0;            ///< errno where no socket was to be had
  std::size_t streamed_ = 0;        ///< bytes given to on_data
  bool sent_ = false;
  bool body_began_ = false;
};

}  // namespace gpu::kube
