#include "cmd/why_pending/path_words.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace gpu::cmd {
namespace {

/// "manifests/", which a shell completes so.
bool is_typed_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') && std::filesystem::is_directory(path, ignored);
}

}  // namespace

bool is_existing_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void take_path_words(WhyPendingFlags& flags) {
  const bool has_files = !flags.manifests.files.empty();
  const auto is_file = [&](const std::string& word) {
    return is_path_word(word) || is_typed_folder(word) || (has_files && is_existing_path(word));
  };
  const auto names = std::stable_partition(flags.words.begin(), flags.words.end(), is_file);
  std::move(flags.words.begin(), names, std::back_inserter(flags.manifests.files));
  flags.words.erase(flags.words.begin(), names);
}

}  // namespace gpu::cmd
