#include "input/files/unpacked.hpp"

#include <utility>

#include "base/error.hpp"

namespace gpu::input {

Unpacked::Unpacked(OnBytes on_bytes) : on_bytes_(std::move(on_bytes)) {}

void Unpacked::feed(std::string_view bytes) {
  if (!has_begun_ && is_gzip(bytes))
    gunzip_.emplace([this](std::string_view unpacked) { pass_on(unpacked); });
  has_begun_ = true;
  if (gunzip_)
    gunzip_->feed(bytes);
  else
    pass_on(bytes);
}

void Unpacked::finish() {
  if (gunzip_) gunzip_->finish();
}

/// Files that hold the right thing in another form are called by its name.
void Unpacked::pass_on(std::string_view bytes) {
  if (!std::exchange(has_passed_on_, true)) {
    if (is_gzip(bytes)) throw Error(ErrorKind::data, "is compressed by gzip twice");
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
      throw Error(ErrorKind::data, "is UTF-16, as PowerShell writes it: JSON is UTF-8");
  }
  on_bytes_(bytes);
}

}  // namespace gpu::input
