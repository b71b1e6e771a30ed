#include "cost/against/opencost_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::cost {
namespace {

using nlohmann::json;

constexpr double kMinutesOfHour = 60;

double number_in(const json& object, const char* key) {
  const auto at = object.find(key);
  const bool is_number = at != object.end() && at->is_number();
  const double value = is_number ? at->get<double>() : 0;
  return std::isfinite(value) ? value : 0;
}

std::string text_in(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

const json& object_in(const json& object, const char* key) {
  static const json kNone = json::object();
  const auto at = object.find(key);
  return at != object.end() && at->is_object() ? *at : kNone;
}

/// `amount` of `minutes` for an hour.
double for_an_hour(double amount, double minutes) {
  return minutes > 0 ? amount / minutes * kMinutesOfHour : 0;
}

/// The pod of that name, new where there is none yet: containers of one pod are added up.
OpenCostPod& pod_in(OpenCostAnswer& answer, const json& properties) {
  const std::string ns = text_in(properties, "namespace");
  const std::string name = text_in(properties, "pod");
  const auto [place, is_new] = answer.places.emplace(std::pair(ns, name), answer.pods.size());
  if (!is_new) return answer.pods[place->second];
  return answer.pods.emplace_back(
      OpenCostPod{.ns = ns, .name = name, .node = text_in(properties, "node")});
}

/// __idle__, and what is left of a cluster without names, are no pods.
void add_allocation(OpenCostAnswer& answer, const json& allocation) {
  if (!allocation.is_object()) return;
  const json& properties = object_in(allocation, "properties");
  if (text_in(properties, "pod").empty() || text_in(properties, "node").empty()) return;
  OpenCostPod& pod = pod_in(answer, properties);
  const double minutes = number_in(allocation, "minutes");
  pod.minutes = std::max(pod.minutes, minutes);
  pod.gpus += number_in(allocation, "gpuCount");
  pod.gpu_hour += for_an_hour(number_in(allocation, "gpuCost"), minutes);
  for (const char* const part : {"gpuCost", "cpuCost", "ramCost"})
    pod.hour += for_an_hour(number_in(allocation, part), minutes);
  pod.efficiency = std::max(pod.efficiency, number_in(allocation, "gpuEfficiency"));
  const double use = number_in(allocation, "gpuUsageAverage");
  if (use > 0) pod.use = std::max(pod.use.value_or(0), use);
}

void add_asset(OpenCostAnswer& answer, const json& asset) {
  if (!asset.is_object() || text_in(asset, "type") != "Node") return;
  const double minutes = number_in(asset, "minutes");
  answer.nodes.push_back({.name = text_in(object_in(asset, "properties"), "name"),
                          .minutes = minutes,
                          .gpus = number_in(asset, "gpuCount"),
                          .gpu_hour = for_an_hour(number_in(asset, "gpuCost"), minutes),
                          .hour = for_an_hour(number_in(asset, "totalCost"), minutes),
                          .discount = number_in(asset, "discount")});
}

[[noreturn]] void refuse(std::string_view where, std::string_view body) {
  const std::string_view start = body.substr(0, std::min<std::size_t>(body.size(), 60));
  throw Error(ErrorKind::data,
              fmt::format("{} is no answer of OpenCost{}", sanitize(where),
                          body.empty() ? ": it is empty" : fmt::format(": {}", sanitize(start))),
              "it is the body of /allocation?window=...&aggregate=pod or of /assets?window=...");
}

}  // namespace

void add_opencost_body(OpenCostAnswer& answer, std::string_view body, std::string_view where) {
  const json root = json::parse(body, nullptr, false);
  if (!root.is_object() || !root.contains("data") || number_in(root, "code") >= 400)
    refuse(where, body);
  const json& data = root["data"];
  if (data.is_object()) {
    answer.has_nodes = true;
    for (const json& asset : data) add_asset(answer, asset);
    return;
  }
  if (!data.is_array()) refuse(where, body);
  answer.has_pods = true;
  for (const json& step : data)
    if (step.is_object())
      for (const json& allocation : step) add_allocation(answer, allocation);
}

}  // namespace gpu::cost
