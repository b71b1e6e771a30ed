#pragma once

#include <string>

#include "manifest/tree/tree.hpp"

namespace gpu::manifest::test {

/// The documents of a YAML text as yaml-cpp reads them, with which maps and lists stand on one
/// line: printed again, they are the same text without its comments.
Documents read_documents(const std::string& yaml);

}  // namespace gpu::manifest::test
