#include "usage/devices/device_merge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "usage/devices/card_keys.hpp"
#include "usage/devices/contradictions.hpp"

namespace gpu::usage {
namespace {

constexpr std::chrono::minutes kStaleAfter{5};

template <typename Value>
bool fill(std::optional<Value>& to, const std::optional<Value>& from) {
  if (to || !from) return false;
  to = from;
  return true;
}

/// Exporters that ask different interfaces disagree about what is reserved: a total that is less
/// than what is used is not its total.
bool fill_memory(Measures& to, const Measures& from) {
  const bool has_used = fill(to.memory_used_bytes, from.memory_used_bytes);
  const bool has_total = fill(to.memory_total_bytes, from.memory_total_bytes);
  if (to.memory_total_bytes < to.memory_used_bytes && to.memory_total_bytes) {
    if (has_total) to.memory_total_bytes.reset();
    if (has_used && !has_total) to.memory_used_bytes.reset();
    return has_used && has_total;
  }
  return has_used || has_total;
}

/// What is true of a window though nothing is known of now.
void fill_window(Measures& to, const Measures& from) {
  fill(to.average_utilization, from.average_utilization);
  fill(to.highest_utilization, from.highest_utilization);
  fill(to.highest_memory_bytes, from.highest_memory_bytes);
}

void fill_faults(CardFaults& to, const CardFaults& from) {
  fill(to.remap_failure, from.remap_failure);
  fill(to.remap_pending, from.remap_pending);
  fill(to.uncorrectable_rows, from.uncorrectable_rows);
  fill(to.uncorrectable_errors, from.uncorrectable_errors);
  fill(to.clock_reasons, from.clock_reasons);
}

/// Fills what `to` lacks; whether anything of now came from `from`.
bool fill(Measures& to, const Measures& from) {
  const bool has_utilization = fill(to.utilization, from.utilization);
  if (has_utilization) to.kind = from.kind;
  bool is_used = has_utilization;
  is_used |= fill(to.sm_active, from.sm_active);
  is_used |= fill(to.tensor_active, from.tensor_active);
  is_used |= fill(to.dram_active, from.dram_active);
  is_used |= fill_memory(to, from);
  is_used |= fill(to.temperature_celsius, from.temperature_celsius);
  is_used |= fill(to.power_watts, from.power_watts);
  is_used |= fill(to.power_limit_watts, from.power_limit_watts);
  is_used |= fill(to.last_xid, from.last_xid);
  fill_faults(to.faults, from.faults);
  fill_window(to, from);
  fill(to.idle_for, from.idle_for);
  return is_used;
}

/// Two sources may have the same to say of a device.
void add_new(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& text : from)
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

/// Users of a device, each once, in the order in which they were named.
class Owners {
 public:
  void add(const SampleOwner& owner) {
    const auto [at, is_new] = places_.emplace(
        std::tie(owner.ns, owner.pod, owner.container, owner.share, owner.pod_uid), all_.size());
    if (is_new)
      all_.push_back(owner);
    else
      fill(all_[at->second].own, owner.own);
  }
  std::vector<SampleOwner> take() { return std::move(all_); }

 private:
  using Name = std::tuple<std::string, std::string, std::string, std::string, std::string>;

  std::map<Name, std::size_t> places_;
  std::vector<SampleOwner> all_;
};

/// Of each exporter what it told last: an owner that it named before may have gone. Where one in a
/// usual namespace names any, others are not heard.
std::vector<SampleOwner> owners_in(const NodeSamples& samples) {
  std::map<std::pair<MetricSource, std::string>, std::optional<Time>> newest;
  std::optional<MetricSource> best;
  bool has_usual = false;
  for (const Sample* sample : samples) {
    if (sample->owners.empty()) continue;
    newest.emplace(std::pair{sample->source, sample->exporter}, sample->at);
    if (!best || sample->source < *best) best = sample->source;
    has_usual |= is_of_usual_exporter(*sample);
  }
  Owners owners;
  for (const Sample* sample : samples) {
    if (sample->owners.empty() || sample->source != *best) continue;
    if (has_usual && !sample->exporter.empty() && !is_of_usual_exporter(*sample)) continue;
    if (newest.at({sample->source, sample->exporter}) != sample->at) continue;
    for (const SampleOwner& owner : sample->owners) owners.add(owner);
  }
  return owners.take();
}

/// What counts first: what is of now, then what an exporter tells that is known to be one, then the
/// newest; of one time an exporter's own text.
class Order {
 public:
  Order(const NodeSamples& samples, const std::optional<Time>& now) : now_(now) {
    has_usual_ = std::any_of(samples.begin(), samples.end(), [&](const Sample* sample) {
      return is_of_usual_exporter(*sample) && !is_stale(*sample, now);
    });
  }

