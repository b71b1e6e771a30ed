#include "cmd/watch/watch_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "base/terminal.hpp"
#include "base/terminal_session.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/watch/keys.hpp"
#include "cmd/watch/screen.hpp"
#include "cmd/watch/table.hpp"
#include "kube/process/signals.hpp"

namespace gpu::cmd {
namespace {

using std::chrono::milliseconds;

constexpr int kStdin = 0;
constexpr int kStdout = 1;
constexpr milliseconds kBetweenAnswers{500};
/// An answer of a big cluster is dear: at most one part in so many of our time goes into them.
constexpr int kShareOfTime = 40;
constexpr milliseconds kLongestBetween{10'000};

/// The reader's own time: "12:03:04".
std::string clock_text(Time time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return "-";
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

/// One watch on the screen: what was shown last, and when to show more.
class Loop {
 public:
  Loop(kube::Watch& feed, const WatchedViews& views, const GlobalFlags& flags, Env& env,
       TerminalSession& session)
      : feed_(feed),
        views_(views),
        shown_(views.first),
        flags_(flags),
        env_(env),
        session_(session),
        screen_(session) {
    for (const WatchedView& view : views.views)
      tables_.emplace_back(view, number_text(views), format_of(flags));
  }

  void run() {
    has_news_ = true;
    for (;;) {
      refresh();
      if (std::exchange(is_dirty_, false) && !draw()) return;
      feed_.wait(longest_sleep(), session_.descriptor());
      take_notices();
      if (!take_keys()) return;
    }
  }

 private:
  [[nodiscard]] WatchTable& table() { return tables_[shown_]; }

  /// "1 nodes  2 gpus": which keys choose a view; empty of one alone.
  static std::string number_text(const WatchedViews& views) {
    if (views.views.size() < 2) return {};
    std::string text;
    for (std::size_t i = 0; i < views.views.size(); ++i)
      text += fmt::format("{}{} {}", i == 0 ? "" : "  ", i + 1, views.views[i].name);
    return text;
  }

  /// A new answer, when there is news and the last one is old enough.
  void refresh() {
    if (feed_.take_changed() == Changed::yes) has_news_ = is_update_ = true;
    const auto minute = std::chrono::floor<std::chrono::minutes>(env_.now());
    if (std::exchange(minute_, minute) != minute) has_news_ = true;  // ages
    if (std::string text = connection_text(); text != status_.connection) {
      status_.connection = std::move(text);
      is_dirty_ = true;
    }
    const milliseconds before = env_.uptime();
    if (!has_news_ || table().is_paused() || before < next_answer_) return;
    table().set(report_of(views_.views[shown_], feed_.snapshot(env_.now())));
    const milliseconds cost = env_.uptime() - before;
    next_answer_ = before + std::clamp(cost * kShareOfTime, kBetweenAnswers, kLongestBetween);
    if (is_update_ || status_.updated.empty()) status_.updated = clock_text(env_.now());
    has_news_ = is_update_ = false;
    is_dirty_ = true;
  }

  [[nodiscard]] std::string connection_text() const {
    const std::optional<kube::Lost> lost = feed_.lost();
    if (!lost) return {};
    return fmt::format("reconnecting, data {} old", human_duration(lost->age));
  }

  bool draw() {
    if (session_.is_suspended()) {
      session_.resume();
      screen_.forget();
    }
    const TerminalSize size = terminal_size(kStdout, env_.environment).value_or(TerminalSize{});
    return screen_.show(table().lines(size, out_style(flags_, env_), status_));
  }

  [[nodiscard]] milliseconds longest_sleep() {
    const auto now = env_.now();
    const auto next_minute = std::chrono::ceil<std::chrono::minutes>(now + std::chrono::seconds(1));
    milliseconds longest = next_minute - now;
    if (!status_.connection.empty()) longest = std::min(longest, milliseconds(1000));
    if (has_news_ && !table().is_paused())
      longest = std::min(longest, std::max(next_answer_ - env_.uptime(), milliseconds(1)));
    return longest;
  }

  void take_notices() {
    const kube::Notices notices = kube::take_notices();
    if (notices.stop_asked) {
      session_.suspend();
      kube::stop_as_asked();
    }
    // Whoever continued us has used the terminal meanwhile.
    if (notices.continued) session_.suspend();
    if (notices.resized) screen_.forget();
    if (notices.resized || session_.is_suspended()) is_dirty_ = true;
  }

  /// False when the reader has seen enough.
  bool take_keys() {
    typed_ += session_.read_keys();
    for (const Key key : cmd::take_keys(typed_)) {
      if (key == Key::quit) return false;
      if (const auto number = view_number(key))
        choose(*number);
      else
        table().press(key);
      is_dirty_ = true;
    }
    return true;
  }

  /// What another view showed last may be old.
  void choose(std::size_t view) {
    if (view >= tables_.size() || view == shown_) return;
    shown_ = view;
    has_news_ = true;
    next_answer_ = milliseconds(0);
  }

  kube::Watch& feed_;
  const WatchedViews& views_;
  std::size_t shown_;
  const GlobalFlags& flags_;
  Env& env_;
  TerminalSession& session_;
  Screen screen_;
  std::vector<WatchTable> tables_;  ///< of each view
  WatchStatus status_;
  std::string typed_;
  bool has_news_ = false;   ///< the answer may be another one
  bool is_update_ = false;  ///< because of the cluster, not of the time
  bool is_dirty_ = false;
  milliseconds next_answer_{0};
  std::chrono::sys_time<std::chrono::minutes> minute_{};
};

}  // namespace

void watch_on_screen(kube::Watch& feed, const WatchedViews& views, const GlobalFlags& flags,
                     Env& env, std::function<void()>& before_plugin) {
  const kube::TerminalSignals signals(&TerminalSession::give_back);
  TerminalSession session(kStdin, kStdout);
  before_plugin = [&] { session.suspend(); };
  try {
    Loop(feed, views, flags, env, session).run();
  } catch (...) {
    before_plugin = {};
    throw;
  }
  before_plugin = {};
}

}  // namespace gpu::cmd
