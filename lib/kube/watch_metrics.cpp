#include "kube/watch_metrics.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kube/gpu_devices.hpp"
#include "kube/list_batch.hpp"
#include "kube/list_path.hpp"
#include "model/pool.hpp"

namespace gpu::kube {
namespace {

using std::chrono::milliseconds;

bool is_about_use(const Gap& gap) { return gap.about == "use"; }

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

}  // namespace

WatchedMetrics::WatchedMetrics(Client& client, const Needs& needs, MetricsRhythm rhythm)
    : client_(client),
      needs_(needs),
      rhythm_(rhythm),
      has_read_(needs.metrics.choice == MetricsChoice::none) {
  needs_.on_object = {};
  needs_.on_progress = {};
  needs_.metrics.may_exec = false;  // a program in a pod every few seconds is too much
}

milliseconds WatchedMetrics::until_due() const {
  constexpr milliseconds kWhileReading{100};
  if (needs_.metrics.choice == MetricsChoice::none) return std::chrono::hours{1};
  if (scraper_) return kWhileReading;
  return std::max(std::chrono::ceil<milliseconds>(due_ - Clock::now()), milliseconds::zero());
}

Changed WatchedMetrics::turn(Snapshot& facts, const Exporters& exporters) {
  if (needs_.metrics.choice == MetricsChoice::none) return Changed::no;
  try {
    if (!scraper_ && Clock::now() >= due_) begin(facts, exporters);
    if (!scraper_) return Changed::no;
    scraper_->turn(milliseconds::zero());
    return scraper_->is_done() ? conclude(facts) : Changed::no;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return fail(facts, error);
  }
}

void WatchedMetrics::begin(const Snapshot& facts, const Exporters& exporters) {
  due_ = Clock::now() + (needs_.metrics.since ? rhythm_.every_window : rhythm_.every);
  nodes_ = gpu_nodes_of(facts);
  pods_ = {};
  pods_.is_whole = facts.pod_sight == Sight::whole;
  for (const auto& [key, exporter] : exporters) pods_.exporters.push_back(exporter);
  early_gaps_.clear();
  if (!needs_.only_namespace.empty()) find_in_all_namespaces();
  Snapshot scratch;
  Reading reading(client_, needs_, scratch);
  choose_exporters(reading, pods_.exporters, nodes_);
  std::move(scratch.gaps.begin(), scratch.gaps.end(), std::back_inserter(early_gaps_));
  const bool asks = asks_exporters(needs_.metrics);
  scraper_ = std::make_unique<Scraper>(
      client_.session(), asks ? pods_.exporters : std::vector<Exporter>{}, ScrapeKeep::samples);
}

/// Exporters live in other namespaces than the pods that are watched.
void WatchedMetrics::find_in_all_namespaces() {
  ListBatch batch(client_, "application/json");
  for (const std::string_view selector : exporter_selectors())
    batch.add(list_path("/api/v1/pods", {{"labelSelector", std::string(selector)}}),
              ItemReader::of_pods([this](const Pod& pod) { pods_.add(pod); }));
  const std::vector<Reply> replies = batch.run();
  const auto failed =
      std::find_if(replies.begin(), replies.end(), [](const Reply& reply) { return !reply.ok(); });
  pods_.is_whole = failed == replies.end();
  if (pods_.is_whole) return;
  const Error error = error_of(*failed, client_.connection());
  early_gaps_.push_back({.what = "exporters of GPU metrics in other namespaces cannot be found",
                         .why = error.message(),
                         .help = error.help(),
                         .about = "use"});
}

/// Who misses a round is shown as he was, for a while.
void WatchedMetrics::keep_samples(std::vector<Scraped>& scraped) {
  const Clock::time_point now = Clock::now();
  std::erase_if(kept_,
                [&](const auto& each) { return now - each.second.read >= rhythm_.forget_after; });
  for (Scraped& each : scraped) {
    const std::string key = key_of(each.exporter.ns, each.exporter.pod);
    if (each.fault == ScrapeFault::none) {
      kept_[key] = {std::exchange(each.samples, {}), now};
    } else if (const auto kept = kept_.find(key); kept != kept_.end()) {
      each.devices = kept->second.samples.size();
      each.fault = ScrapeFault::none;
    }
  }
}

Changed WatchedMetrics::conclude(Snapshot& facts) {
  std::vector<Scraped> scraped = scraper_->take();
  scraper_.reset();
  keep_samples(scraped);
  const std::vector<Gap> gaps_before = gaps_about_use(facts);
  const Sight sight_before = facts.use_sight;
  const std::vector<Sample> before = std::exchange(facts.samples, {});
  std::erase_if(facts.gaps, &is_about_use);
  facts.gaps.insert(facts.gaps.end(), early_gaps_.begin(), early_gaps_.end());
  for (const auto& [key, kept] : kept_)
    facts.samples.insert(facts.samples.end(), kept.samples.begin(), kept.samples.end());
  if (!nodes_.empty()) {
    Reading reading(client_, needs_, facts);
    const Clock::time_point now = Clock::now();
    const bool is_paused = now < paused_until_;
    needs_.metrics.deadline = is_paused ? now : now + rhythm_.others;
    conclude_live_metrics(reading, pods_, nodes_, std::move(scraped));
    if (!is_paused && Clock::now() >= *needs_.metrics.deadline)
      paused_until_ = Clock::now() + rhythm_.pause;
  }
  has_read_ = true;
  const bool is_unchanged = is_same(before, facts.samples) && sight_before == facts.use_sight &&
                            gaps_before == gaps_about_use(facts);
  return is_unchanged ? Changed::no : Changed::yes;
}

Changed WatchedMetrics::fail(Snapshot& facts, const Error& error) {
  scraper_.reset();
  has_read_ = true;
  std::erase_if(facts.gaps, &is_about_use);
  facts.gaps.push_back({.what = "live use could not be read",
                        .why = error.message(),
                        .help = error.help(),
                        .about = "use"});
  return Changed::yes;
}

}  // namespace gpu::kube
