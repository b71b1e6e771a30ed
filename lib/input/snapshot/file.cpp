#include "input/snapshot/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "input/snapshot/write_target.hpp"
#include "kube/config/files.hpp"

namespace gpu::input {
namespace {

namespace fs = std::filesystem;

constexpr int kFirstOwn = 3;  ///< after the standard streams
constexpr std::size_t kChunk = std::size_t{1} << 16U;

}  // namespace

SnapshotFile::SnapshotFile(const std::string& path, std::ostream& out) : path_(path) {
  if (path == "-")
    out_ = &out;
  else
    open();
  if (path.ends_with(".gz")) gzip_.emplace([this](std::string_view bytes) { put(bytes); });
}

SnapshotFile::~SnapshotFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void SnapshotFile::open() {
  const WriteTarget target = write_target(path_);
  if (target.error != 0) fail("cannot write " + path_, target.error);
  if (target.descriptor) {
    descriptor_ = ::fcntl(*target.descriptor, F_DUPFD_CLOEXEC, kFirstOwn);
    if (descriptor_ < 0) fail("cannot write " + path_, errno);
    return;
  }
  std::error_code error;
  const fs::file_status status = fs::status(target.path, error);
  if (fs::is_directory(status))
    throw Error(ErrorKind::usage, "cannot write " + path_ + ": it is a folder",
                "name a file in it\n      kubectl gpu snapshot " +
                    shell_quoted((fs::path(path_) / "cluster.json.gz").string()));
  const bool is_of_system = target.path.starts_with("/proc/");
  if (is_of_system || (fs::exists(status) && !fs::is_regular_file(status))) {
    descriptor_ = ::open(target.path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot write " + path_, errno);
    return;
  }
  // Through a link, the file that it names is replaced, and the link stays.
  path_ = target.path;
  // Short, so that names which just fit in their folder do so, too.
  temporary_ = (fs::path(path_).parent_path() / ".gpu.XXXXXX").string();
  descriptor_ = ::mkstemp(temporary_.data());  // with mode 0600
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("cannot write " + path_, errno);
  }
}

void SnapshotFile::write(std::string_view bytes) {
  const std::string shown = without_secrets(bytes);
  if (gzip_)
    gzip_->feed(shown);
  else
    put(shown);
}

void SnapshotFile::put(std::string_view bytes) {
  size_ += bytes.size();
  if (out_ != nullptr) {
    out_->write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return;
  }
  waiting_ += bytes;
  if (waiting_.size() < kChunk && !bytes.empty()) return;
  std::string_view left = waiting_;
  while (!left.empty()) {
    const ssize_t count = ::write(descriptor_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write " + path_, errno);
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  waiting_.clear();
}

void SnapshotFile::finish() {
  if (gzip_) gzip_->finish();
  put({});
  if (out_ != nullptr) return;
  const bool is_new = !temporary_.empty();
  if (is_new) take_over();
  if (is_new && ::fsync(descriptor_) != 0) fail("cannot write " + path_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write " + path_, errno);
  if (is_new && ::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail("cannot write " + path_, errno);
  temporary_.clear();
}

/// What the file that is replaced was to others: its mode, and its owner where we may give it away.
void SnapshotFile::take_over() {
  constexpr mode_t kMode = 07777;
  struct stat before {};
  if (::stat(path_.c_str(), &before) != 0) return;
  names_left_ = before.st_nlink > 0 ? before.st_nlink - 1 : 0;
  struct stat own {};
  const bool is_ours =
      ::fstat(descriptor_, &own) == 0 && own.st_uid == before.st_uid && own.st_gid == before.st_gid;
  // Whom it is not given to must not be let in by its mode: a group of another name is not ours.
  if (!is_ours && ::fchown(descriptor_, before.st_uid, before.st_gid) != 0) return;
  static_cast<void>(::fchmod(descriptor_, before.st_mode & kMode));
}

void SnapshotFile::fail(const std::string& what, int error) {
  throw Error(ErrorKind::usage, what + ": " + kube::system_problem(error));
}

}  // namespace gpu::input
