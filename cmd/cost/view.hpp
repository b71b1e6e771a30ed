#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/command.hpp"
#include "cost/rows/cost_row.hpp"
#include "report/columns.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

struct CostAnswer;

using CostColumns = report::Columns<cost::CostRow>;

/// Whose cost a view shows: of those who hold GPUs, or of the GPUs that there are.
enum class CostOf { demand, supply };
/// Whether pods that are finished count, too.
enum class Past { left_out, counted };

/// A view of `cost`: all that is to know of it, declared in views.cpp.
struct CostView {
  std::string_view name;        ///< in the plural, as typed
  std::string_view singular;    ///< as kubectl takes a kind, too
  std::string_view short_name;  ///< the same; may be empty
  CostOf of = CostOf::demand;
  Past past = Past::left_out;
  std::string_view name_prefix;  ///< of -o name
  CommandInfo help;
  std::vector<cost::CostRow> (*rows)(const CostAnswer& answer);
  void (*add_columns)(CostColumns& columns, const CostAnswer& answer);
};

extern const CostView kCostNamespaces;
extern const CostView kCostPods;
extern const CostView kCostJobs;
extern const CostView kCostNodes;
extern const CostView kCostModels;
/// --by owner and --by label=KEY: not typed as views.
extern const CostView kCostOwners;
extern const CostView kCostLabels;

/// All views that are typed, in the order of help; the first is shown where none is.
inline constexpr std::array kCostViews = {&kCostNamespaces, &kCostPods, &kCostJobs, &kCostNodes,
                                          &kCostModels};

/// "namespaces", "pods", ...
std::vector<std::string_view> cost_view_names();

/// The view of that name, in the plural, the singular, or its short name; null where there is none.
const CostView* cost_view_named(std::string_view word);

}  // namespace gpu::cmd
