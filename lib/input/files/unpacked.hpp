#pragma once

#include <optional>
#include <string_view>

#include "base/gzip.hpp"

namespace gpu::input {

/// The bytes of a file as they are or, where they are gzip, unpacked.
class Unpacked {
 public:
  explicit Unpacked(OnBytes on_bytes);
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  ~Unpacked() = default;

  /// The next bytes. Throws Error{data} for gzip that is damaged, and for what is no JSON but the
  /// right thing in another form.
  void feed(std::string_view bytes);
  /// The end of the file. Throws Error{data} for gzip that is cut off.
  void finish();

 private:
  void pass_on(std::string_view bytes);

  OnBytes on_bytes_;
  std::optional<Gunzip> gunzip_;
  bool has_begun_ = false;
  bool has_passed_on_ = false;
};

}  // namespace gpu::input
