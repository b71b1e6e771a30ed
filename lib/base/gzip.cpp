#include "base/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace gpu {
namespace {

constexpr int kGzipHeader = 16;  // added to the window's bits: gzip, not zlib's own frame
constexpr std::string_view kMagic = "\x1f\x8b";
constexpr std::size_t kChunk = std::size_t{1} << 16U;
/// zlib counts in 32 bits.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;

[[noreturn]] void fail(std::uint64_t position, const std::string& why) {
  throw Error(ErrorKind::data, "gzip: byte " + std::to_string(position) + ": " + why);
}

void set_input(z_stream& stream, std::string_view bytes) {
  // zlib never writes to its input; its older headers do not say so.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
}

void set_output(z_stream& stream, std::array<char, kChunk>& buffer) {
  stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
  stream.avail_out = static_cast<uInt>(buffer.size());
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with(kMagic); }

void Gunzip::Close::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

Gunzip::Gunzip(OnBytes on_bytes, std::uint64_t most_bytes)
    : on_bytes_(std::move(on_bytes)), most_bytes_(most_bytes) {
  auto stream = std::make_unique<z_stream>();
  if (inflateInit2(stream.get(), MAX_WBITS + kGzipHeader) != Z_OK) throw std::bad_alloc();
  stream_.reset(stream.release());
}

void Gunzip::feed(std::string_view packed) {
  while (!packed.empty()) {
    if (at_ != At::member) begin_next_member(packed);
    if (at_ == At::padding) {
      bytes_in_ += packed.size();
      return;
    }
    const std::string_view now = packed.substr(0, kMostAtOnce);
    set_input(*stream_, now);
    inflate_some();
    const std::size_t used = now.size() - stream_->avail_in;
    bytes_in_ += used;
    packed.remove_prefix(used);
  }
}

/// Reads until the input is used up or a member ends.
void Gunzip::inflate_some() {
  std::array<char, kChunk> buffer{};
  const uInt given = stream_->avail_in;
  while (at_ == At::member) {
    set_output(*stream_, buffer);
    const int result = inflate(stream_.get(), Z_NO_FLUSH);
    const std::size_t size = buffer.size() - stream_->avail_out;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      fail(bytes_in_ + (given - stream_->avail_in),
           stream_->msg == nullptr ? "damaged" : std::string("damaged: ") + stream_->msg);
    bytes_out_ += size;
    if (bytes_out_ > most_bytes_)
      fail(bytes_in_ + (given - stream_->avail_in),
           "unpacks to more than " + std::to_string(most_bytes_) + " bytes");
    if (size > 0) on_bytes_({buffer.data(), size});
    if (result == Z_STREAM_END) at_ = At::between;
    if (stream_->avail_in == 0 && stream_->avail_out != 0) return;
  }
}

/// A block device or tape pads with zeros: they are no member, and no damage.
void Gunzip::begin_next_member(std::string_view packed) {
  const std::size_t other = packed.find_first_not_of('\0');
  if (other == std::string_view::npos) {
    at_ = At::padding;
    return;
  }
  if (at_ == At::padding || other != 0 || packed.front() != kMagic.front())
    fail(bytes_in_ + other, "something follows the end");
  inflateReset(stream_.get());
  at_ = At::member;
}

void Gunzip::finish() {
  if (at_ == At::member) fail(bytes_in_, "cut off: the rest is missing");
}

void Gzip::Close::operator()(z_stream_s* stream) const {
  deflateEnd(stream);
  delete stream;
}

Gzip::Gzip(OnBytes on_bytes) : on_bytes_(std::move(on_bytes)) {
  constexpr int kMemory = 8;  // zlib's default
  auto stream = std::make_unique<z_stream>();
  if (deflateInit2(stream.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader,
                   kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  stream_.reset(stream.release());
}

void Gzip::feed(std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMostAtOnce)))
    deflate_all(bytes.substr(0, kMostAtOnce), Z_NO_FLUSH);
}

void Gzip::finish() { deflate_all({}, Z_FINISH); }

void Gzip::deflate_all(std::string_view bytes, int flush) {
  std::array<char, kChunk> buffer{};
  set_input(*stream_, bytes);
  do {
    set_output(*stream_, buffer);
    deflate(stream_.get(), flush);
    const std::size_t size = buffer.size() - stream_->avail_out;
    if (size > 0) on_bytes_({buffer.data(), size});
  } while (stream_->avail_out == 0);
}

}  // namespace gpu
