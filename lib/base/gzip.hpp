#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

struct z_stream_s;

namespace gpu {

/// Takes bytes that came out; the view is valid during the call only.
using OnBytes = std::function<void(std::string_view bytes)>;

/// Whether `bytes`, the first of a file, are those of gzip.
bool is_gzip(std::string_view bytes);

/// Unpacks gzip while its bytes arrive; several members after one another count as one, as in gzip.
class Gunzip {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30U;

  /// `most_bytes`: unpacked; a small file can unpack to more than a disk holds.
  explicit Gunzip(OnBytes on_bytes, std::uint64_t most_bytes = kMostBytes);
  /// The next bytes, cut anywhere. Throws Error{data} with the place where they are damaged.
  void feed(std::string_view packed);
  /// The end of the bytes. Throws Error{data} when they are cut off.
  void finish();

 private:
  struct Close {
    void operator()(z_stream_s* stream) const;
  };
  /// Whether a member is being read, or one has ended.
  enum class At { member, between, padding };
  void inflate_some();
  void begin_next_member(std::string_view packed);

  OnBytes on_bytes_;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
  At at_ = At::member;
  std::unique_ptr<z_stream_s, Close> stream_;
};

/// Packs bytes as gzip. The same bytes give the same file: no name and no time is in it.
class Gzip {
 public:
  explicit Gzip(OnBytes on_bytes);
  /// The next bytes to pack.
  void feed(std::string_view bytes);
  /// The end of them: gives out what is left.
  void finish();

 private:
  struct Close {
    void operator()(z_stream_s* stream) const;
  };
  void deflate_all(std::string_view bytes, int flush);

  OnBytes on_bytes_;
  std::unique_ptr<z_stream_s, Close> stream_;
};

}  // namespace gpu
