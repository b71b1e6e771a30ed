#include "telemetry/exporters/scrape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "decode/objects/status.hpp"
#include "telemetry/exporters/scrape_gaps.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::telemetry {
namespace {

using std::chrono::milliseconds;

// Exporters that know no choice send 0.0.4 whatever is asked.
constexpr std::string_view kAccept =
    "text/plain;version=0.0.4, application/openmetrics-text;version=1.0.0;q=0.5, */*;q=0.1";
constexpr std::size_t kLongestQuote = 300;
constexpr std::size_t kHead = 64;

Time now_in_seconds() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string seconds(milliseconds time) {
  return fmt::format("{:g}s", std::chrono::duration<double>(time).count());
}

TextFormat format_of(std::string_view content_type) {
  if (content_type.starts_with("application/openmetrics-text")) return TextFormat::openmetrics;
  return content_type.starts_with("text/plain;") &&
                 content_type.find("version=0.0.4") != std::string_view::npos
             ? TextFormat::prometheus
             : TextFormat::unknown;
}

/// The first line of what somebody answered.
std::string first_words(std::string_view text) {
  text = trimmed(text);
  return std::string(text.substr(0, std::min(kLongestQuote, text.find_first_of("\r\n"))));
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Judgement {
  ScrapeFault fault = ScrapeFault::none;
  std::string problem;
};

/// Of an answer that is no 2xx: the API server's own word comes as a Status.
Judgement judge_refusal(const kube::Reply& reply, const Exporter& exporter) {
  const auto status = decode::status_from_body(reply.body);
  const std::string words = first_words(status ? status->message : reply.body);
  if (holds(words, "rror trying to reach service"))
    return {ScrapeFault::unreachable, "the API server cannot reach it: " + words};
  if (status && reply.status == 403) return {ScrapeFault::forbidden, words};
  if (status && reply.status == 404) return {ScrapeFault::gone, "it is not there any more"};
  if (status && reply.status == 401) return {ScrapeFault::no_answer, words};
  if (status && (reply.status == 502 || reply.status == 503 || reply.status == 504))
    return {ScrapeFault::unreachable, "the API server cannot reach it: " + words};
  if (reply.status == 401 || reply.status == 403)
    return {ScrapeFault::refused,
            fmt::format("it wants a login of its own (it answered {})", reply.status)};
  return {ScrapeFault::refused,
          fmt::format("it answered {} at {}", reply.status, first_words(exporter.path))};
}

/// Whether it answered that it speaks TLS, or that it does not.
bool is_wrong_scheme(const kube::Reply& reply, const Exporter& exporter) {
  if (reply.status < 400) return false;
  if (!exporter.is_tls) return holds(reply.body, "HTTP request to an HTTPS server");
  return holds(reply.body, "gave HTTP response to HTTPS client") ||
         holds(reply.body, "does not look like a TLS handshake");
}

}  // namespace

std::size_t stored_size(const Series& series) {
  std::size_t size = sizeof series + series.name.size();
  for (const auto& [name, value] : series.labels)
    size += 2 * sizeof(std::string) + name.size() + value.size();
  return size;
}

std::string_view other_than_metrics(std::string_view head, const TextReader& reader) {
  if (head.starts_with('<')) return "HTML";
  if (reader.lines() > 0) return {};
  // A last line without an end may not have been read.
  if (head.starts_with('{')) return "JSON";
  return reader.bad_count() > 0 ? "text of another kind" : std::string_view();
}

/// One exporter, while it is read.
struct Scraper::Job {
  Scraped told;
  kube::Request request;
  std::optional<std::size_t> number;  ///< of the request that waits or is under way
  std::unique_ptr<TextReader> reader;
  std::string head;       ///< how the text begins
  std::string last_name;  ///< of a metric: what follows of it is not known when the text is cut
  std::size_t bytes = 0;
  std::size_t stored = 0;
  kube::Clock::time_point started;  ///< the text
  kube::Clock::time_point asked;    ///< for it
  bool is_full = false;
  bool has_switched_scheme = false;
  bool has_waited = false;
  bool is_done = false;
  bool is_taken = false;  ///< what it told
};

Scraper::Scraper(kube::Session& session, std::vector<Exporter> exporters, ScrapeKeep keep,
                 const ScrapeLimits& limits)
    : session_(session), keep_(keep), limits_(limits), deadline_(kube::Clock::now() + limits.all) {
  fetcher_ = std::make_unique<kube::Fetcher>(session, limits.in_flight);
  jobs_.reserve(exporters.size());
  for (Exporter& exporter : exporters) {
    jobs_.push_back(std::make_unique<Job>());
    Job& job = *jobs_.back();
    job.told.exporter = std::move(exporter);
    if (job.told.exporter.is_ready) continue;
    job.told.fault = ScrapeFault::not_ready;
    job.told.problem = "it is not ready";
    job.is_done = true;
  }
  send_all();
}

Scraper::~Scraper() = default;

bool Scraper::is_done() const {
  return std::all_of(jobs_.begin(), jobs_.end(), [](const auto& job) { return job->is_done; });
}

std::vector<Scraped> Scraper::take_told() {
  std::vector<Scraped> told;
  for (const auto& job : jobs_) {
    if (!job->is_done || job->told.fault != ScrapeFault::none) continue;
    if (std::exchange(job->is_taken, true)) continue;
    std::vector<Sample> samples = std::exchange(job->told.samples, {});
    told.push_back(job->told);
    told.back().samples = std::move(samples);
  }
  return told;
}

std::vector<Scraped> Scraper::take() {
  std::vector<Scraped> all;
  all.reserve(jobs_.size());
  for (const auto& job : jobs_) all.push_back(std::move(job->told));
  jobs_.clear();
  return all;
}

void Scraper::turn(milliseconds longest) {
  if (is_done()) return;
  fetcher_->turn(longest);
  for (const kube::Fetcher::Outcome& outcome : fetcher_->take_outcomes()) {
    const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                  [&](const auto& each) { return each->number == outcome.number; });
    if (job != jobs_.end()) take_reply(**job, outcome.reply);
  }
  give_up_if_hopeless();
}

