#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/http/fetcher.hpp"
#include "kube/read/collect_context.hpp"
#include "model/gpu/sample.hpp"
#include "telemetry/dialects/interpret.hpp"
#include "telemetry/dialects/series.hpp"
#include "telemetry/dialects/text_reader.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::telemetry {

/// Why an exporter reported nothing.
enum class ScrapeFault {
  none,
  not_ready,    ///< its pod; no request was sent
  forbidden,    ///< the API server refuses: get on pods/proxy
  unreachable,  ///< the API server got no connection to the pod
  late,
  gone,      ///< there is no such pod any more
  refused,   ///< it answered with an error, or requires a login
  empty,     ///< it answered and has no metrics
  no_gpus,   ///< metrics, none of a GPU
  no_text,   ///< HTML, JSON: something else answers there
  no_answer  ///< of the API server
};

/// What came of reading one exporter.
struct Scraped {
  Exporter exporter;
  std::size_t devices = 0;  ///< number in its text
  ScrapeFault fault = ScrapeFault::none;
  std::string problem;       ///< why it reports none: "gave no answer within 5s"; empty: no problem
  int status = 0;            ///< of HTTP; 0: no answer
  bool is_given_up = false;  ///< no request was sent: none before it answered
  std::string remark;        ///< what was not read of a text that is good otherwise
  std::size_t bad_lines = 0;
  std::string bad_text;  ///< the first of them, and why
  Origin origin;
  std::vector<Sample> samples;
  std::vector<Series> series;  ///< what `samples` were read from, if the caller wants it
};

/// What is kept of the texts.
enum class ScrapeKeep { samples, series_too };

/// How long scraping may take, and how much it may read.
struct ScrapeLimits {
  std::size_t in_flight = 32;
  std::chrono::milliseconds each{5'000};
  std::chrono::milliseconds all{15'000};
  std::chrono::milliseconds pause{1'000};  ///< before a request is repeated after an empty answer
  std::size_t text_bytes = 100'000'000;    ///< of one exporter, inflated
  std::size_t stored_bytes = 16U << 20U;   ///< of its series about GPUs
  std::size_t devices = 1024;              ///< of one exporter
};

/// Bytes that `series` takes in memory.
std::size_t stored_size(const Series& series);

/// The kind of a text that is not an exporter's, by its first bytes and by what could be read of
/// it: "HTML", "JSON", "text of another kind"; empty: it may be one.
std::string_view other_than_metrics(std::string_view head, const TextReader& reader);

/// Reads exporters through the pod proxy of the API server, in parallel, on a shared session.
class Scraper {
 public:
  /// `session` has to outlive it.
  Scraper(kube::Session& session, std::vector<Exporter> exporters, ScrapeKeep keep,
          const ScrapeLimits& limits = {});
  Scraper(const Scraper&) = delete;
  Scraper& operator=(const Scraper&) = delete;
  ~Scraper();

  /// Sleeps until bytes come, at most `longest`, and reads them. Throws as Client::fetch() does.
  void turn(std::chrono::milliseconds longest);
  [[nodiscard]] bool is_done() const;
  /// Bytes of texts so far.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Those that reported something and were not taken before, in the order given.
  std::vector<Scraped> take_told();
  /// Once it is done: all, in the order given; the samples that take_told() took are gone.
  std::vector<Scraped> take();

 private:
  struct Job;

  void send_all();
  void send(Job& job, kube::Clock::time_point not_before);
  void store(Job& job, Series&& series) const;
  void take_reply(Job& job, const kube::Reply& reply);
  bool is_sent_again(Job& job, const kube::Reply& reply);
  void finish(Job& job, const kube::Reply& reply);
  void read_samples(Job& job, const kube::Reply& reply);
  void give_up_if_hopeless();

  kube::Session& session_;
  ScrapeKeep keep_;
  ScrapeLimits limits_;
  kube::Clock::time_point deadline_;
  std::vector<std::unique_ptr<Job>> jobs_;  // requests point into them
  std::unique_ptr<kube::Fetcher> fetcher_;  // refers to the requests
  std::size_t bytes_ = 0;
  std::set<std::string> failed_;  ///< nodes: for reasons that lie with none of their exporters
  bool has_answer_ = false;       ///< of any exporter
};

/// Reads all `exporters` through the pod proxy into the snapshot: at most 32 in flight, 5 s each,
/// 15 s in all. What came of each, in the order given, without their samples.
std::vector<Scraped> scrape(kube::CollectContext& reading, const std::vector<Exporter>& exporters);

}  // namespace gpu::telemetry
