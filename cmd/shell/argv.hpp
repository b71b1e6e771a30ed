#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cmd/shell/flag.hpp"

namespace gpu::cmd {

/// The words of a command line in the one form that CLI11 reads as kubectl's flag library reads
/// all of them: `--output=json` for `-o json`, `-ojson`, `-o=json`, `--output json`; short switches
/// apart. A flag's value may start with a dash or be empty. Words after `--` stay as they are.
/// Throws Error{usage} for a flag that is not among `flags`, with the nearest one as help, and for
/// a flag that lacks its value.
std::vector<std::string> normalized(const std::vector<std::string>& words, const Flags& flags);

/// Where the command stands in `words`: the first word that is neither one of `flags` nor a
/// flag's value; words.size() when there is none.
std::size_t command_position(const std::vector<std::string>& words, const Flags& flags);

}  // namespace gpu::cmd