/// First one of each node, then the second of each: many pods on one node that call themselves
/// exporters do not keep the other nodes waiting.
void Scraper::send_all() {
  std::map<std::string_view, std::size_t> counts;
  std::multimap<std::size_t, Job*> rounds;
  for (const auto& job : jobs_)
    if (!job->is_done) rounds.emplace(counts[job->told.exporter.node]++, job.get());
  for (const auto& [round, job] : rounds) send(*job, {});
}

void Scraper::send(Job& job, kube::Clock::time_point not_before) {
  job.request = {};
  job.request.path = proxy_path(job.told.exporter);
  job.request.accept = kAccept;
  job.request.answerer = kube::Answerer::behind_proxy;
  job.request.limit = limits_.each;
  job.request.deadline = deadline_;
  job.asked = kube::Clock::now();
  job.request.most_bytes = limits_.text_bytes;
  job.request.on_start = [this, &job](std::string_view content_type) {
    job.told.series.clear();
    job.head.clear();
    job.bytes = job.stored = 0;
    job.is_full = false;
    job.started = kube::Clock::now();
    job.reader = std::make_unique<TextReader>(
        [this, &job](Series&& series) { store(job, std::move(series)); },
        [&job](std::string_view name) {
          if (!job.is_full) job.last_name = name;
          return is_known_metric(name);
        },
        format_of(content_type));
  };
  job.request.on_data = [this, &job](std::string_view bytes) {
    bytes_ += bytes.size();
    job.bytes += bytes.size();
    if (job.head.size() < kHead)
      job.head += job.head.empty() ? trimmed(bytes).substr(0, kHead) : bytes.substr(0, kHead);
    // A few bytes may unpack to very many lines, and meanwhile nobody else looks at the clock.
    const bool is_late = kube::Clock::now() > job.started + limits_.each;
    job.is_full = job.is_full || is_late;
    if (!job.is_full) job.reader->feed(bytes);
  };
  job.number = fetcher_->add(job.request, not_before);
}

