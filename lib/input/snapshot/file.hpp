#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "base/gzip.hpp"

namespace gpu::input {

/// A file that appears whole or not at all: written beside its place, readable by its owner alone,
/// and put there by finish(), with mode and owner of the file that was there. Packed by gzip where
/// the name ends in .gz.
class SnapshotFile {
 public:
  /// `-` is `out`. A pipe or device is written as it is, and what is open already (/dev/stdout) is
  /// written on; links are followed, also to what is not there yet. Throws Error{usage} for a place
  /// that cannot be written.
  SnapshotFile(const std::string& path, std::ostream& out);
  SnapshotFile(const SnapshotFile&) = delete;
  SnapshotFile& operator=(const SnapshotFile&) = delete;
  /// Without finish(), nothing is left of it.
  ~SnapshotFile();

  /// The next bytes. Throws Error{data} when the disk is full.
  void write(std::string_view bytes);
  /// All is written. Throws Error{data} when that turns out to be wrong.
  void finish();
  /// On disk, packed: how big it became.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// How many other names (hard links) of the file that was there still have what it held.
  [[nodiscard]] std::uint64_t names_left() const { return names_left_; }

 private:
  void open();
  void take_over();
  void put(std::string_view bytes);
  [[noreturn]] static void fail(const std::string& what, int error);

  std::string path_;
  std::string temporary_;  ///< empty: there is none
  std::ostream* out_ = nullptr;
  int descriptor_ = -1;
  std::string waiting_;  ///< bytes that are not written yet
  std::uint64_t size_ = 0;
  std::uint64_t names_left_ = 0;
  std::optional<Gzip> gzip_;
};

}  // namespace gpu::input
