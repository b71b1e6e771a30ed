#include "telemetry/exporters/scrape_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.hpp"

namespace gpu::telemetry {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& member, const std::string& expected) {
  throw Error(ErrorKind::data, "Scrape: " + member + ": expected " + expected);
}

/// JSON has no such numbers; the words are those of Prometheus' answers.
json value_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return value;
}

double value_of(const json& value, const std::string& member) {
  if (value.is_number()) return value.get<double>();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "+Inf") return std::numeric_limits<double>::infinity();
  if (value == "-Inf") return -std::numeric_limits<double>::infinity();
  fail(member, "a number, NaN, +Inf, or -Inf");
}

/// Empty where there is none.
std::string text_in(const json& object, const char* name, const std::string& member) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  if (!found->is_string()) fail(member, "a string");
  return found->get<std::string>();
}

std::optional<Time> time_in(const json& object, const char* name, const std::string& member) {
  const std::string text = text_in(object, name, member);
  if (text.empty()) return std::nullopt;
  const std::optional<Time> time = parse_time(text);
  if (!time) fail(member, "a time such as 2026-11-01T10:00:00Z");
  return time;
}

/// Above 0, and no more than a day.
std::optional<std::chrono::milliseconds> interval_in(const json& object) {
  constexpr const char* kName = "intervalMilliseconds";
  constexpr std::int64_t kMost = 24 * 60 * 60 * 1000;
  const auto found = object.find(kName);
  if (found == object.end() || found->is_null()) return std::nullopt;
  const auto value = found->is_number_integer() ? found->get<std::int64_t>() : 0;
  if (value <= 0 || value > kMost) fail(kName, "a whole number above 0, of at most a day");
  return std::chrono::milliseconds(value);
}

MetricSource source_in(const json& object) {
  const std::string name = text_in(object, "source", "source");
  for (const MetricSource source :
       {MetricSource::exporter, MetricSource::prometheus, MetricSource::custom, MetricSource::exec})
    if (name == name_of(source)) return source;
  fail("source", "exporter, prometheus, custom, or exec");
}

StringMap labels_in(const json& object, const std::string& member) {
  StringMap labels;
  const auto found = object.find("labels");
  if (found == object.end() || found->is_null()) return labels;
  if (!found->is_object()) fail(member, "an object");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) fail(member + "." + key, "a string");
    if (!value.get_ref<const std::string&>().empty()) labels.set(key, value.get<std::string>());
  }
  return labels;
}

Series series_of(const json& object, const std::string& member) {
  if (!object.is_object()) fail(member, "an object");
  Series series;
  series.name = text_in(object, "name", member + ".name");
  if (series.name.empty()) fail(member + ".name", "a name");
  series.labels = labels_in(object, member + ".labels");
  series.value = value_of(object.value("value", json()), member + ".value");
  series.at = time_in(object, "at", member + ".at");
  return series;
}

/// For people who search in the file; it need not be different from others.
std::string name_of(const Origin& origin) {
  if (!origin.exporter.empty()) return origin.exporter;
  return origin.node.empty() ? std::string(name_of(origin.source)) : origin.node;
}

}  // namespace

json scrape_json(const std::vector<Series>& series, const Origin& origin) {
  json result = {{"kind", kScrapeKind},
                 {"metadata", {{"name", name_of(origin)}}},
                 {"source", gpu::name_of(origin.source)},
                 {"series", json::array()}};
  if (!origin.node.empty()) result["node"] = origin.node;
  if (!origin.exporter.empty()) result["exporter"] = origin.exporter;
  if (origin.read_at) result["readAt"] = format_time(*origin.read_at);
  if (origin.interval) result["intervalMilliseconds"] = origin.interval->count();
  for (const Series& each : series) {
    json one = {{"name", each.name}, {"labels", json::object()}, {"value", value_json(each.value)}};
    for (const auto& [key, value] : each.labels) one["labels"][key] = value;
    if (each.at) one["at"] = format_time(*each.at);
    result["series"].push_back(std::move(one));
  }
  return result;
}

bool continues_other(const json& object) {
  const auto found = object.find("continues");
  if (found == object.end() || found->is_null()) return false;
  if (!found->is_boolean()) fail("continues", "true or false");
  return found->get<bool>();
}

Scrape scrape_of(const json& object) {
  if (!object.is_object()) throw Error(ErrorKind::data, "Scrape: expected an object");
  Scrape result;
  result.origin = {.source = source_in(object),
                   .exporter = text_in(object, "exporter", "exporter"),
                   .node = text_in(object, "node", "node"),
                   .read_at = time_in(object, "readAt", "readAt"),
                   .interval = interval_in(object)};
  const auto series = object.find("series");
  if (series == object.end() || !series->is_array()) fail("series", "an array");
  for (std::size_t i = 0; i < series->size(); ++i)
    result.series.push_back(series_of((*series)[i], "series[" + std::to_string(i) + "]"));
  return result;
}

}  // namespace gpu::telemetry
