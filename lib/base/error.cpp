#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gpu {

Error::Error(ErrorKind kind, std::string message, std::string help)
    : kind_(kind), message_(std::move(message)), help_(std::move(help)) {}

std::string headline(const Error& error) {
  static constexpr std::array<std::string_view, 5> kKubectlOpenings = {
      "Error from server", "Unable to connect to the server", "The connection to the server",
      "Error in configuration", "error: "};
  const std::string& message = error.message();
  const bool has_opening =
      std::any_of(kKubectlOpenings.begin(), kKubectlOpenings.end(),
                  [&](std::string_view opening) { return message.starts_with(opening); });
  return has_opening ? message : "error: " + message;
}

int exit_code(ErrorKind kind) { return kind == ErrorKind::interrupted ? 130 : 2; }

}  // namespace gpu
