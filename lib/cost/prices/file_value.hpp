#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/money.hpp"
#include "base/time.hpp"

namespace gpu::cost {

/// A line of a price file.
struct FileLine {
  std::string_view file;
  std::size_t line = 1;
};

/// "prices.yaml:12".
std::string text_of(FileLine at);

/// Throws Error{usage}: "prices.yaml:12: PROBLEM".
[[noreturn]] void refuse(FileLine at, std::string_view problem);

/// An amount from 0 to `most`; nothing for any other text.
std::optional<Money> sane_amount(std::string_view text, Money most);

/// Midnight of "2026-11-01", whatever time of day follows it; nothing for what is no date.
std::optional<Time> date_of(std::string_view text);

/// The amount of `key`, from 0 to `most`; refused otherwise.
Money amount_in(FileLine at, std::string_view key, std::string_view text, Money most);

/// As date_of(); refused where that is nothing.
Time date_in(FileLine at, std::string_view text);

}  // namespace gpu::cost
