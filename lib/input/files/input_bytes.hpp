#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gpu::input {

/// The bytes of a file, a pipe or standard input, as they come. A signal ends the wait for them.
class InputBytes {
 public:
  /// `-` is standard input. `on_wait` is called about twice a second while nothing comes. Throws
  /// Error{usage} for what cannot be opened, Error{interrupted}.
  explicit InputBytes(const std::string& path, std::function<void()> on_wait = {});
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;
  ~InputBytes();

  /// The next ones, valid until the next call; none at the end. Throws Error{data} for what cannot
  /// be read, Error{interrupted}.
  std::string_view next();

 private:
  int descriptor_;
  bool is_own_;
  std::function<void()> on_wait_;
  std::array<char, std::size_t{1} << 17U> buffer_{};
};

}  // namespace gpu::input