  bool operator()(const Sample* a, const Sample* b) const {
    const int rank_of_a = rank_of(*a);
    const int rank_of_b = rank_of(*b);
    if (rank_of_a != rank_of_b) return rank_of_a < rank_of_b;
    if (a->at != b->at) return b->at < a->at;
    return a->source < b->source;
  }

 private:
  [[nodiscard]] int rank_of(const Sample& sample) const {
    if (is_ahead(sample, now_)) return 3;
    if (is_stale(sample, now_)) return 2;
    const bool is_rival = has_usual_ && sample.source == MetricSource::exporter &&
                          !sample.exporter.empty() && !is_of_usual_exporter(sample);
    return is_rival ? 1 : 0;
  }

  std::optional<Time> now_;
  bool has_usual_ = false;
};

/// A clock that is ahead makes what it dates look newest for as long as it likes.
void doubt_what_is_ahead(const NodeSamples& samples, const std::optional<Time>& now, Sample& all) {
  for (const Sample* sample : samples) {
    if (!is_ahead(*sample, now)) continue;
    const std::string ahead = human_duration(*sample->at - *now);
    all.doubts.push_back("its metrics" +
                         (sample->exporter.empty() ? "" : " by " + sample->exporter) +
                         " are dated " + ahead + " ahead");
    return;
  }
}

/// The first that tells DCGM's mean over an interval, which says more than another's sample of a
/// moment; about as new as what counts first, and by no rival of it. Null where there is none.
const Sample* mean_use_in(const NodeSamples& samples) {
  constexpr std::chrono::seconds kAboutAsNew{60};
  const Sample& first = *samples.front();
  for (const Sample* sample : samples) {
    const bool is_mean =
        sample->measures.utilization && sample->measures.kind == UtilizationKind::engine_active;
    const bool is_rival = is_of_usual_exporter(first) && !is_of_usual_exporter(*sample) &&
                          sample->source == MetricSource::exporter;
    const bool is_new = sample->at == first.at ||
                        (sample->at && first.at && *first.at - *sample->at <= kAboutAsNew);
    if (is_mean && !is_rival && is_new) return sample;
  }
  return nullptr;
}

void take_utilization(DeviceUse& device, const Sample& from) {
  Sample& all = device.sample;
  all.measures.utilization = from.measures.utilization;
  all.measures.kind = from.measures.kind;
  all.source = from.source;
  all.exporter = from.exporter;
}

/// The age of what is shown is that of its oldest part.
void count_age(DeviceUse& device, const Sample& part, const std::optional<Time>& now) {
  Sample& all = device.sample;
  if (part.at && (!all.at || *part.at < *all.at)) all.at = part.at;
  const auto age = age_of(part, now);
  if (age && (!device.age || *age > *device.age)) device.age = age;
  all.interval = std::max(all.interval, part.interval);
}

DeviceUse merged(NodeSamples samples, const std::optional<Time>& now) {
  std::stable_sort(samples.begin(), samples.end(), Order(samples, now));
  DeviceUse device;
  const auto is_old = [&](const Sample* sample) { return is_stale(*sample, now); };
  device.is_stale = std::all_of(samples.begin(), samples.end(), is_old);
  Sample& all = device.sample;
  all.source = samples.front()->source;
  all.exporter = samples.front()->exporter;
  all.node = samples.front()->node;
  all.vendor = samples.front()->vendor;
  all.mig_instance = samples.front()->mig_instance;
  all.partition = samples.front()->partition;
  all.at = samples.front()->at;
  all.interval = samples.front()->interval;
  device.age = age_of(*samples.front(), now);
  for (const Sample* sample : samples) {
    fill_identity(all, *sample);
    add_new(all.doubts, sample->doubts);
    all.has_dead_profiling = all.has_dead_profiling || sample->has_dead_profiling;
    add_new(all.suspect, sample->suspect);
  }
  if (device.is_stale) {
    // A query over a window is of the time of the question, however old the newest sample is.
    if (now)
      for (const Sample* sample : samples)
        if (!is_ahead(*sample, now)) fill_window(all.measures, sample->measures);
    return device;
  }
  doubt_what_is_ahead(samples, now, all);
  std::erase_if(samples, is_old);
  if (const Sample* const mean = mean_use_in(samples)) {
    take_utilization(device, *mean);
    count_age(device, *mean, now);
  }
  for (const Sample* sample : samples) {
    const bool had_utilization = all.measures.utilization.has_value();
    if (!fill(all.measures, sample->measures)) continue;
    if (!had_utilization && all.measures.utilization) take_utilization(device, *sample);
    count_age(device, *sample, now);
  }
  settle_contradictions(samples, all);
  all.owners = owners_in(samples);
  return device;
}

/// A part of which the whole card's power is told, the same at each.
bool repeats_card(const Sample& sample) {
  return !sample.mig_instance.empty() ||
         (sample.vendor == Vendor::amd && !sample.partition.empty());
}

/// Takes from `part` what is the card's. The last error stays with both.
Measures taken_for_card(Measures& part) {
  Measures card;
  card.power_watts = std::exchange(part.power_watts, std::nullopt);
  card.power_limit_watts = std::exchange(part.power_limit_watts, std::nullopt);
  card.temperature_celsius = std::exchange(part.temperature_celsius, std::nullopt);
  card.last_xid = part.last_xid;
  card.faults = part.faults;
  return card;
}

DeviceUse card_of(const DeviceUse& part) {
  DeviceUse card{.age = part.age, .is_stale = part.is_stale};
  const Sample& from = part.sample;
  card.sample = {.source = from.source,
                 .exporter = from.exporter,
                 .node = from.node,
                 .host = from.host,
                 .instance = from.instance,
                 .vendor = from.vendor,
                 .uuid = from.uuid,
                 .index = from.index,
                 .minor = from.minor,
                 .pci_bus_id = from.pci_bus_id,
                 .product = from.product,
                 .at = from.at,
                 .interval = from.interval};
  return card;
}

using DevicesByKey = std::map<DeviceKey, DeviceUse>;

/// Moves what belongs to cards from their parts to them; makes a card that nobody tells of.
void move_to_cards(DevicesByKey& devices) {
  for (auto& [key, part] : devices) {
    if (!repeats_card(part.sample)) continue;
    const Measures taken = taken_for_card(part.sample.measures);
    if (taken == Measures{}) continue;
    const auto [card, is_new] = devices.try_emplace(DeviceKey{.card = key.card}, DeviceUse{});
    if (is_new) card->second = card_of(part);
    fill(card->second.sample.measures, taken);
  }
  // An error of the card is one of each of its parts.
  for (auto& [key, part] : devices)
    if (const auto card = devices.find(DeviceKey{.card = key.card});
        card != devices.end() && repeats_card(part.sample))
      fill(part.sample.measures.last_xid, card->second.sample.measures.last_xid);
}

bool comes_before(const DeviceUse& a, const DeviceUse& b) {
  const auto key = [](const DeviceUse& device) {
    const Sample& sample = device.sample;
    return std::tuple(!sample.index, sample.index, sample.uuid,
                      whole_number(sample.mig_instance).value_or(-1), sample.mig_instance,
                      whole_number(sample.partition).value_or(-1), sample.partition);
  };
  return key(a) < key(b);
}

}  // namespace

std::optional<std::chrono::seconds> age_of(const Sample& sample, const std::optional<Time>& now) {
  if (!sample.at || !now || is_ahead(sample, now)) return std::nullopt;
  return std::max(*now - *sample.at, std::chrono::seconds{0});
}

bool is_ahead(const Sample& sample, const std::optional<Time>& now) {
  return sample.at && now && *sample.at > *now + kMostClockSkew;
}

bool is_stale(const Sample& sample, const std::optional<Time>& now) {
  if (!sample.at) return false;
  return !now || *now - *sample.at > kStaleAfter || is_ahead(sample, now);
}

std::string device_text(const std::string& node, const Sample& sample) {
  std::string text = node + "/";
  if (sample.index)
    text += std::to_string(*sample.index);
  else
    text += sample.uuid.empty() ? sample.pci_bus_id : sample.uuid;
  if (!sample.mig_instance.empty()) text += ":" + sample.mig_instance;
  if (!sample.partition.empty()) text += ":" + sample.partition;
  return text;
}

std::vector<DeviceUse> merged_devices(const NodeSamples& samples, const std::optional<Time>& now) {
  const CardKeys keys(samples);
  std::map<DeviceKey, NodeSamples> groups;
  for (const Sample* sample : samples) groups[keys.key_of(*sample)].push_back(sample);
  DevicesByKey merged_by_key;
  for (auto& [key, group] : groups) merged_by_key.emplace(key, merged(std::move(group), now));
  move_to_cards(merged_by_key);
  std::vector<DeviceUse> devices;
  devices.reserve(merged_by_key.size());
  for (auto& [key, device] : merged_by_key) {
    device.card = key.card;
    devices.push_back(std::move(device));
  }
  std::stable_sort(devices.begin(), devices.end(), comes_before);
  return devices;
}

}  // namespace gpu::usage
