#include "cmd/lint/files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "kube/config/files.hpp"

namespace gpu::cmd {
namespace {

namespace fs = std::filesystem;

LintText text_of_file(const std::string& path, const std::string& name) {
  kube::FileContent file = kube::read_file(path);
  if (!file.ok()) throw Error(ErrorKind::usage, file.problem);
  return {.name = name, .text = std::move(file.bytes)};
}

bool is_manifest_name(const fs::path& path) {
  static constexpr std::array<std::string_view, 3> kEnds = {".yaml", ".yml", ".json"};
  const std::string extension = path.extension().string();
  return std::find(kEnds.begin(), kEnds.end(), extension) != kEnds.end();
}

/// What nobody means who names the folder above it.
bool is_passed_over(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return (name.size() > 1 && name.starts_with('.')) || name == "node_modules";
}

bool is_chart_template(const fs::path& folder) {
  std::error_code ignored;
  return folder.filename() == "templates" &&
         fs::exists(folder.parent_path() / "Chart.yaml", ignored);
}

void add_folder(const std::string& folder, LintTexts& to) {
  std::vector<std::string> paths;
  std::error_code error;
  std::error_code ignored;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (at->is_directory(ignored)) {
      if (is_chart_template(path)) to.charts.push_back(path.parent_path().string());
      if (is_passed_over(path) || is_chart_template(path)) at.disable_recursion_pending();
    } else if (at->is_regular_file(ignored) && is_manifest_name(path)) {
      paths.push_back(path.string());
    }
  }
  if (error) throw Error(ErrorKind::usage, "cannot read " + folder + ": " + error.message());
  if (paths.empty() && to.charts.empty())
    throw Error(ErrorKind::usage, folder + " holds no .yaml, .yml or .json file");
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    to.texts.push_back(text_of_file(path, path));
    to.texts.back().is_named = false;
  }
}

}  // namespace

LintTexts read_texts(const std::vector<std::string>& words) {
  LintTexts texts;
  std::error_code ignored;
  for (const std::string& word : words) {
    if (word == "-")
      texts.texts.push_back(text_of_file("/dev/stdin", "stdin"));
    else if (fs::is_directory(word, ignored))
      add_folder(word, texts);
    else
      texts.texts.push_back(text_of_file(word, word));
  }
  return texts;
}

}  // namespace gpu::cmd