void Scraper::store(Job& job, Series&& series) const {
  if (job.is_full) return;
  job.stored += stored_size(series);
  job.is_full = job.stored > limits_.stored_bytes;
  if (!job.is_full) job.told.series.push_back(std::move(series));
}

bool Scraper::is_sent_again(Job& job, const kube::Reply& reply) {
  if (reply.is_late) return false;
  if (is_wrong_scheme(reply, job.told.exporter) && !std::exchange(job.has_switched_scheme, true)) {
    job.told.exporter.is_tls = !job.told.exporter.is_tls;
    send(job, {});
    return true;
  }
  // For a moment after its start, and while it reads its settings anew, an exporter has nothing.
  const bool is_good = reply.status >= 200 && reply.status < 300;
  const bool has_lines = job.reader && job.reader->lines() + job.reader->bad_count() > 0;
  const bool is_empty = !has_lines && (job.head.empty() || job.head.front() == '#');
  const kube::Clock::time_point again = kube::Clock::now() + limits_.pause;
  if (!is_good || !is_empty || again >= deadline_ || std::exchange(job.has_waited, true))
    return false;
  send(job, again);
  return true;
}

void Scraper::take_reply(Job& job, const kube::Reply& reply) {
  job.number.reset();
  job.told.status = reply.status;
  // What came of the last line of a text that broke off is none. An exporter that dies may end its
  // text within a number, and a proxy calls that the end.
  const bool is_whole = job.reader && !job.reader->has_open_line() && !reply.error;
  if (is_whole && !reply.is_cut && !job.is_full) job.reader->finish();
  if (is_sent_again(job, reply)) return;
  finish(job, reply);
  switch (job.told.fault) {
    case ScrapeFault::forbidden:
    case ScrapeFault::unreachable:
    case ScrapeFault::late:
      failed_.insert(job.told.exporter.node);
      break;
    case ScrapeFault::none:
    case ScrapeFault::not_ready:
    case ScrapeFault::gone:
    case ScrapeFault::refused:
    case ScrapeFault::empty:
    case ScrapeFault::no_gpus:
    case ScrapeFault::no_text:
    case ScrapeFault::no_answer:
      has_answer_ = true;
      break;
  }
  job.is_done = true;
  job.reader.reset();
  if (job.told.fault != ScrapeFault::none || keep_ == ScrapeKeep::samples) job.told.series = {};
}

void Scraper::finish(Job& job, const kube::Reply& reply) {
  const auto fail = [&](ScrapeFault fault, std::string problem) {
    job.told.fault = fault;
    job.told.problem = std::move(problem);
  };
  if (reply.is_late) {
    // The clock may stand a moment before the limit that ended it.
    const bool is_all = kube::Clock::now() >= deadline_ || deadline_ < job.asked + limits_.each;
    return fail(ScrapeFault::late, "it gave no answer within " +
                                       seconds(is_all ? limits_.all : limits_.each) +
                                       (is_all ? " with all the others" : ""));
  }
  const bool is_good = reply.status >= 200 && reply.status < 300;
  if (is_good && job.bytes == 0)
    return fail(ScrapeFault::empty, "it answered but has no metrics (starting or reloading)");
  if (reply.error && reply.status < 300)
    return fail(ScrapeFault::no_answer, reply.error->message());
  if (!is_good) {
    Judgement judged = judge_refusal(reply, job.told.exporter);
    return fail(judged.fault, std::move(judged.problem));
  }
  if (const auto other = other_than_metrics(job.head, *job.reader); !other.empty())
    return fail(ScrapeFault::no_text, fmt::format("it answered with {}, not with metrics", other));
  if (job.reader->lines() == 0)
    return fail(ScrapeFault::empty, "it answered but has no metrics (starting or reloading)");
  read_samples(job, reply);
  if (job.told.samples.empty())
    fail(ScrapeFault::no_gpus,
         fmt::format("none of the {} lines of its text reports GPUs", job.reader->lines()));
}

