#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kube/http/client.hpp"
#include "kube/http_stub.hpp"

/// An API server on loopback that answers paths (without their query) with JSON, and every other
/// path with the 404 of a real one; it writes down what it was asked.
class ApiStub {
 public:
  struct ResourceRequest {
    std::string path;
    std::string query;
    std::string accept;
  };

  explicit ApiStub(std::map<std::string, std::string> bodies)
      : bodies_(std::move(bodies)),
        stub_([this](const std::string& head, int) { return answer(head); }) {}

  /// As the API server refuses: a Status of 403 for this path.
  void forbid(const std::string& path, const std::string& resource) {
    const std::lock_guard lock(mutex_);
    failures_[path] = {
        "403 Forbidden",
        R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden",
       "code":403,"message":"RES is forbidden: User \"u\" cannot list resource \"RES\""})"};
    replace_all(failures_[path].second, "RES", resource);
  }
  /// `status` ("500 Internal Server Error") and body for this path.
  void fail(const std::string& path, const std::string& status, const std::string& body) {
    const std::lock_guard lock(mutex_);
    failures_[path] = {status, body};
  }

  [[nodiscard]] std::vector<ResourceRequest> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  /// How often a path was asked for.
  [[nodiscard]] int times(const std::string& path) const {
    int count = 0;
    for (const ResourceRequest& each : asked()) count += each.path == path ? 1 : 0;
    return count;
  }

  [[nodiscard]] gpu::kube::Client client() const {
    gpu::kube::Connection connection;
    connection.server = stub_.url();
    gpu::kube::ClientOptions options;
    options.user_agent = "kubectl-gpu/test";
    options.silence_timeout = std::chrono::seconds(5);
    return {connection, gpu::Environment(), options};
  }

 private:
  static void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
      text.replace(at, from.size(), to);
  }

  static std::string header_in(const std::string& head, const std::string& name) {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const std::size_t start = at + name.size() + 4;
    return head.substr(start, head.find("\r\n", start) - start);
  }

  std::string answer(const std::string& head) {
    const std::string target = head.substr(4, head.find(' ', 4) - 4);
    const std::size_t mark = std::min(target.find('?'), target.size());
    const std::string path = target.substr(0, mark);
    const std::lock_guard lock(mutex_);
    asked_.push_back({path, target.substr(mark), header_in(head, "Accept")});
    if (const auto found = failures_.find(path); found != failures_.end())
      return HttpStub::reply(found->second.first, "application/json", found->second.second);
    if (const auto found = bodies_.find(path); found != bodies_.end())
      return HttpStub::reply("200 OK", "application/json", found->second);
    return HttpStub::reply("404 Not Found", "text/plain", "404 page not found\n");
  }

  std::map<std::string, std::string> bodies_;
  std::map<std::string, std::pair<std::string, std::string>> failures_;
  mutable std::mutex mutex_;
  std::vector<ResourceRequest> asked_;
  HttpStub stub_;
};
