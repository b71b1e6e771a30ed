#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpu::kube {

/// `text` with everything but RFC 3986's unreserved characters as %XX.
std::string percent_encoded(std::string_view text);

/// A value inside a field selector: `\\`, `,` and `=` are escaped by a backslash.
std::string field_value(std::string_view text);

/// `path?key=value&...`, values encoded; pairs with an empty value are left out.
std::string query_path(std::string_view path,
                       const std::vector<std::pair<std::string_view, std::string>>& query);

/// `path?key=value&...`, values encoded; pairs with an empty value are left out. Lists are
/// requested with resourceVersion=0: from the watch cache, which has an index of spec.nodeName.
std::string list_path(std::string_view path,
                      const std::vector<std::pair<std::string_view, std::string>>& query);

}  // namespace gpu::kube
