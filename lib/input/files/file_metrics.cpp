#include "input/files/file_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/ascii.hpp"
#include "base/duration.hpp"
#include "base/error.hpp"
#include "base/gzip.hpp"
#include "base/phrase.hpp"
#include "kube/process/signals.hpp"
#include "kube/read/gpu_devices.hpp"
#include "model/pools/node_pools.hpp"
#include "telemetry/dialects/text_reader.hpp"
#include "telemetry/exporters/scrape.hpp"
#include "telemetry/exporters/scrape_gaps.hpp"
#include "telemetry/live/custom_metrics.hpp"
#include "telemetry/prometheus/nodes.hpp"

namespace gpu::input {
namespace {

namespace fs = std::filesystem;

/// Of one text, unpacked: more is no exporter's.
constexpr std::uint64_t kMostTextBytes = std::uint64_t{128} << 20U;
constexpr std::size_t kMostNamed = 3;

/// "gpu-a1.prom.gz" without its ends.
std::string stem_of(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  for (const std::string_view end : {".gz", ".prom"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  return name;
}

/// The text of a file, unpacked where it is gzip, in pieces. Throws Error{data}.
void read_pieces(const std::string& path, const OnBytes& on_bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(ErrorKind::data, std::strerror(errno));
  std::uint64_t bytes = 0;
  const auto pass_on = [&](std::string_view piece) {
    bytes += piece.size();
    if (bytes > kMostTextBytes) throw Error(ErrorKind::data, "it is longer than 128 MiB");
    on_bytes(piece);
  };
  std::optional<Gunzip> gunzip;
  std::array<char, 1U << 16U> buffer{};
  for (bool is_first = true; in.read(buffer.data(), buffer.size()) || in.gcount() > 0;
       is_first = false) {
    kube::throw_if_interrupted();
    const std::string_view piece(buffer.data(), static_cast<std::size_t>(in.gcount()));
    if (is_first && is_gzip(piece)) gunzip.emplace(pass_on, kMostTextBytes);
    if (gunzip)
      gunzip->feed(piece);
    else
      pass_on(piece);
  }
  if (in.bad()) throw Error(ErrorKind::data, std::strerror(errno));
  if (gunzip) gunzip->finish();
}

/// An exporter's text in a file, read as it would be from the exporter, and no more of it.
class TextFile {
 public:
  explicit TextFile(std::vector<telemetry::Series>& series)
      : series_(series),
        reader_([this](telemetry::Series&& one) { store(std::move(one)); },
                [this](std::string_view name) {
                  if (!is_full_) last_name_ = name;
                  return telemetry::is_known_metric(name);
                }) {}
  TextFile(const TextFile&) = delete;  // reader_ calls it
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() = default;

  void feed(std::string_view piece) {
    constexpr std::size_t kHead = 64;
    if (head_.empty()) head_ = trimmed(piece).substr(0, kHead);
    if (!is_full_) reader_.feed(piece);
  }
  void finish() {
    if (!is_full_) return reader_.finish();
    // Of the metric at the cut some devices may be missing.
    std::erase_if(series_, [this](const telemetry::Series& one) { return one.name == last_name_; });
  }

  [[nodiscard]] const telemetry::TextReader& reader() const { return reader_; }
  [[nodiscard]] const std::string& head() const { return head_; }
  [[nodiscard]] bool is_full() const { return is_full_; }

 private:
  void store(telemetry::Series&& one) {
    if (is_full_) return;
    stored_ += stored_size(one);
    is_full_ = stored_ > telemetry::ScrapeLimits{}.stored_bytes;
    if (!is_full_) series_.push_back(std::move(one));
  }

  std::vector<telemetry::Series>& series_;
  telemetry::TextReader reader_;
  std::string head_;
  std::string last_name_;
  std::size_t stored_ = 0;
  bool is_full_ = false;
};

std::set<std::string, std::less<>> gpu_nodes_of(const Snapshot& snapshot) {
  std::set<std::string, std::less<>> names = kube::nodes_of_slices(snapshot);
  std::erase_if(names, [&](const std::string& name) {
    return std::none_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                        [&](const Node& node) { return node.name == name; });
  });
  for (const Node& node : snapshot.nodes)
    if (is_gpu_node(node)) names.insert(node.name);
  return names;
}

Coverage sight_of(const Snapshot& snapshot) {
  std::set<std::string, std::less<>> silent = gpu_nodes_of(snapshot);
  const std::size_t count = silent.size();
  for (const Sample& sample : snapshot.samples) silent.erase(sample.node);
  if (silent.size() == count) return Coverage::none;
  return silent.empty() ? Coverage::whole : Coverage::partial;
}

/// As many as would be taken from the exporter itself.
void cut_devices(const telemetry::Scrape& scrape, std::vector<Sample>& samples,
                 Snapshot& snapshot) {
  constexpr std::size_t kMost = telemetry::ScrapeLimits{}.devices;
  if (samples.size() <= kMost) return;
  snapshot.gaps.push_back(
      {.what = fmt::format("what is reported about {} was not read in full", scrape.origin.node),
       .why = fmt::format("of {} devices the first {} were taken", samples.size(), kMost),
       .help = "",
       .about = GapTopic::use,
       .nodes = {scrape.origin.node}});
  samples.resize(kMost);
}

void forget_window(Snapshot& snapshot) {
  snapshot.sample_window.reset();
  for (Sample& sample : snapshot.samples) {
    Measures& measures = sample.measures;
    measures.average_utilization.reset();
    measures.highest_utilization.reset();
    measures.highest_memory_bytes.reset();
    measures.idle_for.reset();
  }
}

}  // namespace

bool FileMetrics::are_wanted() const {
  return needs_.metrics.choice != kube::MetricsChoice::none || needs_.on_object != nullptr;
}

void FileMetrics::add_pod(const Pod& pod) {
  std::optional<telemetry::Exporter> exporter = telemetry::exporter_of(pod);
  if (!exporter) return;
  // Two files may hold the same pod: the first counts.
  if (std::none_of(exporters_.begin(), exporters_.end(), [&](const telemetry::Exporter& each) {
        return each.ns == exporter->ns && each.pod == exporter->pod;
      }))
    exporters_.push_back(std::move(*exporter));
}

void FileMetrics::add_text(const std::string& path) { paths_.push_back(path); }

bool FileMetrics::is_wanted(MetricSource source) const {
  switch (needs_.metrics.choice) {
    case kube::MetricsChoice::none:
      return false;
    case kube::MetricsChoice::automatic:
      return true;
    case kube::MetricsChoice::exporter:
      return source == MetricSource::exporter || source == MetricSource::exec;
    case kube::MetricsChoice::prometheus:
      return source == MetricSource::prometheus;
    case kube::MetricsChoice::custom:
      return source == MetricSource::custom;
  }
  return false;
}

void FileMetrics::add_scrape(const nlohmann::json& object) {
  telemetry::Scrape scrape = telemetry::scrape_of(object);
  if (!is_wanted(scrape.origin.source)) {
    leaves_some_out_ = true;
    return;
  }
  if (telemetry::continues_other(object) && !scrapes_.empty())
    std::move(scrape.series.begin(), scrape.series.end(),
              std::back_inserter(scrapes_.back().series));
  else
    scrapes_.push_back(std::move(scrape));
}

/// The exporter on `node`: the one named, or the only one there.
const telemetry::Exporter* FileMetrics::exporter_on(std::string_view node,
                                                    std::string_view pod) const {
  const telemetry::Exporter* found = nullptr;
  for (const telemetry::Exporter& exporter : exporters_) {
    if (exporter.node != node || (!pod.empty() && exporter.pod != pod)) continue;
    if (found != nullptr) return nullptr;
    found = &exporter;
  }
  return found;
}

/// Names of nodes and pods may hold "--" themselves.
std::optional<FileMetrics::Text> FileMetrics::text_at(const std::string& path,
                                                      const NodeNames& all_nodes) const {
  const std::string stem = stem_of(path);
  if (all_nodes.contains(stem)) return Text{path, stem, exporter_on(stem, "")};
  for (std::size_t at = stem.rfind("--"); at != std::string::npos && at > 0;
       at = stem.rfind("--", at - 1)) {
    const std::string node = stem.substr(0, at);
    if (all_nodes.contains(node)) return Text{path, node, exporter_on(node, stem.substr(at + 2))};
  }
  return std::nullopt;
}

void FileMetrics::read_texts(Snapshot& snapshot, const NodeNames& all_nodes,
                             std::optional<Time> read_at) {
  std::sort(paths_.begin(), paths_.end());
  std::vector<std::string> strangers;
  for (const std::string& path : paths_) {
    const std::optional<Text> text = text_at(path, all_nodes);
    if (!text) {
      strangers.push_back(fs::path(path).filename().string());
      continue;
    }
    const bool is_asked_for =
        std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                    [&](const Node& node) { return node.name == text->node; });
    if (!is_asked_for) continue;
    read_.insert(text->node);
    read_text(*text, snapshot, read_at);
  }
  if (!strangers.empty())
    snapshot.gaps.push_back({.what = "no node is called as " + few_and_rest(strangers, kMostNamed),
                             .why = "these texts are not read: the name of a file says whose it is",
                             .help = "call it NODE.prom, or NODE--EXPORTER POD.prom",
                             .about = GapTopic::use});
}

void FileMetrics::read_text(const Text& text, Snapshot& snapshot, std::optional<Time> read_at) {
  const std::string name = fs::path(text.path).filename().string();
  telemetry::Scrape scrape{.origin = {.node = text.node, .read_at = read_at}, .series = {}};
  if (text.exporter != nullptr) {
    scrape.origin.exporter = text.exporter->ns + "/" + text.exporter->pod;
    scrape.origin.interval = text.exporter->interval;
  }
  const auto add_gap = [&](std::string what, std::string why, Missing missing = Missing::none) {
    snapshot.gaps.push_back({.what = std::move(what),
                             .why = std::move(why),
                             .help = "",
                             .about = GapTopic::use,
                             .missing = missing,
                             .nodes = {text.node}});
  };
  const auto tell_of_none = [&](std::string why) {
    add_gap("no metrics from " + text.node, std::move(why), Missing::metrics);
  };
  TextFile file(scrape.series);
  try {
    read_pieces(text.path, [&](std::string_view piece) { file.feed(piece); });
    file.finish();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return tell_of_none(fmt::format("{}: {}", name, error.message()));
  }
  const telemetry::TextReader& reader = file.reader();
  if (const auto other = other_than_metrics(file.head(), reader); !other.empty())
    return tell_of_none(fmt::format("{} holds {}, and no exporter's text", name, other));
  if (reader.bad_count() > 0) {
    Gap gap = telemetry::gap_of_bad_lines(reader.bad_count(), name, bad_lines_in_words(reader));
    add_gap(std::move(gap.what), std::move(gap.why));
  }
  if (file.is_full())
    add_gap(fmt::format("{} was not read in full", name),
            fmt::format("only the first {} MiB of what it reports about GPUs were read",
                        telemetry::ScrapeLimits{}.stored_bytes >> 20U));
  if (scrape.series.empty())
    tell_of_none(reader.lines() == 0 ? name + " is empty: the exporter was starting or reloading"
                                     : name + " reports no GPU");
  if (needs_.on_object && !scrape.series.empty())
    needs_.on_object(scrape_json(scrape.series, scrape.origin), telemetry::kScrapeVersion,
                     telemetry::kScrapeKind);
  if (is_wanted(MetricSource::exporter)) scrapes_.push_back(std::move(scrape));
}

/// As they were when they were read from the cluster (Prometheus' labels need not name the node).
/// `first_text`: from there on scrapes are texts, which nobody has cut before.
void FileMetrics::read_samples(Snapshot& snapshot, std::size_t first_text) const {
  const telemetry::NodeFinder finder(snapshot, exporters_);
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const telemetry::Exporter& exporter : exporters_) names.emplace(exporter.ns, exporter.pod);
  const auto exports = [&](const SampleOwner& owner) {
    return names.contains({owner.ns, owner.pod});
  };
  for (const telemetry::Scrape& scrape : scrapes_) {
    if (scrape.origin.source == MetricSource::custom) {
      std::vector<Sample> samples = custom_samples(scrape.series, snapshot);
      std::move(samples.begin(), samples.end(), std::back_inserter(snapshot.samples));
      continue;
    }
    std::vector<Sample> samples = telemetry::samples_of(scrape.series, scrape.origin);
    if (static_cast<std::size_t>(&scrape - scrapes_.data()) >= first_text)
      cut_devices(scrape, samples, snapshot);
    for (Sample& sample : samples) {
      if (scrape.origin.source == MetricSource::prometheus) {
        if (const auto node = finder.node_of(sample)) sample.node = *node;
        fill_interval(sample, exporters_);
        std::erase_if(sample.owners, exports);
      }
      snapshot.samples.push_back(std::move(sample));
    }
  }
}

