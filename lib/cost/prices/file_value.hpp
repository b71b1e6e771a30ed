#pragma once

#include <cstddef>
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

/// The amount of `key`, from 0 to `most`; refused otherwise.
Money amount_in(FileLine at, std::string_view key, std::string_view text, Money most);

/// Midnight of "2026-11-01", whatever time of day follows it; refused otherwise.
Time date_in(FileLine at, std::string_view text);

}  // namespace gpu::cost
