#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "telemetry/dialects/interpret.hpp"
#include "telemetry/dialects/text_reader.hpp"

/// What exporters' texts tell, for tests of dialects.
namespace gpu::telemetry::told {

inline std::vector<Series> series_in(std::string_view text) {
  std::vector<Series> series;
  TextReader reader([&series](Series&& one) { series.push_back(std::move(one)); });
  reader.feed(text);
  reader.finish();
  if (reader.bad_count() > 0)
    throw std::runtime_error("line " + std::to_string(reader.bad_lines().at(0).number) + ": " +
                             reader.bad_lines().at(0).why);
  return series;
}

/// As scraped from the pod exporters/one on node n1.
inline Origin scraped() { return {.exporter = "exporters/one", .node = "n1"}; }

inline Origin asked() { return {.source = MetricSource::prometheus}; }

inline std::vector<Sample> samples_in(std::string_view text, const Origin& origin = scraped()) {
  return samples_of(series_in(text), origin);
}

/// A file of tests/cases/metrics.
inline std::string case_text(const std::string& name) {
  std::ifstream in(std::string(METRICS_CASES) + "/" + name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.empty()) throw std::runtime_error("no such case: " + name);
  return text;
}

}  // namespace gpu::telemetry::told