/// Of a folder that holds texts, which nodes have none; `kubectl get` alone promises no use.
void FileMetrics::tell_of_silent(Snapshot& snapshot) const {
  if (paths_.empty() || !is_wanted(MetricSource::exporter)) return;
  std::set<std::string, std::less<>> silent = gpu_nodes_of(snapshot);
  for (const Sample& sample : snapshot.samples) silent.erase(sample.node);
  std::erase_if(silent, [this](const std::string& node) { return read_.contains(node); });
  std::vector<telemetry::Scraped> not_ready;
  for (const telemetry::Exporter& exporter : exporters_)
    if (silent.contains(exporter.node) && !exporter.is_ready)
      not_ready.push_back({.exporter = exporter,
                           .fault = telemetry::ScrapeFault::not_ready,
                           .problem = "it is not ready"});
  for (Gap& gap : gaps_of(not_ready, {}, {})) {
    gap.about = GapTopic::use;
    snapshot.gaps.push_back(std::move(gap));
  }
  for (const telemetry::Scraped& each : not_ready) silent.erase(each.exporter.node);
  if (!silent.empty())
    snapshot.gaps.push_back({.what = "no metrics from " + telemetry::nodes_in_words(silent),
                             .why = "the folder holds texts of other nodes",
                             .help = "save what the exporter says as NODE.prom",
                             .about = GapTopic::use,
                             .missing = Missing::metrics,
                             .nodes = {silent.begin(), silent.end()}});
}

