#include "usage/rows/use_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "model/gpu/gpu_models.hpp"
#include "usage/devices/device_merge.hpp"
#include "usage/devices/holding_time.hpp"
#include "usage/devices/listed.hpp"

namespace gpu::usage {
namespace {

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
/// What is measured less often than so may be of a pod that has just ended.
constexpr std::chrono::seconds kSeldom{5};
/// With more nodes than this one line speaks of all.
constexpr std::size_t kMostNodes = 3;

void add_once(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

std::string interval_text(const Sample& sample) {
  return human_duration(std::chrono::ceil<std::chrono::seconds>(sample.interval));
}

/// "88 % busy, 18.8 GiB in use".
std::string use_text(const Measures& told) {
  std::vector<std::string> parts;
  if (told.utilization) parts.push_back(fmt::format("{:.0f} % busy", *told.utilization * 100));
  if (told.memory_used_bytes)
    parts.push_back(
        fmt::format("{:.1f} GiB in use", static_cast<double>(*told.memory_used_bytes) / kGibibyte));
  return gpu::joined(parts, ", ");
}

/// Who may use a device of the node without a request.
std::string suspects_text(const NodeSums* sums) {
  if (sums == nullptr || sums->plain.count == 0)
    return "no pod but those of DaemonSets runs there without a request: it may be a process "
           "outside "
           "Kubernetes";
  const PlainPods& plain = sums->plain;
  std::vector<std::string> names = plain.names;
  if (names.size() > 3) names.resize(3);
  std::string text = gpu::joined(names, ", ");
  const auto more = plain.count - static_cast<std::int64_t>(names.size());
  if (more > 0) text += fmt::format(" and {} more", more);
  return text +
         (plain.count == 1 ? " runs there and requests no GPU" : " run there and request no GPU");
}

std::string_view teller_of(const Sample& sample) {
  switch (sample.source) {
    case MetricSource::exporter:
      return "its exporter";
    case MetricSource::prometheus:
      return "Prometheus";
    case MetricSource::custom:
      return "the adapter";
    case MetricSource::exec:
      return "nvidia-smi";
  }
  return "";
}

bool has_unified_memory(const Pool& pool, const Sample& sample) {
  for (const std::string& name : {pool.product, sample.product}) {
    if (name.empty()) continue;
    const std::vector<const GpuModel*> models = gpu_models_named(name, std::nullopt);
    if (!models.empty())
      return std::all_of(models.begin(), models.end(),
                         [](const GpuModel* model) { return model->has_unified_memory; });
  }
  return false;
}

/// What is said of devices of some nodes: `about` makes it of their number and place.
template <class ByNode, class About>
void add_gaps(std::vector<Gap>& gaps, const ByNode& found, About about) {
  if (found.size() <= kMostNodes) {
    for (const auto& [node, finding] : found) {
      Gap gap = about(finding, "on " + node);
      gap.nodes = {node};
      gaps.push_back(std::move(gap));
    }
    return;
  }
  auto all = found.begin()->second;
  std::vector<std::string> nodes;
  for (const auto& [node, finding] : found) {
    nodes.push_back(node);
    if (nodes.size() == 1) continue;
    all.devices += finding.devices;
    all.names.insert(all.names.end(), finding.names.begin(), finding.names.end());
    for (const std::string& why : finding.why) add_once(all.why, why);
    all.is_past = all.is_past && finding.is_past;
  }
  Gap gap = about(all, fmt::format("on {} nodes", nodes.size()));
  gap.nodes = std::move(nodes);
  gaps.push_back(std::move(gap));
}

}  // namespace

void UseFindings::look_at(const Pool& pool, const PoolDevices& devices, const NodeSums* sums) {
  for (const PoolDevice& device : devices.devices) {
    if (device.live == nullptr || device.live->is_stale) continue;
    if (is_unrequested(devices, device)) look_at_use(pool, devices, device, sums);
    look_at_holders(pool, device);
    look_for_silence(pool, device);
  }
}

void UseFindings::look_at_use(const Pool& pool, const PoolDevices& devices,
                              const PoolDevice& device, const NodeSums* sums) {
  const Sample& sample = device.live->sample;
  Finding& finding = unrequested_[pool.node];
  const bool may_be_past = sample.interval > kSeldom && (sums == nullptr || sums->plain.count == 0);
  finding.is_past = may_be_past && (finding.devices == 0 || finding.is_past);
  finding.is_as_read = devices.may_lack_pods;
  ++finding.devices;
  finding.names.push_back(device_text(pool.node, sample) + ": " + use_text(sample.measures));
  if (may_be_past)
    add_once(finding.why, "what is reported may be " + interval_text(sample) +
                              " old, and of a pod that has ended since");
  add_once(finding.why, suspects_text(sums));
}

void UseFindings::look_at_holders(const Pool& pool, const PoolDevice& device) {
  for (const DeviceHold& hold : device.holds) {
    const std::vector<const Pod*>& pods = hold.holding->pods;
    if (!is_of_before(*device.live, pods)) continue;
    Finding& finding = young_[pool.node];
    for (const Pod* pod : pods) add_once(finding.names, pod->ns + "/" + pod->name);
    finding.devices = static_cast<std::int64_t>(finding.names.size());
    const Sample& sample = device.live->sample;
    add_once(finding.why, sample.interval.count() == 0
                              ? "what is reported is older than they are"
                              : "what is reported may be " + interval_text(sample) +
                                    " old, and so of the time before");
  }
}

void UseFindings::look_for_silence(const Pool& pool, const PoolDevice& device) {
  const Sample& sample = device.live->sample;
  const Measures& told = sample.measures;
  const bool tells_anything =
      told.utilization || told.memory_used_bytes || told.power_watts || told.temperature_celsius;
  // What was not believed is told elsewhere.
  if (!tells_anything || !sample.doubts.empty()) return;
  const bool is_whole = pool.kind.kind == DeviceKind::card;
  const auto add = [&](ByNode& found, std::string why) {
    Finding& finding = found[pool.node];
    ++finding.devices;
    finding.names.push_back(device_text(pool.node, sample));
    add_once(finding.why, std::move(why));
  };
  const std::string teller(teller_of(sample));
  if (!told.utilization && is_whole) add(without_utilization_, teller + " reports none");
  if (told.memory_used_bytes || (!is_whole && pool.kind.kind != DeviceKind::mig_slice)) return;
  const std::string name = pool.model.empty() ? sample.product : pool.model;
  add(without_memory_, has_unified_memory(pool, sample)
                           ? name + " has unified memory: there is none of its own to report"
                           : teller + " reports none");
}

std::vector<Gap> UseFindings::gaps() const {
  std::vector<Gap> gaps;
  add_gaps(gaps, unrequested_, [](const Finding& finding, const std::string& where) {
    const std::string_view verb = finding.is_past ? (finding.devices == 1 ? "was" : "were")
                                                  : (finding.devices == 1 ? "is" : "are");
    return Gap{.what = fmt::format("{} {} {} in use, and no pod {}requested {}",
                                   counted(finding.devices, "GPU", "GPUs"), where, verb,
                                   finding.is_as_read ? "that was read " : "",
                                   finding.devices == 1 ? "it" : "them"),
               .why = listed(finding.names) + "; " + gpu::joined(finding.why, "; "),
               .help = "kubectl gpu top gpus",
               .missing = Missing::requests,
               .help_form = HelpForm::command};
  });
  for (Gap& gap : gaps)
    if (gap.nodes.size() == 1) gap.help += " --node " + shell_quoted(gap.nodes.front());
  add_gaps(gaps, young_, [](const Finding& finding, const std::string& where) {
    return Gap{.what = fmt::format("{} {} too young to have been measured",
                                   counted(finding.devices, "pod", "pods") + " " + where,
                                   finding.devices == 1 ? "is" : "are"),
               .why = listed(finding.names) + ": " + listed(finding.why),
               .help = "",
               .missing = Missing::young};
  });
  return gaps;
}

std::vector<Gap> UseFindings::gaps_of_silence() const {
  std::vector<Gap> gaps;
  const auto add_silence = [&](const ByNode& found, std::string_view value) {
    add_gaps(gaps, found, [&](const Finding& finding, const std::string&) {
      return Gap{.what = fmt::format("the {} of {} is not reported", value, listed(finding.names)),
                 .why = listed(finding.why),
                 .help = ""};
    });
  };
  add_silence(without_memory_, "memory in use");
  add_silence(without_utilization_, "utilization");
  return gaps;
}

}  // namespace gpu::usage
