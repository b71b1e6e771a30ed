#pragma once

#include <cstddef>
#include <string_view>

namespace gpu::input {

// What makers of hardware and clouds call their things says nothing of whose cluster it is. What
// may stay is decided by words that are known, never by letters that look harmless.

/// The most digits of a number that stays: longer ones may be an account or a telephone.
inline constexpr std::size_t kShortNumber = 5;
/// Memory of one card in MiB, where a text is known to hold it: "196608".
inline constexpr std::size_t kMemoryNumber = 6;

/// A number with at most `most` digits in any run, and a unit: "8", "80GB", "1.5", "0/9", "25%".
bool is_short_number(std::string_view word, std::size_t most = kShortNumber);

/// "10.1.2.3": four numbers or more with dots between, wherever they stand in `text`.
bool has_dotted_address(std::string_view text);

/// "0000:0f:00.0", "00000000:3B:00.0".
bool is_pci_address(std::string_view text);

/// A word of our tables of models and machines, of exporters, or of annotations by GPU schedulers:
/// "H100", "SXM5", "highgpu", "fraction". Letter case does not matter.
bool is_hardware_word(std::string_view word);

/// Whether all of `text` are such words, numbers of at most `most` digits, and marks:
/// "NVIDIA-H100-80GB-HBM3", "p5.48xlarge", "570.86.15".
bool is_hardware_text(std::string_view text, std::size_t most = kShortNumber);

/// Whether all parts of what stands behind a known prefix are words of GPU stacks or numbers:
/// "engines.copy", "1g.10gb.count", "10de.present"; not the name of a team.
bool is_hardware_suffix(std::string_view suffix);

/// A name made of hardware words and numbers alone: "gpu-0-mig-1g10gb-3", "0000:0f:00.0".
bool is_hardware_name(std::string_view name);

}  // namespace gpu::input
