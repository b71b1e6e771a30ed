#pragma once

#include <string>
#include <string_view>

#include "cmd/shell/command.hpp"
#include "cmd/shell/flag.hpp"

namespace gpu::cmd {

/// The help of one command: what it does, examples, then its flags in groups. `program` is how we
/// are called ("kubectl gpu").
std::string help_text(const CommandInfo& info, const Flags& flags, std::string_view program);

}  // namespace gpu::cmd
