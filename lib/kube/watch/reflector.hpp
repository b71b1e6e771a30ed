#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "decode/objects/watch_framer.hpp"
#include "kube/http/client.hpp"
#include "kube/http/retry.hpp"
#include "kube/read/item_reader.hpp"

namespace gpu::kube {

/// What a Reflector follows, and its callbacks.
struct ReflectorSource {
  std::string path;  ///< "/api/v1/pods"
  std::vector<std::pair<std::string_view, std::string>> query;
  std::string accept;
  /// Creates the reader that passes on the items of a list; called for each list.
  std::function<ItemReader()> make_reader;
  /// A list begins, and a list ends. An object that was not in it is gone.
  std::function<void()> on_list_begin;
  std::function<void()> on_list_end;
  /// An object was added, modified or deleted.
  std::function<void(const decode::WatchEvent&)> on_event;
};

/// Follows one kind of object: lists it, watches it from the list's version on, watches again when
/// the server ends the watch, and lists again when that version is too old. It sends nothing
/// itself: next_request() returns the request to send, and take() gets the reply. The rules are
/// those of client-go's Reflector.
class Reflector {
 public:
  explicit Reflector(ReflectorSource source) : source_(std::move(source)) {}
  Reflector(const Reflector&) = delete;  // requests point here
  Reflector& operator=(const Reflector&) = delete;

  /// The request to send before the next call.
  const Request& next_request();
  /// Takes the reply. False if it failed: report the problem, and try again after a pause.
  bool take(const Reply& reply, Clock::time_point now);
  /// The request got no reply, because its connection was lost on the client's side.
  void lose(Clock::time_point now);

  /// Whether a list was read to its end.
  [[nodiscard]] bool has_listed() const { return has_listed_; }
  /// When to send the next request; nothing while one is in flight.
  [[nodiscard]] std::optional<Clock::time_point> due() const { return due_; }
  /// Since when there is no connection; nothing while all is well.
  [[nodiscard]] std::optional<Clock::time_point> lost_since() const { return lost_since_; }
  /// What was wrong with the last watch, where its reply was good.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  enum class Phase { list, watch };

  void prepare_list();
  void prepare_watch();
  void on_event(const decode::WatchEvent& event);
  bool take_list(const Reply& reply, Clock::time_point now);
  bool take_watch(const Reply& reply, Clock::time_point now);
  void list_again();
  void on_success();

  ReflectorSource source_;
  Phase phase_ = Phase::list;
  Request request_;
  std::optional<ItemReader> reader_;
  std::optional<decode::WatchFramer> framer_;
  std::string version_ = "0";  ///< empty: the newest, whatever the server has cached
  std::string next_page_;
  bool has_listed_ = false;
  bool is_expired_ = false;  ///< an error event reported that the version is too old
  bool is_broken_ = false;   ///< another error event came
  bool had_events_ = false;
  Clock::time_point started_{};
  std::optional<Clock::time_point> due_ = Clock::time_point{};
  std::optional<Clock::time_point> lost_since_;
  std::chrono::milliseconds pause_{0};
  std::string problem_;
};

}  // namespace gpu::kube
