#pragma once

#include <string>
#include <string_view>

#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Whether comments are written.
enum class Comments { written, left_out };

/// The documents as YAML that means the same by YAML 1.1 and 1.2, in their own order. A comment
/// stands behind its line, or above it where the line would be longer than 100 columns.
std::string yaml_of(const Documents& documents, Comments comments = Comments::written);

/// A value on one line, as it would stand in a document.
std::string one_line_of(const Tree& tree);

/// `text` as comment lines of at most 100 columns, "# " before each.
std::string yaml_comment(std::string_view text);

/// One object as it is, several as a List, with a newline at the end.
std::string json_of(const Documents& documents);

}  // namespace gpu::manifest
