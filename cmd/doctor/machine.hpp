#pragma once

#include "base/environment.hpp"
#include "checkup/checks/surroundings.hpp"
#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// Programs on PATH that kubectl starts in place of `commands`, in the order of PATH.
std::vector<checkup::HidingProgram> hiding_programs(Commands commands,
                                                    const Environment& environment);

/// Whether kubectl finds who completes our words.
checkup::Surroundings::Completion completion_of(const Environment& environment);

}  // namespace gpu::cmd
