#pragma once

#include <string>
#include <string_view>

#include "cost/prices/price_book.hpp"

namespace gpu::cost {

/// A node to be priced, with what it refers to.
struct Asked {
  StringMap labels;
  StringMap annotations = {};
  std::string provider_id = {};
  std::string product = {};
  std::optional<std::int64_t> memory_mib = {};
  std::optional<std::int64_t> cards = {};
  std::string name = "gpu-a1";

  [[nodiscard]] PricedNode node() const {
    return {.name = name,
            .labels = &labels,
            .annotations = &annotations,
            .provider_id = provider_id,
            .product = product,
            .memory_mib = memory_mib,
            .cards = cards};
  }
};

inline constexpr const char* kType = "node.kubernetes.io/instance-type";
inline constexpr const char* kRegion = "topology.kubernetes.io/region";
inline constexpr const char* kCapacity = "karpenter.sh/capacity-type";

/// A node of AWS in us-east-1.
inline Asked aws(std::string type, std::string capacity = "on-demand") {
  return {.labels = {{kType, std::move(type)},
                     {kRegion, "us-east-1"},
                     {kCapacity, std::move(capacity)}},
          .provider_id = "aws:///us-east-1a/i-0"};
}

inline Money usd(std::string_view text) { return parse_money(text).value(); }

/// "21.957642 table [aws p4d.24xlarge us-east-1] estimate bound": what decides of a price.
inline std::string told(const NodePrice& price) {
  std::string text = price.per_hour ? std::to_string(price.per_hour->nano) : "-";
  text += " " + std::string(name_of(price.source)) + " [" + price.rule + "]";
  if (price.is_estimate) text += " estimate";
  if (price.is_upper_bound) text += " bound";
  return text;
}

inline std::string told(const PriceBook& book, const Asked& asked) {
  return told(book.price(asked.node()));
}

}  // namespace gpu::cost
