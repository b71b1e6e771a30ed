#include "cmd/top/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/quick_snapshot.hpp"
#include "usage/rows/named_rows.hpp"

namespace gpu::cmd {
namespace {

/// `text` at its first slash; nothing where it has none.
std::optional<std::pair<std::string, std::string>> halves_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  return std::pair(text.substr(0, slash), text.substr(slash + 1));
}

/// The view in front of the slash: "pod/train-0".
const ViewSpec* view_before_slash(const std::string& word) {
  const auto halves = halves_of(word);
  return halves && !halves->second.empty() ? view_named(halves->first) : nullptr;
}

/// "0", "0:7".
bool is_index(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || c == ':'; });
}

/// What a name that no view stands before is the name of; null where it can be none.
const ViewSpec* likely_view(const std::string& name) {
  if (const auto halves = halves_of(name)) {
    if (!is_object_name(halves->first) || halves->second.empty()) return nullptr;
    const bool is_gpu = is_index(halves->second) || usage::may_be_uuid(halves->second);
    return is_gpu ? &kGpusView : &kPodsView;
  }
  if (usage::may_be_uuid(name)) return &kGpusView;
  return is_object_name(name) ? &kNodesView : nullptr;
}

/// Names with their view before a slash, all of one view.
TopWords words_with_views(const std::vector<std::string>& words, std::string_view program) {
  TopWords meant{.view = view_before_slash(words.front()), .names = {}};
  for (const std::string& word : words) {
    if (view_before_slash(word) != meant.view)
      throw Error(ErrorKind::usage,
                  fmt::format("`{}` and `{}` are rows of different views", words.front(), word),
                  fmt::format("show one view at a time\n      {} top {}", program,
                              shell_quoted(words.front())));
    meant.names.push_back(halves_of(word)->second);
  }
  return meant;
}

}  // namespace

bool ViewSpec::takes(std::string_view flag) const {
  return std::find(flags_without.begin(), flags_without.end(), flag) == flags_without.end();
}

std::vector<std::string_view> view_names() {
  std::vector<std::string_view> names;
  for (const ViewSpec* view : kViews) names.push_back(view->name);
  return names;
}

const ViewSpec* view_named(std::string_view word) {
  if (word.empty()) return nullptr;
  for (const ViewSpec* view : kViews)
    if (word == view->name || word == view->singular || word == view->short_name) return view;
  return nullptr;
}

const ViewSpec& view_typed(const std::string& word, std::string_view program) {
  if (const ViewSpec* view = view_named(word)) return *view;
  const std::vector<std::string_view> names = view_names();
  std::string help = "views are " + listed(names, "and");
  if (const auto nearest = nearest_name(word, names))
    help = fmt::format("a similar one is `{}`; {}", *nearest, help);
  throw Error(ErrorKind::usage, fmt::format("`{0} top {1}`: there is no view `{1}`", program, word),
              fmt::format("{}; for a node of that name\n      {} top nodes {}", help, program,
                          shell_quoted(word)));
}

TopWords top_words(const std::vector<std::string>& words, std::string_view program) {
  if (words.empty()) return {.view = kViews.front(), .names = {}};
  const std::string& first = words.front();
  if (const ViewSpec* view = view_named(first))
    return {.view = view, .names = {words.begin() + 1, words.end()}};
  if (view_before_slash(first) != nullptr) return words_with_views(words, program);
  const ViewSpec* view = likely_view(first);
  if (view == nullptr) view_typed(first, program);
  return {.view = view, .names = words, .is_view_guessed = view == &kNodesView};
}

}  // namespace gpu::cmd
