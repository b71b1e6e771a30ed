#include "telemetry/dialects/nvidia_smi_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "telemetry/dialects/device_rows.hpp"
#include "telemetry/dialects/number.hpp"
#include "telemetry/dialects/readings.hpp"
#include "telemetry/dialects/xml_text.hpp"

namespace gpu::telemetry {
namespace {

constexpr std::string_view kRoot = "nvidia_smi_log";
constexpr std::string_view kCard = "nvidia_smi_log/gpu";
constexpr std::string_view kInstance = "nvidia_smi_log/gpu/mig_devices/mig_device";
/// No node has more cards and instances.
constexpr std::size_t kMostDevices = 1024;

/// power_readings until v11, gpu_power_readings since. Where average_power_draw stands,
/// --query-gpu=power.draw is that; memory_util is bandwidth in use, and not read.
constexpr std::array<Metric, 11> kMeasures = {{
    {"utilization/gpu_util", Measure::utilization, Unit::percent},
    {"fb_memory_usage/used", Measure::memory_used, Unit::mebibytes},
    {"fb_memory_usage/total", Measure::memory_total, Unit::mebibytes},
    {"temperature/gpu_temp", Measure::temperature, Unit::celsius},
    {"gpu_power_readings/power_draw", Measure::power, Unit::watts},
    {"gpu_power_readings/average_power_draw", Measure::power, Unit::watts},
    {"gpu_power_readings/instant_power_draw", Measure::power, Unit::watts},
    {"power_readings/power_draw", Measure::power, Unit::watts},
    {"gpu_power_readings/current_power_limit", Measure::power_limit, Unit::watts},
    {"power_readings/enforced_power_limit", Measure::power_limit, Unit::watts},
    {"power_readings/power_limit", Measure::power_limit, Unit::watts},
}};
constexpr std::array<std::string_view, 6> kFacts = {
    "uuid",         "product_name", "pci/pci_bus_id", "mig_mode/current_mig", "gpu_instance_id",
    "attached_gpus"};

/// What stands in a card, an instance or the whole, by the path within it.
using Fields = std::map<std::string, std::string, std::less<>>;

struct Card {
  Fields fields;
  std::vector<Fields> instances;
};

struct Log {
  Fields fields;
  std::vector<Card> cards;
  std::size_t devices = 0;
};

bool is_read(std::string_view field) {
  const auto is_it = [&](const Metric& metric) { return metric.name == field; };
  return std::find(kFacts.begin(), kFacts.end(), field) != kFacts.end() ||
         std::any_of(kMeasures.begin(), kMeasures.end(), is_it);
}

/// The path of `path` within `outer`; empty when it is not within it.
std::string_view within(std::string_view path, std::string_view outer) {
  const bool is_within =
      path.size() > outer.size() && path.starts_with(outer) && path[outer.size()] == '/';
  return is_within ? path.substr(outer.size() + 1) : std::string_view{};
}

bool is_told(std::string_view text) {
  constexpr std::array<std::string_view, 6> kNothing = {
      "", "N/A", "[N/A]", "Not Supported", "[Not Supported]", "None"};
  return std::find(kNothing.begin(), kNothing.end(), text) == kNothing.end();
}

std::string field_of(const Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  return found == fields.end() || !is_told(found->second) ? std::string{} : found->second;
}

void start(Log& log, const std::string& path) {
  if (path.find('/') == std::string::npos && path != kRoot)
    throw Error(ErrorKind::data, "its root is not <nvidia_smi_log>");
  if (path == kCard) log.cards.emplace_back();
  if (path == kInstance) log.cards.back().instances.emplace_back();
  if (path != kCard && path != kInstance) return;
  if (++log.devices > kMostDevices)
    throw Error(ErrorKind::data, fmt::format("it reports more than {} devices", kMostDevices));
}

void end(Log& log, const std::string& path, std::string_view text) {
  const std::string_view of_all = within(path, kRoot), of_card = within(path, kCard),
                         of_instance = within(path, kInstance);
  if (is_read(of_instance)) {
    log.cards.back().instances.back().emplace(of_instance, text);
  } else if (is_read(of_card)) {
    log.cards.back().fields.emplace(of_card, text);
  } else if (is_read(of_all)) {
    log.fields.emplace(of_all, text);
  }
}

std::string_view symbol_of(Unit unit) {
  switch (unit) {
    case Unit::percent:
      return "%";
    case Unit::mebibytes:
      return "MiB";
    case Unit::celsius:
      return "C";
    case Unit::watts:
      return "W";
    case Unit::ratio:
    case Unit::bytes:
    case Unit::megabytes:
    case Unit::milliwatts:
    case Unit::count:
      return "";
  }
  return "";
}

/// "81559 MiB" in `unit`; nothing for another unit.
std::optional<double> value_of(std::string_view text, Unit unit) {
  const std::size_t blank = std::min(text.find(' '), text.size());
  if (trimmed(text.substr(blank)) != symbol_of(unit)) return std::nullopt;
  return parse_float(text.substr(0, blank));
}

Readings readings_in(const Fields& fields, const Origin& origin) {
  Readings readings;
  for (std::size_t rank = 0; rank < kMeasures.size(); ++rank) {
    const Metric& metric = kMeasures[rank];
    const std::string text = field_of(fields, metric.name);
    if (text.empty()) continue;
    const std::optional<double> value = value_of(text, metric.unit);
    if (value) {
      readings.add(metric, {nullptr, rank, Aspect::now, origin.read_at}, *value);
    } else {
      readings.doubt(fmt::format("{} is `{}`", metric.name, text.substr(0, 40)));
    }
  }
  return readings;
}

/// Who a card is; its place in the text counts only where all of them stand there.
Sample card_sample(const Card& card, const Origin& origin, std::optional<std::int64_t> index) {
  std::string uuid = field_of(card.fields, "uuid");
  // A card that fell off the bus has an error's name there.
  if (!uuid.starts_with("GPU-")) uuid.clear();
  return {.source = origin.source,
          .exporter = origin.exporter,
          .node = origin.node,
          .vendor = Vendor::nvidia,
          .uuid = std::move(uuid),
          .index = index,
          .pci_bus_id = field_of(card.fields, "pci/pci_bus_id"),
          .product = field_of(card.fields, "product_name"),
          .at = origin.read_at};
}

/// Compute instances share the memory of their GPU instance: it stands once for each of them.
void add_instances(const Card& card, const Sample& whole, const Origin& origin,
                   std::vector<Sample>& samples) {
  std::map<std::string, Readings> readings;
  for (const Fields& fields : card.instances) {
    const std::string id = field_of(fields, "gpu_instance_id");
    if (id.empty() || readings.contains(id)) continue;
    Sample sample = whole;
    sample.mig_instance = id;
    samples.push_back(finished(std::move(sample),
                               readings.emplace(id, readings_in(fields, origin)).first->second,
                               UtilizationKind::kernel_time));
  }
}

void add_card(const Card& card, const Origin& origin, std::optional<std::int64_t> index,
              std::string_view doubt, std::vector<Sample>& samples) {
  const Sample whole = card_sample(card, origin, index);
  if (whole.uuid.empty() && whole.pci_bus_id.empty()) return;
  Readings readings = readings_in(card.fields, origin);
  if (field_of(card.fields, "mig_mode/current_mig") == "Enabled")
    readings.forget(Measure::utilization);
  if (!doubt.empty()) readings.doubt(std::string(doubt));
  samples.push_back(finished(whole, readings, UtilizationKind::kernel_time));
  add_instances(card, whole, origin, samples);
}

}  // namespace

std::vector<Sample> samples_of_nvidia_smi(std::string_view xml, const Origin& origin) {
  Log log;
  read_xml(xml,
           {.start = [&](const std::string& path) { start(log, path); },
            .end = [&](const std::string& path, std::string_view text) { end(log, path, text); }});
  const std::optional<std::int64_t> attached = whole_number(field_of(log.fields, "attached_gpus"));
  const auto listed = static_cast<std::int64_t>(log.cards.size());
  const bool is_whole = !attached || *attached == listed;
  const std::string doubt =
      is_whole ? "" : fmt::format("nvidia-smi lists {} of {} GPUs", listed, *attached);
  std::vector<Sample> samples;
  for (std::int64_t i = 0; i < listed; ++i)
    add_card(log.cards[static_cast<std::size_t>(i)], origin,
             is_whole ? std::optional(i) : std::nullopt, i == 0 ? doubt : "", samples);
  return samples;
}

}  // namespace gpu::telemetry
