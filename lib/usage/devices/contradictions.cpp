#include "usage/devices/contradictions.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "model/gpu/usual_namespace.hpp"

namespace gpu::usage {
namespace {

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

/// A measure, and by how much two exporters that are read seconds apart may differ.
struct Compared {
  std::string_view name;
  double most_apart = 0;
  std::string_view unit;
  double in_unit = 1;  ///< of the unit in which it is kept
  std::optional<double> (*value)(const Measures& measures);
  void (*forget)(Measures& measures);
};

std::optional<double> as_double(const std::optional<std::int64_t>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

constexpr std::array<Compared, 8> kCompared = {{
    {"utilization", 0.3, " %", 100, [](const Measures& told) { return told.utilization; },
     [](Measures& told) { told.utilization.reset(); }},
    {"SM activity", 0.3, " %", 100, [](const Measures& told) { return told.sm_active; },
     [](Measures& told) { told.sm_active.reset(); }},
    {"tensor activity", 0.3, " %", 100, [](const Measures& told) { return told.tensor_active; },
     [](Measures& told) { told.tensor_active.reset(); }},
    {"memory activity", 0.3, " %", 100, [](const Measures& told) { return told.dram_active; },
     [](Measures& told) { told.dram_active.reset(); }},
    {"memory in use", 2 * kGibibyte, " GiB", 1 / kGibibyte,
     [](const Measures& told) { return as_double(told.memory_used_bytes); },
     [](Measures& told) { told.memory_used_bytes.reset(); }},
    {"memory", 4 * kGibibyte, " GiB", 1 / kGibibyte,
     [](const Measures& told) { return as_double(told.memory_total_bytes); },
     [](Measures& told) {
       told.memory_total_bytes.reset();
       told.memory_used_bytes.reset();
     }},
    {"power", 300, " W", 1, [](const Measures& told) { return told.power_watts; },
     [](Measures& told) { told.power_watts.reset(); }},
    {"temperature", 30, " °C", 1, [](const Measures& told) { return told.temperature_celsius; },
     [](Measures& told) { told.temperature_celsius.reset(); }},
}};

enum class Who { anybody, usual };

/// The least and the most that exporters of different pods tell of one thing.
struct Extremes {
  const Sample* least = nullptr;
  const Sample* most = nullptr;
  double apart = 0;
};

/// Utilizations of different kinds are different things.
bool is_comparable(const Compared& compared, const Sample& sample, const Sample& all) {
  if (sample.source != MetricSource::exporter || sample.exporter.empty()) return false;
  if (compared.name == "utilization" && sample.measures.kind != all.measures.kind) return false;
  return compared.value(sample.measures).has_value();
}

Extremes extremes_of(const NodeSamples& samples, const Compared& compared, const Sample& all,
                     Who who) {
  Extremes found;
  const auto value_of = [&](const Sample* sample) {
    return compared.value(sample->measures).value_or(0);
  };
  for (const Sample* sample : samples) {
    if (!is_comparable(compared, *sample, all)) continue;
    if (who == Who::usual && !is_of_usual_exporter(*sample)) continue;
    if (found.least == nullptr || value_of(sample) < value_of(found.least)) found.least = sample;
    if (found.most == nullptr || value_of(sample) > value_of(found.most)) found.most = sample;
  }
  if (found.least != nullptr && found.least->exporter != found.most->exporter)
    found.apart = value_of(found.most) - value_of(found.least);
  return found;
}

std::string text_of(const Compared& compared, const Sample& sample) {
  return fmt::format("{:.0f}{} by {}",
                     compared.value(sample.measures).value_or(0) * compared.in_unit, compared.unit,
                     sample.exporter);
}

}  // namespace

bool is_of_usual_exporter(const Sample& sample) {
  if (sample.source != MetricSource::exporter) return false;
  const std::size_t slash = sample.exporter.find('/');
  return slash != std::string::npos &&
         is_usual_namespace(std::string_view(sample.exporter).substr(0, slash));
}

void settle_contradictions(const NodeSamples& samples, Sample& all) {
  for (const Compared& compared : kCompared) {
    const Extremes every = extremes_of(samples, compared, all, Who::anybody);
    if (every.apart <= compared.most_apart) continue;
    std::string words =
        fmt::format("its {} is {} and {}", compared.name, text_of(compared, *every.least),
                    text_of(compared, *every.most));
    const Extremes usual = extremes_of(samples, compared, all, Who::usual);
    const bool is_settled = usual.least != nullptr && usual.apart <= compared.most_apart;
    if (is_settled)
      words += "; shown is " + usual.most->exporter;
    else
      compared.forget(all.measures);
    all.doubts.push_back(std::move(words));
  }
}

}  // namespace gpu::usage
