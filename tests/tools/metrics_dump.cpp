// Reads an exporter's text on standard input and writes what the program's reader makes of it: one
// line of JSON for each series, then one with the counts.
// Usage: metrics_dump [unknown|prometheus|openmetrics] [BYTES AT A TIME]
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "telemetry/dialects/text_reader.hpp"

namespace {

using gpu::telemetry::TextFormat;
using nlohmann::json;

std::string text_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

void print(const gpu::telemetry::Series& series) {
  json labels = json::object();
  for (const auto& [name, value] : series.labels) labels[name] = value;
  json line = {{"name", series.name}, {"labels", labels}, {"value", text_of(series.value)}};
  line["at"] = series.at ? json(series.at->time_since_epoch().count()) : json(nullptr);
  std::puts(line.dump().c_str());
}

void read_all(gpu::telemetry::TextReader& reader, std::size_t part) {
  std::string buffer(part, '\0');
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stdin))
    reader.feed({buffer.data(), count});
  reader.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string format = argc > 1 ? argv[1] : "unknown";
  const long part = argc > 2 ? std::atol(argv[2]) : 65'536;
  const bool is_known = format == "unknown" || format == "prometheus" || format == "openmetrics";
  if (!is_known || part <= 0) return std::fputs("see the head of metrics_dump.cpp\n", stderr), 2;
  gpu::telemetry::TextReader reader(print, {},
                                    format == "prometheus"    ? TextFormat::prometheus
                                    : format == "openmetrics" ? TextFormat::openmetrics
                                                              : TextFormat::unknown);
  read_all(reader, static_cast<std::size_t>(part));
  json bad = json::array();
  for (const auto& line : reader.bad_lines())
    bad.push_back({{"number", line.number}, {"why", line.why}});
  const json counts = {
      {"lines", reader.lines()}, {"bad_count", reader.bad_count()}, {"bad_lines", bad}};
  std::puts(counts.dump().c_str());
  return 0;
}
