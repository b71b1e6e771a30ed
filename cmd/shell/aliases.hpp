#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::cmd {

/// `words` with the alias at `at` replaced by what it stands for: "top pods" for "pods". People try
/// such words first, because kubectl's own commands read so. Other words stay as they are.
std::vector<std::string> without_alias(std::vector<std::string> words, std::size_t at);

/// What the alias nearest to `word` stands for, "top pods"; nothing where none is near.
std::optional<std::string> nearest_alias(std::string_view word);

}  // namespace gpu::cmd