void Scraper::read_samples(Job& job, const kube::Reply& reply) {
  Scraped& told = job.told;
  const auto remark = [&](const std::string& text) {
    told.remark += (told.remark.empty() ? "" : "; ") + text;
  };
  if (reply.is_cut || job.is_full) {
    // Of the metric at the cut some devices, or the end of a number, may be missing.
    std::erase_if(told.series, [&](const Series& each) { return each.name == job.last_name; });
    remark(reply.is_cut
               ? fmt::format("its text was cut after {} MB", limits_.text_bytes / 1'000'000)
               : fmt::format("only the first {} MiB of what it reports about GPUs were read",
                             limits_.stored_bytes >> 20U));
  }
  if (!reply.is_cut && !job.is_full && job.reader->has_open_line())
    remark("its text ends within a line, which was not read: it may be cut");
  told.bad_lines = job.reader->bad_count();
  told.bad_text = bad_lines_in_words(*job.reader);
  told.origin = {MetricSource::exporter, told.exporter.ns + "/" + told.exporter.pod,
                 told.exporter.node, now_in_seconds(), told.exporter.interval};
  told.samples = samples_of(told.series, told.origin);
  if (told.samples.size() > limits_.devices) {
    remark(fmt::format("of its {} devices the first {} were taken", told.samples.size(),
                       limits_.devices));
    told.samples.resize(limits_.devices);
  }
  told.devices = told.samples.size();
}

/// Where the first dozens all fail for reasons that lie with none of them, neither would the rest
/// answer, and it would take until the deadline.
void Scraper::give_up_if_hopeless() {
  if (has_answer_ || failed_.size() < limits_.in_flight || is_done()) return;
  fetcher_ = std::make_unique<kube::Fetcher>(session_, limits_.in_flight);
  const auto failed = std::find_if(jobs_.begin(), jobs_.end(), [](const auto& job) {
    return job->is_done && job->told.fault != ScrapeFault::not_ready;
  });
  for (const auto& job : jobs_) {
    if (job->is_done) continue;
    job->number.reset();
    job->told.is_given_up = true;
    job->told.fault = (*failed)->told.fault;
    job->told.problem =
        fmt::format("it was not queried, since none of the first {} answered", failed_.size());
    job->told.series = {};
    job->is_done = true;
  }
}

std::vector<Scraped> scrape(kube::CollectContext& reading, const std::vector<Exporter>& exporters) {
  constexpr milliseconds kLongestSleep{1000};
  const bool is_told = static_cast<bool>(reading.needs().on_object);
  Scraper scraper(reading.client().session(), exporters,
                  is_told ? ScrapeKeep::series_too : ScrapeKeep::samples);
  std::size_t counted = 0;
  while (!scraper.is_done()) {
    scraper.turn(kLongestSleep);
    reading.count_bytes(scraper.bytes() - std::exchange(counted, scraper.bytes()));
  }
  std::vector<Scraped> all = scraper.take();
  std::vector<Sample>& samples = reading.snapshot().samples;
  for (Scraped& one : all) {
    if (is_told && !one.samples.empty())
      reading.tell(scrape_json(one.series, one.origin), kScrapeVersion, kScrapeKind);
    std::move(one.samples.begin(), one.samples.end(), std::back_inserter(samples));
    one.samples = {};
    one.series = {};
  }
  return all;
}

}  // namespace gpu::telemetry
