#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/manifests/manifests.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/metrics_flags.hpp"

namespace gpu::cmd {

/// What a manifest would cost, as typed.
struct ForecastFlags {
  ManifestFlags manifests;
  std::optional<std::string> run_for;  ///< --hours
  std::optional<std::string> most;     ///< --max
  bool is_offline = false;
};

/// What --split and --mig-by take; the first is meant where the flag is not typed.
inline constexpr std::array<std::string_view, 2> kSplits = {"share", "opencost"};
inline constexpr std::array<std::string_view, 2> kMigBy = {"compute", "larger"};

/// The flags of `cost`, as typed.
struct CostFlags {
  GlobalFlags global;
  MetricsFlags metrics;
  std::vector<std::string> words;  ///< the view, then names; or TYPE/NAME
  std::string selector;            ///< of pods
  std::vector<std::string> nodes;
  std::string model;
  std::string by;
  std::vector<std::string> prices;  ///< --price, each
  std::vector<std::string> price_files;
  bool whole_node = false;
  std::string split = "share";
  std::string mig_by = "compute";
  std::optional<std::string> explain_price;  ///< the name of a node
  std::vector<std::string> against;  ///< `opencost`, NS/NAME:PORT, or files of OpenCost's answers
  std::string sort_by;
  bool all_namespaces = false;
  bool watch = false;
  ForecastFlags forecast;
};

}  // namespace gpu::cmd
