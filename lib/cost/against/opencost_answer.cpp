#include "cost/against/opencost_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::cost {
namespace {

using nlohmann::json;

constexpr double kMinutesOfHour = 60;

/// A number that is an amount, a count or a length of time: not below 0, and no more than anybody
/// pays. Nothing for texts and null, which stands for NaN there.
std::optional<double> amount_of(const json& object, const char* key) {
  constexpr double kRounding = 1e-6;
  constexpr double kMost = 1e9;
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number()) return std::nullopt;
  const double value = at->get<double>();
  if (!(value >= -kRounding) || value > kMost) return std::nullopt;
  return std::max(value, 0.0);
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
std::optional<double> for_an_hour(const std::optional<double>& amount,
                                  const std::optional<double>& minutes) {
  if (!amount || !minutes || *minutes <= 0) return std::nullopt;
  return *amount / *minutes * kMinutesOfHour;
}

/// Adds up what is known; one that is not makes the sum unknown.
void add(std::optional<double>& sum, const std::optional<double>& amount) {
  if (!amount)
    sum.reset();
  else if (sum)
    *sum += *amount;
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
  const std::optional<double> minutes = amount_of(allocation, "minutes");
  const std::optional<double> gpus = amount_of(allocation, "gpuCount");
  const std::optional<double> gpu_hour = for_an_hour(amount_of(allocation, "gpuCost"), minutes);
  pod.minutes = std::max(pod.minutes, minutes.value_or(0));
  pod.gpus += gpus.value_or(0);
  pod.gpu_hour += gpu_hour.value_or(0);
  add(pod.hour, gpu_hour);
  for (const char* const part : {"cpuCost", "ramCost"})
    add(pod.hour, for_an_hour(amount_of(allocation, part), minutes));
  if (!gpus) pod.hour.reset();
  pod.efficiency = std::max(pod.efficiency, amount_of(allocation, "gpuEfficiency").value_or(0));
  const double use = amount_of(allocation, "gpuUsageAverage").value_or(0);
  if (use > 0) pod.use = std::max(pod.use.value_or(0), use);
}

void add_asset(OpenCostAnswer& answer, const json& asset) {
  if (!asset.is_object() || text_in(asset, "type") != "Node") return;
  const std::optional<double> minutes = amount_of(asset, "minutes");
  const std::optional<double> gpus = amount_of(asset, "gpuCount");
  const std::optional<double> gpu_hour = for_an_hour(amount_of(asset, "gpuCost"), minutes);
  OpenCostNode node{.name = text_in(object_in(asset, "properties"), "name"),
                    .minutes = minutes.value_or(0),
                    .gpus = gpus.value_or(0),
                    .gpu_hour = gpu_hour.value_or(0),
                    .hour = for_an_hour(amount_of(asset, "totalCost"), minutes),
                    .discount = amount_of(asset, "discount").value_or(0)};
  if (!gpus || !gpu_hour) node.hour.reset();
  answer.nodes.push_back(std::move(node));
}

/// What the body is in place of an answer; nothing but its beginning where that is not known.
std::string said_in(const json& root, std::string_view body) {
  constexpr std::size_t kMost = 60;
  if (trimmed(body).empty()) return "it is empty";
  if (root.is_discarded() && trimmed(body).starts_with('{'))
    return "its JSON is broken, or cut off";
  const std::string message = root.is_object() ? text_in(root, "message") : std::string();
  if (!message.empty()) return "it says " + sanitize(message.substr(0, 2 * kMost));
  return sanitize(trimmed(body).substr(0, kMost));
}

[[noreturn]] void refuse(std::string_view where, const json& root, std::string_view body) {
  throw Error(ErrorKind::data,
              fmt::format("{} is no answer of OpenCost: {}", sanitize(where), said_in(root, body)),
              "it is the body of /allocation?window=...&aggregate=pod or of /assets?window=...");
}

}  // namespace

void add_opencost_body(OpenCostAnswer& answer, std::string_view body, std::string_view where) {
  const json root = json::parse(body, nullptr, false);
  if (!root.is_object() || !root.contains("data") || amount_of(root, "code").value_or(0) >= 400)
    refuse(where, root, body);
  const json& data = root["data"];
  if (data.is_object()) {
    answer.has_nodes = true;
    for (const json& asset : data) add_asset(answer, asset);
    return;
  }
  if (!data.is_array()) refuse(where, root, body);
  answer.has_pods = true;
  for (const json& step : data)
    if (step.is_object())
      for (const json& allocation : step) add_allocation(answer, allocation);
}

}  // namespace gpu::cost