void FileMetrics::finish(Snapshot& snapshot, const NodeNames& all_nodes,
                         std::optional<Time> read_at) {
  const Coverage told = std::exchange(snapshot.use_coverage, Coverage::none);
  const std::size_t first_text = scrapes_.size();
  if (are_wanted()) read_texts(snapshot, all_nodes, read_at);
  if (needs_.metrics.choice == kube::MetricsChoice::none) return;
  read_samples(snapshot, first_text);
  snapshot.use_coverage = sight_of(snapshot);
  // A snapshot may know that it is not all: that an answer of Prometheus was partial.
  if (told != Coverage::none && paths_.empty() && !leaves_some_out_)
    snapshot.use_coverage = std::min(told, snapshot.use_coverage);
  tell_of_silent(snapshot);
  tell_of_window(snapshot);
}

/// Averages are over the time that the file says, whatever was asked for.
void FileMetrics::tell_of_window(Snapshot& snapshot) const {
  const auto& since = needs_.metrics.since;
  if (!since || snapshot.sample_window == since) return;
  const std::string asked = typed_duration(*since);
  if (!snapshot.sample_window || *snapshot.sample_window < *since) {
    snapshot.gaps.push_back(
        {.what = "averages, maxima and idle times over " + asked + " are unknown",
         .why = snapshot.sample_window
                    ? "the file looks back " + typed_duration(*snapshot.sample_window)
                    : "the file holds one moment",
         .help = "a snapshot of the cluster can look back\n"
                 "      kubectl gpu snapshot --since " +
                 asked + " cluster.json.gz",
         .about = GapTopic::use,
         .missing = Missing::window});
    forget_window(snapshot);
    return;
  }
  snapshot.gaps.push_back({.what = "averages and maxima are over " +
                                   typed_duration(*snapshot.sample_window) + ", not over " + asked,
                           .why = "that is what the file holds",
                           .help = "",
                           .about = GapTopic::use});
}

}  // namespace gpu::input
