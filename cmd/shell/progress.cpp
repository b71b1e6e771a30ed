#include "cmd/shell/progress.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "report/values.hpp"

namespace gpu::cmd {
namespace {

using std::chrono::milliseconds;

/// What is faster needs no words.
constexpr milliseconds kFirstAfter{300};
constexpr milliseconds kBetween{100};
constexpr milliseconds kFirstTold{10'000};
constexpr milliseconds kBetweenTold{60'000};
constexpr std::string_view kErase = "\r\x1b[K";

std::string counted(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", report::grouped(count), one, count == 1 ? "" : "s");
}

}  // namespace

Progress::Progress(const Env& env, report::Style style, std::string where)
    : env_(env),
      style_(style),
      where_(std::move(where)),
      is_on_(env.err_terminal && style.width && env.environment.get_or_empty("TERM") != "dumb"),
      next_(env.uptime() + kFirstAfter),
      next_told_(env.uptime() + kFirstTold) {}

Progress::~Progress() { end(); }

std::string Progress::counts_of(const kube::Progress& progress) {
  std::string text;
  if (progress.nodes > 0) text = " " + counted(progress.nodes, "node");
  if (progress.pods > 0) text += (text.empty() ? " " : ", ") + counted(progress.pods, "pod");
  return text;
}

std::string Progress::text_of(const kube::Progress& progress) const {
  const std::string_view dots = style_.utf8 ? "…" : "...";
  std::string text = counts_of(progress);
  if (!text.empty() || progress.bytes > 0)
    text = fmt::format("reading{} {}", text, dots);
  else
    text = fmt::format("connecting to {} {}", sanitize(where_), dots);
  // The last column stays free: some terminals wrap as soon as it is filled.
  const std::size_t room = style_.width.value_or(2) > 1 ? *style_.width - 1 : 1;
  return shorten_middle(text, room, dots);
}

/// In whole lines, for a file or a log.
void Progress::tell(const kube::Progress& progress) {
  if (is_over_ || env_.uptime() < next_told_) return;
  next_told_ = env_.uptime() + kBetweenTold;
  const std::string counts = counts_of(progress);
  env_.err << "still reading from " << sanitize(where_)
           << (counts.empty() ? "" : ":" + counts + " so far") << std::endl;
}

void Progress::show(const kube::Progress& progress) {
  if (!is_on_) return tell(progress);
  const milliseconds now = env_.uptime();
  if (now < next_) return;
  next_ = now + kBetween;
  std::string text = text_of(progress);
  if (text == shown_) return;
  env_.err << kErase << text << std::flush;
  shown_ = std::move(text);
}

void Progress::erase() {
  if (shown_.empty()) return;
  shown_.clear();
  env_.err << kErase << std::flush;
}

void Progress::end() {
  erase();
  is_over_ = true;
  is_on_ = false;
}

Progress::Buffer::int_type Progress::Buffer::overflow(int_type character) {
  progress_.erase();
  if (progress_.is_muted_ || traits_type::eq_int_type(character, traits_type::eof())) return 0;
  return progress_.env_.err.rdbuf()->sputc(traits_type::to_char_type(character));
}

std::streamsize Progress::Buffer::xsputn(const char* text, std::streamsize count) {
  progress_.erase();
  return progress_.is_muted_ ? count : progress_.env_.err.rdbuf()->sputn(text, count);
}

int Progress::Buffer::sync() { return progress_.env_.err.rdbuf()->pubsync(); }

}  // namespace gpu::cmd
