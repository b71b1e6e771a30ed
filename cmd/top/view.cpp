#include "cmd/top/view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"

namespace gpu::cmd {

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

}  // namespace gpu::cmd
