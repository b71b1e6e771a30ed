#include "kube/watch/use_reader.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kube/http/fetcher.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"
#include "model/snapshot/live.hpp"

namespace gpu::kube {
namespace {

using std::chrono::milliseconds;
using Names = std::set<std::string, std::less<>>;

/// Of a round: what it does not get through is asked again soon anyway.
constexpr milliseconds kRetryBudget{10'000};

std::string name_of(const telemetry::Exporter& exporter) {
  return key_of(exporter.ns, exporter.pod);
}

Names keys_of(const std::vector<telemetry::Exporter>& exporters) {
  Names keys;
  for (const telemetry::Exporter& each : exporters) keys.insert(name_of(each));
  return keys;
}

}  // namespace

Client UseReader::client_like(Client& client, std::ostream& log) {
  ClientOptions options = client.session().options;
  options.log = options.log != nullptr ? &log : nullptr;
  options.before_plugin = {};
  options.on_tick = {};
  Connection connection = client.connection();
  connection.credentials.exec.reset();
  connection.credentials.token_file.clear();
  return {std::move(connection), Environment(), std::move(options)};
}

UseReader::UseReader(Client& client, const Needs& needs, const MetricsRhythm& rhythm)
    : client_(client_like(client, log_)), needs_(needs), rhythm_(rhythm) {
  needs_.keep = {};
  needs_.on_object = {};
  needs_.on_progress = {};
  needs_.metrics.may_exec = false;  // a program in a pod every few seconds is too much
  prometheus_.pause = rhythm.pause;
  client_.exchange_on_tick([this] {
    if (stop_.stop_requested()) throw Error(ErrorKind::interrupted, "interrupted");
  });
}

void UseReader::take_credentials(const Session& session) {
  client_.session().setup = session.setup;
  client_.session().has_credentials = true;
}

std::string UseReader::take_log() {
  std::string text = log_.str();
  log_.str({});
  return text;
}

UseAnswer UseReader::read(UseQuestion question, std::stop_token stop, const OnSamples& on_samples) {
  stop_ = std::move(stop);
  round_began_ = Clock::now();
  Session& session = client_.session();
  session.is_refused = false;
  session.budget = RetryBudget(kRetryBudget);

  Snapshot snapshot = std::move(question.facts);
  snapshot.samples.clear();
  snapshot.gaps.clear();
  snapshot.sample_window.reset();
  snapshot.use_coverage = Coverage::none;
  telemetry::TelemetryPods pods{.exporters = std::move(question.exporters),
                                .is_whole = snapshot.pod_coverage == Coverage::whole};
  CollectContext reading(client_, needs_, snapshot);
  if (!needs_.only_namespace.empty()) find_in_all_namespaces(pods, snapshot.gaps);
  choose_exporters(reading, pods.exporters, question.nodes);

  const bool asks = telemetry::asks_exporters(needs_.metrics);
  const std::vector<telemetry::Exporter> asked =
      asks ? pods.exporters : std::vector<telemetry::Exporter>{};
  forget(keys_of(asked), question.nodes);
  std::vector<telemetry::Scraped> scraped = scrape(asked, on_samples);
  forget(keys_of(asked), question.nodes);
  const bool is_refused_now = is_refused(scraped);
  add_kept(scraped);
  snapshot.samples = kept_samples();
  const auto first_other = static_cast<std::ptrdiff_t>(snapshot.samples.size());
  if (!question.nodes.empty()) {
    needs_.metrics.deadline =
        Clock::now() + (needs_.metrics.since ? rhythm_.others_window : rhythm_.others);
    conclude_live_metrics(reading, std::move(pods), question.nodes, std::move(scraped),
                          prometheus_);
    needs_.metrics.deadline.reset();
  }
  others_.assign(snapshot.samples.begin() + first_other, snapshot.samples.end());
  return {.samples = std::move(snapshot.samples),
          .gaps = std::move(snapshot.gaps),
          .sight = snapshot.use_coverage,
          .window = snapshot.sample_window,
          .is_refused = is_refused_now};
}

/// Exporters live in other namespaces than the pods that are watched.
void UseReader::find_in_all_namespaces(telemetry::TelemetryPods& pods, std::vector<Gap>& gaps) {
  ListBatch batch(client_, "application/json");
  for (const std::string& selector : telemetry::exporter_selectors())
    batch.add(list_path("/api/v1/pods", {{"labelSelector", std::string(selector)}}),
              ItemReader::of_pods([&](const Pod& pod) { pods.add(pod); }));
  const std::vector<Reply> replies = batch.run();
  const auto failed =
      std::find_if(replies.begin(), replies.end(), [](const Reply& reply) { return !reply.ok(); });
  pods.is_whole = failed == replies.end();
  if (pods.is_whole) return;
  const Error error = error_of(*failed, client_.connection());
  gaps.push_back({.what = "exporters of GPU metrics in other namespaces cannot be found",
                  .why = error.message(),
                  .help = error.help(),
                  .about = GapTopic::use});
}

/// One that is slow does not hold up what the others told.
std::vector<telemetry::Scraped> UseReader::scrape(const std::vector<telemetry::Exporter>& exporters,
                                                  const OnSamples& on_samples) {
  constexpr milliseconds kBetween{500};
  const Names asked = keys_of(exporters);
  telemetry::Scraper scraper(client_.session(), exporters, telemetry::ScrapeKeep::samples);
  Clock::time_point told_at = Clock::now();
  while (!scraper.is_done()) {
    scraper.turn(kBetween);
    if (Clock::now() - told_at < kBetween || scraper.is_done()) continue;
    std::vector<telemetry::Scraped> told = scraper.take_told();
    told_at = Clock::now();
    if (told.empty()) continue;
    keep(std::move(told), asked);
    std::vector<Sample> samples = kept_samples();
    samples.insert(samples.end(), others_.begin(), others_.end());
    on_samples(std::move(samples));
  }
  keep(scraper.take_told(), asked);
  return scraper.take();
}

void UseReader::keep(std::vector<telemetry::Scraped> told, const Names& asked) {
  const Clock::time_point now = Clock::now();
  for (telemetry::Scraped& each : told) {
    // Where a pod was replaced, the old one's word would contradict the new one's.
    std::erase_if(kept_, [&](const auto& one) {
      return one.second.exporter.node == each.exporter.node && !asked.contains(one.first);
    });
    kept_[name_of(each.exporter)] = {each.exporter, std::move(each.samples), now};
  }
}

void UseReader::forget(const Names& asked, const Names& nodes) {
  // It is seen until the next round.
  const milliseconds interval = needs_.metrics.since ? rhythm_.every_window : rhythm_.every;
  const Clock::time_point oldest = Clock::now() - rhythm_.forget_after + interval;
  std::erase_if(kept_, [&](const auto& each) {
    const bool is_old = each.second.read < std::min(oldest, round_began_);
    return is_old || (!asked.contains(each.first) && !nodes.contains(each.second.exporter.node));
  });
}

/// Who misses a round is shown as he was, for a while.
void UseReader::add_kept(std::vector<telemetry::Scraped>& scraped) const {
  Names asked;
  for (telemetry::Scraped& each : scraped) {
    const std::string key = name_of(each.exporter);
    asked.insert(key);
    const auto kept = kept_.find(key);
    if (each.fault == telemetry::ScrapeFault::none || kept == kept_.end()) continue;
    each.devices = kept->second.samples.size();
    each.fault = telemetry::ScrapeFault::none;
  }
  for (const auto& [key, kept] : kept_)
    if (!asked.contains(key))
      scraped.push_back({.exporter = kept.exporter, .devices = kept.samples.size()});
}

std::vector<Sample> UseReader::kept_samples() const {
  std::vector<Sample> samples;
  for (const auto& [key, kept] : kept_)
    samples.insert(samples.end(), kept.samples.begin(), kept.samples.end());
  return samples;
}

/// What an exporter says of a login is no word of the API server's, which is asked itself then.
bool UseReader::is_refused(const std::vector<telemetry::Scraped>& scraped) {
  constexpr int kUnauthorized = 401;
  constexpr milliseconds kLimit{5'000};
  const bool is_asked =
      std::any_of(scraped.begin(), scraped.end(), [](const telemetry::Scraped& each) {
        return each.status == kUnauthorized && each.fault == telemetry::ScrapeFault::no_answer;
      });
  if (is_asked)
    static_cast<void>(client_.fetch(
        Request{.path = "/version", .on_throttle = OnThrottle::report, .limit = kLimit}));
  return client_.session().is_refused;
}

}  // namespace gpu::kube
