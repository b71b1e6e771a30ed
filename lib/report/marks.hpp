#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// The characters that tables are drawn with, each one column wide, except for the ASCII ellipsis.
struct Glyphs {
  std::string_view allocated, free, unavailable;
  std::string_view bar_full, bar_half, bar_empty;  ///< no half in ASCII
  std::string_view ellipsis, degree, at_least;
  std::string_view branch, last_branch;  ///< three columns wide
};
/// The signs that a stream can show.
const Glyphs& glyphs_of(const Style& style);

/// How many marks of each kind are drawn for a node's GPUs: one each for up to eight GPUs,
/// otherwise eight, as shares. A kind that is not 0 has at least one mark, and a kind that is 0 has
/// none.
struct MarkCounts {
  std::size_t allocated = 0;
  std::size_t free = 0;
  std::size_t unavailable = 0;
  [[nodiscard]] std::size_t all() const { return allocated + free + unavailable; }
};
/// The marks of a Share; for more than eight GPUs the largest remainder gets what is left over.
MarkCounts mark_counts(const Share& share);

/// A bar in two parts, because they differ in colour.
struct Bar {
  std::string filled;
  std::string empty;
};

/// A bar of `width` columns for `ratio`: empty only at 0, full only from 1 on.
Bar bar_of(double ratio, std::size_t width, const Glyphs& glyphs);

/// `sign` written `count` times.
std::string repeated(std::string_view sign, std::size_t count);

}  // namespace gpu::report
