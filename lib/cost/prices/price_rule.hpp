#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "base/money.hpp"
#include "base/time.hpp"
#include "cost/prices/price.hpp"
#include "model/objects/gap.hpp"

namespace gpu::cost {

/// The property by which a rule of the user selects nodes; in a file the first of these wins.
enum class PriceKey : std::uint8_t { node, labels, instance_type, model, any };

/// A GPU that is owned: what it costs an hour.
struct OwnedGpu {
  Money bought;                       ///< of one GPU with its share of the machine
  std::int64_t years = 1;             ///< over which that is written off; above 0
  std::optional<std::int64_t> watts;  ///< nothing: the model's, where the table has it
  std::int64_t pue_milli = 1000;      ///< power usage effectiveness of the room, in thousandths
  Money kwh;                          ///< price of a kilowatt-hour
  Money opex_per_year;                ///< of one GPU
};

/// What an owned GPU that draws `watts` costs an hour.
Money hour_of(const OwnedGpu& owned, std::int64_t watts);

/// One rule of --price or of a price file. It applies to nodes that match all of its fields.
/// Exactly one of the price of a node, the price of a GPU, and `owned` is set.
///
/// The price of a rule of --price, and of one by node or labels, is used as it is. A rule of a file
/// by instance type or model that has no spot price is an upper bound for spot capacity.
struct PriceRule {
  PriceSource source = PriceSource::file;
  std::string node;           ///< name; empty: any
  StringMap labels;           ///< all of them must be the node's
  std::string instance_type;  ///< empty: any
  std::string model;          ///< of its GPUs; empty: any
  std::string region;         ///< empty: any
  std::optional<Money> node_hour, node_spot_hour;
  std::optional<Money> gpu_hour, gpu_spot_hour;
  std::optional<OwnedGpu> owned;
  std::optional<Time> as_of;
  std::string where;  ///< "prices.yaml:12", "--price H100=2.5"
};

/// The most exact property by which the rule selects nodes; a region alone is not one.
PriceKey key_of(const PriceRule& rule);

/// Rules, and mistakes in them that leave the rest usable: duplicates, a GPU price beside a node
/// price, unknown models.
struct PriceRules {
  std::vector<PriceRule> rules;
  std::vector<Gap> gaps;
};

/// `[SELECTOR=]USD` of --price: "2.5" for every GPU, "H100=2.5" for a GPU of that model,
/// "type/p5.48xlarge=55" and "node/gpu-a1=21.5" for a whole node. Throws Error{usage}.
PriceRule price_flag(std::string_view text);

/// A price file: YAML as in examples/prices.yaml, or OpenCost's CSV if `name` ends in .csv. `name`
/// is the file's name in messages. `now`: prices of later days get a gap. Throws Error{usage} with
/// the line of the mistake.
PriceRules price_file(std::string_view text, std::string_view name,
                      const std::optional<Time>& now = {});

}  // namespace gpu::cost
