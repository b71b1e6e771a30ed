#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/style.hpp"

namespace gpu::report {

/// Adds `prose`, cleaned, which starts at column `indent` of the last line of `out`; wrapped at
/// words where the stream is a terminal, further lines indented as far.
void append_prose(std::string& out, std::string_view prose, std::size_t indent, const Style& style);

/// `text`, or as much of its beginning as a person reads (2,000 bytes), then `...`, its length, and
/// `where` to find the whole text: texts of a cluster may have megabytes.
std::string cut_for_people(std::string_view text, std::string_view where);

}  // namespace gpu::report
