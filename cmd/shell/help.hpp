#pragma once

#include <string>
#include <string_view>

#include "cmd/shell/command.hpp"
#include "cmd/shell/flag.hpp"

namespace gpu::cmd {

/// The help of one command: what it does, examples, then the flags in groups that are its own.
/// `program` is how we are called ("kubectl gpu").
std::string help_text(const CommandInfo& info, const Flags& flags, std::string_view program);

/// A heading and the flags of a group, as help shows them; empty where there are none.
std::string flags_under(std::string_view heading, FlagGroup group, const Flags& flags);

/// The last line of help: which command prints the flags that many commands have. Empty for a
/// command without them.
std::string common_flags_line(const Flags& flags, std::string_view program);

}  // namespace gpu::cmd
