#pragma once

#include <string>

#include "cmd/why_pending/question.hpp"

namespace gpu::cmd {

bool is_existing_path(const std::string& path);

/// Words that are files become -f's: who forgets the flag, or lets the shell write `-f *.yaml`,
/// means them so.
void take_path_words(WhyPendingFlags& flags);

}  // namespace gpu::cmd
