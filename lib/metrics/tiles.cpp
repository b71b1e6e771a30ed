#include "metrics/tiles.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gpu::metrics {
namespace {

using Table = std::span<const Metric>;

/// A card: rows of its own, and of its tiles.
struct Card {
  Sample sample;  ///< without a partition
  std::vector<Row> own;
  std::vector<const DeviceRows*> tiles;
};

bool is_same_card(const Sample& a, const Sample& b) {
  if (a.node != b.node || a.host != b.host || a.instance != b.instance) return false;
  return a.uuid.empty() || b.uuid.empty() ? a.pci_bus_id == b.pci_bus_id
                                          : same_uuid(a.uuid, b.uuid);
}

std::vector<Card> cards_of(const std::vector<DeviceRows>& devices) {
  std::vector<Card> cards;
  for (const DeviceRows& device : devices) {
    auto card = std::find_if(cards.begin(), cards.end(), [&device](const Card& each) {
      return is_same_card(each.sample, device.sample);
    });
    if (card == cards.end()) {
      Sample sample = device.sample;
      sample.partition.clear();
      card = cards.insert(card, Card{.sample = std::move(sample), .own = {}, .tiles = {}});
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

void add(Readings& readings, const std::vector<Row>& rows, Table table) {
  for (const Row& row : rows) {
    const Metric& metric = table[row.told.metric];
    if (metric.measure != Measure::other) readings.add(metric, row.told);
  }
}

/// Memory of a card whose tiles are told of one by one; nothing when one tile's is not known.
void add_memory_of_tiles(Readings& readings, const Card& card, Table table, Measure measure) {
  double sum = 0;
  const Row* last = nullptr;
  for (const DeviceRows* tile : card.tiles) {
    const auto row = std::find_if(tile->rows.begin(), tile->rows.end(), [&](const Row& each) {
      return table[each.told.metric].measure == measure && each.told.aspect == Aspect::now;
    });
    if (row == tile->rows.end()) return;
    sum += row->told.series->value;
    last = &*row;
  }
  if (last != nullptr) readings.add(table[last->told.metric], last->told, sum);
}

bool is_memory(Measure measure) {
  return measure == Measure::memory_used || measure == Measure::memory_total;
}

Readings readings_of(const Card& card, Table table) {
  Readings readings;
  add(readings, card.own, table);
  if (card.tiles.size() == 1) {
    add(readings, card.tiles.front()->rows, table);
    return readings;
  }
  for (const Measure measure : {Measure::memory_used, Measure::memory_total}) {
    if (!readings.has(measure)) add_memory_of_tiles(readings, card, table, measure);
  }
  Readings own;
  add(own, card.own, table);
  for (const DeviceRows* tile : card.tiles) {
    for (const Row& row : tile->rows) {
      const Metric& metric = table[row.told.metric];
      // A tile's power is not the card's, and the highest of them even less.
      if (metric.measure == Measure::other || metric.measure == Measure::power ||
          is_memory(metric.measure) || own.value(metric.measure, row.told.aspect))
        continue;
      readings.add(metric, row.told);
    }
  }
  return readings;
}

std::vector<Row> all_rows(const Card& card) {
  std::vector<Row> rows = card.own;
  for (const DeviceRows* tile : card.tiles)
    rows.insert(rows.end(), tile->rows.begin(), tile->rows.end());
  return rows;
}

}  // namespace

std::vector<Sample> samples_with_tiles(const std::vector<Told>& told, const Origin& origin,
                                       std::span<const Metric> table, const Identify& identify) {
  std::vector<Sample> samples;
  const std::vector<DeviceRows> devices = device_rows(told, origin, identify);
  for (const Card& card : cards_of(devices)) {
    Readings readings = readings_of(card, table);
    Sample sample = card.sample;
    sample.owners = owners_in(all_rows(card));
    samples.push_back(finished(std::move(sample), readings, UtilizationKind::engine_ratio));
    if (card.tiles.size() < 2) continue;
    for (const DeviceRows* tile : card.tiles) {
      Readings own;
      add(own, tile->rows, table);
      Sample part = tile->sample;
      part.owners = owners_in(tile->rows);
      samples.push_back(finished(std::move(part), own, UtilizationKind::engine_ratio));
    }
  }
  return samples;
}

}  // namespace gpu::metrics
