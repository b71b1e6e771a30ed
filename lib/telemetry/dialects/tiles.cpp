#include "telemetry/dialects/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace gpu::telemetry {
namespace {

using Table = std::span<const Metric>;

/// A card: rows of its own, and of its tiles.
struct TiledCard {
  Sample sample;  ///< without a partition
  std::vector<Row> own;
  std::vector<const DeviceRows*> tiles;
};

bool is_same_card(const Sample& a, const Sample& b) {
  if (a.node != b.node || a.host != b.host || a.instance != b.instance) return false;
  return a.uuid.empty() || b.uuid.empty() ? a.pci_bus_id == b.pci_bus_id
                                          : same_uuid(a.uuid, b.uuid);
}

std::vector<TiledCard> cards_of(const std::vector<DeviceRows>& devices) {
  std::vector<TiledCard> cards;
  for (const DeviceRows& device : devices) {
    auto card = std::find_if(cards.begin(), cards.end(), [&device](const TiledCard& each) {
      return is_same_card(each.sample, device.sample);
    });
    if (card == cards.end()) {
      Sample sample = device.sample;
      sample.partition.clear();
      card = cards.insert(card, TiledCard{.sample = std::move(sample), .own = {}, .tiles = {}});
    }
    if (device.sample.partition.empty()) {
      card->own = device.rows;
      card->sample = device.sample;
    } else {
      card->tiles.push_back(&device);
    }
  }
  return cards;
}

/// Rows of several engines, tasks and tiles: of one metric the highest counts, and what an average
/// of several averages is, nobody knows.
class Busiest {
 public:
  explicit Busiest(Table table) : table_(table) {}

  void take(const Row& row) {
    const auto [at, is_new] = told_.emplace(Key{row.told.metric, row.told.aspect}, &row.told);
    if (is_new || std::isnan(at->second->series->value)) return;
    switch (row.told.aspect) {
      case Aspect::now:
      case Aspect::highest:
        if (!(row.told.series->value <= at->second->series->value)) at->second = &row.told;
        return;
      case Aspect::idle:
        if (!(row.told.series->value >= at->second->series->value)) at->second = &row.told;
        return;
      case Aspect::average:
        if (row.told.series->value != at->second->series->value) is_unclear_.insert(at->first);
        return;
    }
  }

  void add_to(Readings& readings) const {
    for (const auto& [key, told] : told_)
      if (!is_unclear_.contains(key)) readings.add(table_[told->metric], *told);
  }

 private:
  using Key = std::pair<std::size_t, Aspect>;
  Table table_;
  std::map<Key, const DialectSample*> told_;
  std::set<Key> is_unclear_;
};

bool is_memory(Measure measure) {
  return measure == Measure::memory_used || measure == Measure::memory_total;
}

bool is_memory_now(const Row& row, Table table) {
  return row.told.aspect == Aspect::now && is_memory(table[row.told.metric].measure);
}

/// A value that rows add up to.
struct Sum {
  double value = 0;
  DialectSample last;
};

/// Memory in rows of a card or a tile: of each of its modules (hw_name) once.
std::optional<Sum> memory_in(const std::vector<Row>& rows, Table table, Measure measure) {
  std::map<std::string_view, double> modules;
  std::optional<Sum> sum;
  for (const Row& row : rows) {
    if (!is_memory_now(row, table) || table[row.told.metric].measure != measure) continue;
    const double value = row.told.series->value;
    const auto [at, is_new] = modules.emplace(value_of(row.told.series->labels, "hw_name"), value);
    if (!is_new && value > at->second) at->second = value;
    sum = Sum{.value = 0, .last = row.told};
  }
  for (const auto& [name, value] : modules) sum->value += value;
  return sum;
}

/// Memory of a card, else of all its tiles; nothing when one tile's is not known.
std::optional<Sum> memory_of(const TiledCard& card, Table table, Measure measure) {
  std::optional<Sum> sum = memory_in(card.own, table, measure);
  if (sum) return sum;
  for (const DeviceRows* tile : card.tiles) {
    const std::optional<Sum> more = memory_in(tile->rows, table, measure);
    if (!more) return std::nullopt;
    sum = Sum{.value = (sum ? sum->value : 0) + more->value, .last = more->last};
  }
  return sum;
}

void add(Readings& readings, const std::optional<Sum>& sum, Table table) {
  if (sum) readings.add(table[sum->last.metric], sum->last, sum->value);
}

/// What a card's rows say, and where they say nothing, its tiles'.
Readings readings_of(const TiledCard& card, Table table) {
  Readings readings;
  Busiest own(table);
  std::set<Measure> known;
  for (const Row& row : card.own) {
    if (is_memory_now(row, table)) continue;
    own.take(row);
    known.insert(table[row.told.metric].measure);
  }
  Busiest tiles(table);
  for (const DeviceRows* tile : card.tiles) {
    for (const Row& row : tile->rows) {
      const Measure measure = table[row.told.metric].measure;
      // One of several tiles draws less than its card.
      const bool is_of_card = measure != Measure::power || card.tiles.size() == 1;
      if (is_of_card && !known.contains(measure) && !is_memory_now(row, table)) tiles.take(row);
    }
  }
  own.add_to(readings);
  tiles.add_to(readings);
  for (const Measure measure : {Measure::memory_used, Measure::memory_total})
    add(readings, memory_of(card, table, measure), table);
  return readings;
}

Readings readings_of(const DeviceRows& tile, Table table) {
  Readings readings;
  Busiest busiest(table);
  for (const Row& row : tile.rows)
    if (!is_memory_now(row, table)) busiest.take(row);
  busiest.add_to(readings);
  for (const Measure measure : {Measure::memory_used, Measure::memory_total})
    add(readings, memory_in(tile.rows, table, measure), table);
  return readings;
}

std::vector<Row> all_rows(const TiledCard& card) {
  std::vector<Row> rows = card.own;
  for (const DeviceRows* tile : card.tiles)
    rows.insert(rows.end(), tile->rows.begin(), tile->rows.end());
  return rows;
}

}  // namespace

std::vector<Sample> samples_with_tiles(const std::vector<DialectSample>& told, const Origin& origin,
                                       std::span<const Metric> table, const Identify& identify) {
  std::vector<Sample> samples;
  const std::vector<DeviceRows> devices = device_rows(told, origin, identify);
  for (const TiledCard& card : cards_of(devices)) {
    Readings readings = readings_of(card, table);
    Sample sample = card.sample;
    sample.owners = owners_in(all_rows(card));
    samples.push_back(finished(std::move(sample), readings, UtilizationKind::engine_ratio));
    if (card.tiles.size() < 2) continue;
    for (const DeviceRows* tile : card.tiles) {
      Readings own = readings_of(*tile, table);
      Sample part = tile->sample;
      part.owners = owners_in(tile->rows);
      samples.push_back(finished(std::move(part), own, UtilizationKind::engine_ratio));
    }
  }
  return samples;
}

}  // namespace gpu::telemetry
