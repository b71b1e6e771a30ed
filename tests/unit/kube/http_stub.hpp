#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// An HTTP server on loopback that says what it is told to: `answer` gets the head of a request and
/// how many came before it, and gives the raw reply. A reply with "Connection: close" ends the
/// connection; an empty one leaves it open and silent.
class HttpStub {
 public:
  using Answer = std::function<std::string(const std::string& head, int index)>;

  explicit HttpStub(Answer answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener_, 64);
    socklen_t length = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    threads_.emplace_back([this] { accept_all(); });
  }
  HttpStub(const HttpStub&) = delete;
  HttpStub& operator=(const HttpStub&) = delete;

  ~HttpStub() {
    ::shutdown(listener_, SHUT_RDWR);
    threads_.front().join();
    {
      const std::lock_guard lock(mutex_);
      for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
    }
    for (std::size_t i = 1; i < threads_.size(); ++i) threads_[i].join();
    for (const int connection : connections_) ::close(connection);
    ::close(listener_);
  }

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] int requests() const { return requests_; }
  [[nodiscard]] std::size_t connections() const {
    const std::lock_guard lock(mutex_);
    return connections_.size();
  }
  [[nodiscard]] std::string last_head() const {
    const std::lock_guard lock(mutex_);
    return last_head_;
  }

  static std::string reply(const std::string& status, const std::string& type,
                           const std::string& body, const std::string& more = {}) {
    return "HTTP/1.1 " + status + "\r\nContent-Type: " + type +
           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more + "\r\n" + body;
  }

 private:
  void accept_all() {
    for (;;) {
      const int connection = ::accept(listener_, nullptr, nullptr);
      if (connection < 0) return;
      const std::lock_guard lock(mutex_);
      connections_.push_back(connection);
      threads_.emplace_back([this, connection] { serve(connection); });
    }
  }

  void serve(int connection) {
    std::string received;
    std::string chunk(4096, '\0');
    for (;;) {
      const ssize_t count = ::recv(connection, chunk.data(), chunk.size(), 0);
      if (count <= 0) return;
      received.append(chunk, 0, static_cast<std::size_t>(count));
      const std::size_t end = received.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      const std::string head = received.substr(0, end);
      received.erase(0, end + 4);
      {
        const std::lock_guard lock(mutex_);
        last_head_ = head;
      }
      const std::string raw = answer_(head, requests_++);
      for (std::size_t sent = 0; sent < raw.size();) {
        const ssize_t written =
            ::send(connection, raw.data() + sent, raw.size() - sent, MSG_NOSIGNAL);
        if (written <= 0) return;
        sent += static_cast<std::size_t>(written);
      }
      if (raw.find("Connection: close") != std::string::npos) {
        ::shutdown(connection, SHUT_RDWR);
        return;
      }
    }
  }

  Answer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> requests_ = 0;
  mutable std::mutex mutex_;
  std::vector<int> connections_;
  std::string last_head_;
  std::vector<std::thread> threads_;
};
