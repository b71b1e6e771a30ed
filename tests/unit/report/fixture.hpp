#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "report/render.hpp"
#include "report/report.hpp"

/// The views of OUTPUT.md as reports, cell by cell.
namespace gpu::report::fixture {

inline constexpr std::int64_t kGi = std::int64_t{1} << 30;
inline constexpr unsigned kPeople = static_cast<unsigned>(Audience::people);
inline constexpr unsigned kWide = static_cast<unsigned>(Audience::people_wide);
inline constexpr unsigned kPlain = static_cast<unsigned>(Audience::plain);
inline constexpr unsigned kMachine = static_cast<unsigned>(Audience::machine);
inline constexpr unsigned kText = kPeople | kPlain;
inline constexpr unsigned kAll = kText | kMachine;

inline Style terminal(std::size_t width) { return {.width = width, .utf8 = true}; }
inline Style colored(std::size_t width) { return {.width = width, .color = true, .utf8 = true}; }
inline Style ascii(std::size_t width) { return {.width = width}; }
inline Style piped() { return {.width = {}, .utf8 = true}; }

inline Column left(std::string key, std::string title, unsigned audience) {
  return {.key = std::move(key), .title = std::move(title), .audience = audience};
}
inline Column right(std::string key, std::string title, unsigned audience) {
  return {.key = std::move(key),
          .title = std::move(title),
          .audience = audience,
          .align = Align::right};
}
inline Column name(std::string key, std::string title, unsigned audience) {
  return {.key = std::move(key), .title = std::move(title), .audience = audience, .is_name = true};
}
inline Column dropping(Column column) {
  column.drops_first = true;
  return column;
}

/// A table of one column of one kind of cell, for everybody.
inline Report one_column(Column column, std::initializer_list<Cell> cells) {
  Report report;
  report.kind = "TestList";
  report.table.columns.push_back(std::move(column));
  for (const Cell& cell : cells) report.table.rows.push_back({cell});
  return report;
}

struct NodeRow {
  std::string node, model;
  Share share;
  Cell utilization;
  Cell used_gi;
  std::int64_t total_gi;
  Cell power;
  Cell state;
};

inline std::vector<Cell> cells_of(const NodeRow& row) {
  Cell memory, used;
  if (const auto* gi = std::get_if<std::int64_t>(&row.used_gi.value)) {
    memory = BytesOf{.used = *gi * kGi, .total = row.total_gi * kGi};
    used = Bytes{*gi * kGi};
  }
  const Share& share = row.share;
  return {row.node,
          row.model,
          share,
          share.total,
          share.allocated,
          share.total - share.allocated - share.unavailable,
          share.unavailable,
          row.utilization,
          row.utilization,
          memory,
          used,
          Bytes{row.total_gi * kGi},
          row.power,
          row.state};
}

inline Report top_nodes() {
  Report report;
  report.kind = "NodeUsageList";
  report.name_prefix = "node/";
  report.table.columns = {name("name", "NODE", kAll),
                          left("model", "MODEL", kAll),
                          left("allocation", "ALLOCATED", kPeople),
                          right("capacity", "GPUS", kPlain | kMachine),
                          right("allocated", "ALLOCATED", kPlain | kMachine),
                          right("free", "FREE", kPlain | kMachine),
                          right("unavailable", "UNAVAILABLE", kPlain | kMachine),
                          left("utilizationBar", "UTIL", kPeople),
                          right("utilization", "UTIL%", kPlain | kMachine),
                          left("memory", "MEMORY", kPeople),
                          right("memoryUsedBytes", "MEM_USED_GI", kPlain | kMachine),
                          right("memoryTotalBytes", "MEM_TOTAL_GI", kPlain | kMachine),
                          dropping(right("powerWatts", "POWER", kPeople | kMachine)),
                          left("state", "STATE", kAll)};
  const Cell idle(Ratio{.08}, Concern::warning);
  const Cell cordoned("Cordoned", Concern::warning);
  const std::vector<NodeRow> rows = {
      {"gpu-a1", "H100-80G", {8, 8, 0}, Ratio{.91}, 595, 640, Watts{5210}, "Ready"},
      {"gpu-a2", "H100-80G", {6, 8, 0}, Ratio{.70}, 401, 640, Watts{4101}, "Ready"},
      {"gpu-a3", "H100-80G", {7, 8, 0}, idle, 503, 640, Watts{1290}, "Ready"},
      {"gpu-a4", "H100-80G", {0, 8, 8}, {}, {}, 640, {}, cordoned},
      {"gpu-l1", "L4-24G", {1, 4, 0}, Ratio{.12}, 11, 96, Watts{116.5}, "Ready"},
      {"gpu-m1", "A100-1g.10gb", {9, 14, 0}, Ratio{.38}, 58, 136, Watts{391}, "Ready"}};
  for (const NodeRow& row : rows) report.table.rows.push_back(cells_of(row));
  report.summary = {{"GPUs",
                     36,
                     {{22, "allocated"},
                      {6, "free", true},
                      {Cell(8, Concern::warning), "unavailable"},
                      {Ratio{.5}, "busy"}}},
                    {"MIG", 14, {{9, "allocated"}, {5, "free", true}}}};
  report.hints = {
      {"6 allocated GPUs on gpu-a3 are idle now", "kubectl gpu top pods --node gpu-a3"},
      {"4 pods wait for 15 GPUs", "kubectl gpu why-pending -A"},
      {"No metrics from gpu-a4: dcgm-exporter is not ready", "kubectl gpu doctor metrics"}};
  return report;
}

inline Report top_gpus() {
  Report report;
  report.table.columns = {name("name", "GPU", kPeople),
                          left("model", "MODEL", kPeople),
                          left("utilization", "UTIL", kPeople),
                          left("memory", "MEMORY", kPeople),
                          dropping(right("temperature", "TEMP", kPeople)),
                          dropping(right("power", "POWER", kPeople)),
                          name("pod", "POD", kPeople),
                          left("health", "HEALTH", kPeople)};
  const auto memory = [](double used_gi, std::int64_t total_gi) {
    return BytesOf{static_cast<std::int64_t>(used_gi * static_cast<double>(kGi)), total_gi * kGi};
  };
  const Cell ok("ok", Concern::good);
  const std::string llama = "ml/llama-pretrain-1";
  const std::string eval = "ml/eval-sweep-7";
  const std::string h100 = "H100-80G";
  report.table.rows = {
      {"gpu-a2/0", h100, Ratio{.97}, memory(75, 80), Celsius{66}, "690/700W", llama, ok},
      {"gpu-a2/1", h100, Ratio{.97}, memory(75, 80), Celsius{65}, "688/700W", llama, ok},
      {"gpu-a2/2", h100, Ratio{.96}, memory(75, 80), Celsius{67}, "691/700W", llama, ok},
      {"gpu-a2/3", h100, Ratio{.98}, memory(75, 80), Celsius{66}, "693/700W", llama, ok},
      {"gpu-a2/4", h100, Ratio{.88}, memory(51, 80), Celsius{61}, "596/700W", eval, ok},
      {"gpu-a2/5", h100, Ratio{.84}, memory(49.8, 80), Celsius{60}, "588/700W", eval, ok},
      {"gpu-a2/6", h100, Ratio{0}, memory(0, 80), Celsius{33}, "72/700W", {}, ok},
      {"gpu-a2/7", h100, Ratio{0}, memory(0, 80), Celsius{33}, "71/700W", {}, ok},
      {"gpu-m1/0:7", "1g.10gb", Ratio{.61}, memory(7.2, 10), {}, {}, "serving/asr-0", ok},
      {"gpu-m1/0:8", "1g.10gb", Ratio{.58}, memory(6, 10), {}, {}, "serving/asr-1", ok}};
  return report;
}

inline Report top_pods() {
  Report report;
  report.table.columns = {name("namespace", "NAMESPACE", kText),
                          name("name", "POD", kText),
                          dropping(name("node", "NODE", kText)),
                          right("gpus", "GPUS", kText),
                          left("utilization", "UTIL", kText),
                          right("memory", "MEMORY", kText),
                          right("age", "AGE", kText),
                          left("idle", "", kText)};
  const auto memory = [](std::int64_t used, std::int64_t total) {
    return BytesOf{used * kGi, total * kGi};
  };
  const auto days = [](int count) { return Seconds{std::chrono::hours{24 * count}}; };
  const Cell minutes = Seconds{std::chrono::minutes{40}};
  const Cell idle("idle", Concern::warning);
  report.table.rows = {
      {"ml", "llama-pretrain-0", "gpu-a1", 8, Ratio{.91}, memory(595, 640), days(3), ""},
      {"ml", "llama-pretrain-1", "gpu-a2", 4, Ratio{.97}, memory(300, 320), days(3), ""},
      {"research", "notebook-jo", "gpu-a3", 4, Ratio{0}, memory(290, 320), days(6), idle},
      {"ml", "eval-sweep-7", "gpu-a2", 2, Ratio{.86}, memory(101, 160), minutes, ""},
      {"research", "notebook-ana", "gpu-a3", 2, Ratio{.02}, memory(142, 160), days(2), idle},
      {"serving", "rerank-6c9f7-x2x9k", "gpu-a3", 1, Ratio{.60}, memory(71, 80), days(12), ""},
      {"serving", "embed-5d7cb-7hq4m", "gpu-l1", 1, Ratio{.46}, memory(11, 24), days(12), ""},
      {"serving", "asr (9 pods)", "gpu-m1", "9 mig", Ratio{.59}, memory(58, 88), days(12), ""}};
  return report;
}

}  // namespace gpu::report::fixture
