#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gpu {

/// The process environment as a value, so that a test can give its own.
class Environment {
 public:
  Environment() = default;
  explicit Environment(std::map<std::string, std::string, std::less<>> variables)
      : variables_(std::move(variables)) {}
  /// What this process was started with.
  static Environment of_process();

  /// Nothing when unset; an empty string when set and empty.
  [[nodiscard]] std::optional<std::string> get(std::string_view name) const;
  /// Unset and empty alike give an empty string.
  [[nodiscard]] std::string get_or_empty(std::string_view name) const;
  /// Every variable, as a child process gets them.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& all() const {
    return variables_;
  }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

}  // namespace gpu
