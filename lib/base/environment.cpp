#include "base/environment.hpp"

#include <utility>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace gpu {

Environment Environment::of_process() {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view pair = *entry;
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    // The first of two entries of one name counts, as with getenv.
    variables.emplace(std::string(pair.substr(0, equals)), std::string(pair.substr(equals + 1)));
  }
  return Environment(std::move(variables));
}

std::optional<std::string> Environment::get(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::string Environment::get_or_empty(std::string_view name) const {
  return get(name).value_or(std::string());
}

}  // namespace gpu
