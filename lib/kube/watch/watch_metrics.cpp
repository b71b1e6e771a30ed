#include "kube/watch/watch_metrics.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kube/http/fetcher.hpp"
#include "kube/read/gpu_devices.hpp"
#include "model/pools/node_pools.hpp"

namespace gpu::kube {
namespace {

using std::chrono::milliseconds;

bool is_about_use(const Gap& gap) { return gap.about == GapTopic::use; }

std::vector<Gap> gaps_about_use(const Snapshot& facts) {
  std::vector<Gap> gaps;
  std::copy_if(facts.gaps.begin(), facts.gaps.end(), std::back_inserter(gaps), &is_about_use);
  return gaps;
}

/// Whether somebody would see a difference: that the same was read again is none.
bool is_same(const std::vector<Sample>& before, const std::vector<Sample>& now) {
  return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                    [](Sample a, const Sample& b) {
                      a.at = b.at;
                      return a == b;
                    });
}

std::set<std::string, std::less<>> gpu_nodes_of(const Snapshot& facts) {
  auto nodes = nodes_of_slices(facts);
  for (const Node& node : facts.nodes)
    if (is_gpu_node(node)) nodes.insert(node.name);
  return nodes;
}

UseQuestion question_of(const Snapshot& facts, const WatchedMetrics::Exporters& exporters) {
  UseQuestion question{.facts = facts, .exporters = {}, .nodes = gpu_nodes_of(facts)};
  for (const auto& [key, exporter] : exporters) question.exporters.push_back(exporter);
  return question;
}

}  // namespace

WatchedMetrics::WatchedMetrics(Client& client, const Needs& needs, MetricsRhythm rhythm)
    : client_(client),
      choice_(needs.metrics.choice),
      interval_(needs.metrics.since ? rhythm.every_window : rhythm.every),
      patience_(rhythm.patience),
      has_read_(choice_ == MetricsChoice::none),
      reader_(client, needs, rhythm) {}

WatchedMetrics::~WatchedMetrics() = default;

milliseconds WatchedMetrics::until_due() const {
  constexpr milliseconds kLongest = std::chrono::hours{1};
  if (choice_ == MetricsChoice::none) return kLongest;
  if (mail_.is_there) return milliseconds::zero();
  if (thread_.joinable() && has_read_) return kLongest;
  const Clock::time_point next = thread_.joinable() ? patient_until_ : due_;
  return std::max(std::chrono::ceil<milliseconds>(next - Clock::now()), milliseconds::zero());
}

Changed WatchedMetrics::turn(Snapshot& facts, const Exporters& exporters) {
  if (choice_ == MetricsChoice::none) return Changed::no;
  try {
    if (!thread_.joinable() && Clock::now() >= due_) begin(facts, exporters);
    if (mail_.is_there) return take(facts);
    return lose_patience(facts);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    if (error.kind() == ErrorKind::usage && !has_read_) throw;
    return fail(facts, error);
  }
}

void WatchedMetrics::begin(const Snapshot& facts, const Exporters& exporters) {
  const Clock::time_point now = Clock::now();
  due_ = now + interval_;
  if (!std::exchange(has_begun_, true)) patient_until_ = now + patience_;
  generation_ = client_.session().generation;
  reader_.take_credentials(client_.session());
  thread_ = std::jthread([this, question = question_of(facts, exporters)](
                             std::stop_token stop) mutable { read(std::move(question), stop); });
}

/// In the thread.
void WatchedMetrics::read(UseQuestion question, std::stop_token stop) {
  std::optional<UseAnswer> answer;
  std::exception_ptr failure;
  try {
    answer = reader_.read(std::move(question), std::move(stop), [this](std::vector<Sample> some) {
      const std::lock_guard lock(mail_.mutex);
      mail_.samples = std::move(some);
      wake();
    });
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mail_.mutex);
  mail_.answer = std::move(answer);
  mail_.failure = std::move(failure);
  wake();
}

/// In the thread.
void WatchedMetrics::wake() {
  mail_.is_there = true;
  static_cast<void>(curl_multi_wakeup(client_.session().multi.get()));
}

Changed WatchedMetrics::take(Snapshot& facts) {
  std::optional<std::vector<Sample>> samples;
  std::optional<UseAnswer> answer;
  std::exception_ptr failure;
  {
    const std::lock_guard lock(mail_.mutex);
    mail_.is_there = false;
    samples = std::exchange(mail_.samples, std::nullopt);
    answer = std::exchange(mail_.answer, std::nullopt);
    failure = std::exchange(mail_.failure, nullptr);
  }
  if (answer || failure) {
    thread_.join();  // handing this over was the last that it did
    flush_log();
  }
  if (failure) std::rethrow_exception(failure);
  if (answer) return conclude(facts, std::move(*answer));
  if (!samples || is_same(facts.samples, *samples)) return Changed::no;
  facts.samples = std::move(*samples);
  return Changed::yes;
}

Changed WatchedMetrics::conclude(Snapshot& facts, UseAnswer answer) {
  const bool is_unchanged =
      is_same(facts.samples, answer.samples) && facts.use_coverage == answer.sight &&
      facts.sample_window == answer.window && gaps_about_use(facts) == answer.gaps;
  facts.samples = std::move(answer.samples);
  facts.use_coverage = answer.sight;
  facts.sample_window = answer.window;
  std::erase_if(facts.gaps, &is_about_use);
  std::move(answer.gaps.begin(), answer.gaps.end(), std::back_inserter(facts.gaps));
  has_read_ = true;
  const bool has_others = client_.session().generation != generation_;
  if (answer.is_refused && (has_others || renew_credentials(client_.session())))
    due_ = Clock::now();
  return is_unchanged ? Changed::no : Changed::yes;
}

Changed WatchedMetrics::fail(Snapshot& facts, const Error& error) {
  has_read_ = true;
  facts.samples.clear();
  facts.use_coverage = Coverage::none;
  std::erase_if(facts.gaps, &is_about_use);
  facts.gaps.push_back({.what = "live use could not be read",
                        .why = error.message(),
                        .help = error.help(),
                        .about = GapTopic::use});
  return Changed::yes;
}

void WatchedMetrics::flush_log() {
  std::ostream* const log = client_.session().options.log;
  const std::string text = reader_.take_log();
  if (log != nullptr && !text.empty()) *log << text << std::flush;
}

/// The cluster is shown without it until it comes.
Changed WatchedMetrics::lose_patience(Snapshot& facts) {
  if (has_read_ || !thread_.joinable() || Clock::now() < patient_until_) return Changed::no;
  has_read_ = true;
  facts.gaps.push_back({.what = "live use is still being read",
                        .why = "it takes longer than the rest, and is shown as soon as it comes",
                        .help = "",
                        .about = GapTopic::use});
  return Changed::yes;
}

}  // namespace gpu::kube
