#pragma once

#include <string>
#include <string_view>

namespace gpu {

/// `text` as a YAML scalar on one line that every reader takes for this string: plain only where
/// nothing in it could mean anything else, else in double quotes.
std::string yaml_text(std::string_view text);

}  // namespace gpu
