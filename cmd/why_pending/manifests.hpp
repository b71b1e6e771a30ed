#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "cmd/shell/env.hpp"
#include "cmd/why_pending/question.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::cmd {

/// What the files of -f and -k would create, and what could not be read of them.
struct Manifests {
  PlannedObjects planned;
  std::vector<Error> errors;                ///< one for each bad file, with its line
  std::vector<std::string> unread_folders;  ///< -R would read them
};

bool is_existing_path(const std::string& path);

/// Words that are files become -f's: who forgets the flag, or lets the shell write `-f *.yaml`,
/// means them so.
void take_path_words(WhyPendingFlags& flags);

/// Reads -f and -k; `ns` is where objects without a namespace go. A bad file does not hide the
/// others. Throws Error{usage} where all are bad and there is one alone, and where what was read
/// creates no pods.
Manifests read_manifests(const WhyPendingFlags& flags, const std::string& ns, const Env& env);

}  // namespace gpu::cmd
