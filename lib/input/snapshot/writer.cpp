#include "input/snapshot/writer.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/time.hpp"
#include "decode/kinds/kind_info.hpp"
#include "input/snapshot/envelope.hpp"
#include "input/snapshot/trim.hpp"
#include "telemetry/dialects/interpret.hpp"
#include "telemetry/exporters/scrape_json.hpp"
#include "telemetry/live/custom_metrics.hpp"

namespace gpu::input {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// What the API serves: a group is often named after who made it, and under another name it would
/// seem not to be served.
const decode::KindInfo& api_groups() { return decode::info_of(ObjectKind::api_group); }

/// Text from a gap may be cut in the middle of a character. All else than ASCII is escaped: a
/// terminal obeys some of it, and whoever looks at a snapshot there is not to be fooled.
std::string dumped(const auto& value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

/// The longest name of ours that `name`, which is_known_metric(), is or ends with.
std::string without_prefix(const std::string& name) {
  std::string_view longest;
  for (const std::string_view known : telemetry::known_metrics()) {
    if (name.starts_with(known)) return name;  // with an ending of ours at most
    const std::size_t at = name.rfind(known);
    if (at != std::string::npos && known.size() > longest.size()) longest = known;
  }
  return longest.empty() ? name : name.substr(name.rfind(longest));
}

}  // namespace

SnapshotWriter::SnapshotWriter(SnapshotFile& file, Names names) : file_(file) {
  if (names == Names::redacted) redactor_.emplace();
  file_.write(std::string(R"({"apiVersion":"kubectl-gpu/v1","kind":")") +
              std::string(kSnapshotKind) + R"(","redacted":)" + (redactor_ ? "true" : "false") +
              ",\"items\":[");
}

void SnapshotWriter::add(const json& object, std::string_view api_version, std::string_view kind) {
  if (kind == telemetry::kScrapeKind && api_version == telemetry::kScrapeVersion)
    return add_scrape(object);
  add_kept(object, api_version, kind);
}

/// A long answer becomes several objects, which are read as one again: a reader takes no item that
/// is too long for its memory.
void SnapshotWriter::add_scrape(const json& scraped) {
  constexpr std::size_t kMostSeries = 10'000;
  telemetry::Scrape scrape = telemetry::scrape_of(scraped);
  const bool continues = scraped.value("continues", false);
  const bool is_adapter = scrape.origin.source == MetricSource::custom;
  std::erase_if(scrape.series, [&](const telemetry::Series& series) {
    return is_adapter ? !telemetry::adapter_name(series.name)
                      : !telemetry::is_known_metric(series.name);
  });
  // A site's own prefix says whose it is.
  if (redactor_)
    for (telemetry::Series& series : scrape.series)
      series.name =
          is_adapter ? *telemetry::adapter_name(series.name) : without_prefix(series.name);
  std::size_t begin = 0;
  do {
    const std::size_t end = std::min(scrape.series.size(), begin + kMostSeries);
    const auto at = [&](std::size_t i) {
      return std::make_move_iterator(scrape.series.begin() + static_cast<std::ptrdiff_t>(i));
    };
    json object = scrape_json({at(begin), at(end)}, scrape.origin);
    if (begin > 0 || continues) object["continues"] = true;
    add_kept(object, telemetry::kScrapeVersion, telemetry::kScrapeKind);
    begin = end;
  } while (begin < scrape.series.size());
}

void SnapshotWriter::add_kept(const json& object, std::string_view api_version,
                              std::string_view kind) {
  if (redactor_ && kind == api_groups().kind) return;
  const std::optional<json> kept = trimmed(object, api_version, kind);
  if (!kept) return;
  if (!kept->contains("continues")) ++counts_[std::string(kind)];
  if (!redactor_) return put_line(*kept);
  redactor_->learn(*kept);
  held_.push_back(kept->dump());
}

void SnapshotWriter::put_line(const json& object) {
  file_.write((std::exchange(has_lines_, true) ? ",\n" : "\n") + dumped(object));
}

void SnapshotWriter::finish(const Snapshot& snapshot) {
  if (redactor_) {
    redactor_->settle();
    for (const std::string& text : held_) put_line(redactor_->redacted(json::parse(text)));
    held_.clear();
  }
  Snapshot end;
  end.taken_at = snapshot.taken_at;
  end.server_version =
      redactor_ ? Redactor::version(snapshot.server_version) : snapshot.server_version;
  end.node_coverage = snapshot.node_coverage;
  end.pod_coverage = snapshot.pod_coverage;
  end.slice_coverage = snapshot.slice_coverage;
  end.claim_coverage = snapshot.claim_coverage;
  end.use_coverage = snapshot.use_coverage;
  end.scheduling.coverages = snapshot.scheduling.coverages;
  if (redactor_) end.scheduling.coverages.erase(std::string(api_groups().plural));
  end.sample_window = snapshot.sample_window;
  for (const Gap& gap : snapshot.gaps)
    end.gaps.push_back(redactor_ ? redactor_->redacted(gap) : gap);
  put_end(std::move(end));
}

void SnapshotWriter::put_end(Snapshot snapshot) {
  ordered_json taken_at;
  if (snapshot.taken_at) taken_at = format_time(*snapshot.taken_at);
  ordered_json version;
  if (!snapshot.server_version.empty()) version = snapshot.server_version;
  file_.write("\n],\n\"takenAt\":" + dumped(taken_at) + ",\n\"serverVersion\":" + dumped(version) +
              ",\n\"sight\":" + dumped(sight_json(snapshot)) +
              (snapshot.sample_window
                   ? ",\n\"sampleWindowSeconds\":" + std::to_string(snapshot.sample_window->count())
                   : "") +
              ",\n\"gaps\":" + dumped(gaps_json(snapshot)) + "}\n");
}

}  // namespace gpu::input
