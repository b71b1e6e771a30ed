#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/candidates.hpp"
#include "cmd/shell/command.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

struct TopAnswer;
struct TopFlags;

/// What a row of a view is: names choose among these.
enum class RowsAre { nodes, devices, pods, groups };

/// What -l and -n choose among, and what must be read for it.
enum class About { nodes, devices, pods };

/// A view of `top`: all that is to know of it, declared in the file of its name.
struct ViewSpec {
  std::string_view name;        ///< in the plural, as typed
  std::string_view singular;    ///< as kubectl takes a kind, too
  std::string_view short_name;  ///< the same; may be empty
  RowsAre rows_are = RowsAre::groups;
  About about = About::nodes;
  std::string_view kind;  ///< of its JSON answer: `NodeUsageList`
  std::string_view item;  ///< what one item of that is; one sentence
  CommandInfo help;
  std::string_view sort_help;                       ///< what --sort-by takes
  std::span<const std::string_view> flags_without;  ///< flags that mean nothing there

  void (*find_rows)(TopAnswer& answer);
  bool (*has_rows)(const TopAnswer& answer);
  /// Rows in the order found, for every form of output; the columns are the same without rows.
  report::Report (*report)(const TopAnswer& answer);
  /// The rows of --tree for people and pipes, `order` being the places of those of the table; null
  /// where there is no tree.
  report::Report (*tree)(const TopAnswer& answer, const std::vector<std::size_t>& order) = nullptr;
  /// Names of rows, for Tab.
  Candidates (*completes)(const TopFlags& flags, const Typing& typing);

  /// Whether the flag "--tree" means something there.
  [[nodiscard]] bool takes(std::string_view flag) const;
};

// One for each view, in the file of its name, and in the list below.
extern const ViewSpec kNodesView;
extern const ViewSpec kGpusView;
extern const ViewSpec kPodsView;
extern const ViewSpec kNamespacesView;
extern const ViewSpec kModelsView;

/// All views, in the order of help; the first is shown where none is typed.
inline constexpr std::array kViews = {&kNodesView, &kGpusView, &kPodsView, &kNamespacesView,
                                      &kModelsView};

/// "nodes", "gpus", ...
std::vector<std::string_view> view_names();

/// The view of that name, as kubectl takes a kind: in the plural, the singular, or its short name;
/// null where there is none.
const ViewSpec* view_named(std::string_view word);

/// The same; Error{usage} with the nearest where there is none. `program` is how we are called.
const ViewSpec& view_typed(const std::string& word, std::string_view program);

/// What the words of `top` mean: a view, and the names of its rows.
struct TopWords {
  const ViewSpec* view = nullptr;  ///< never null
  std::vector<std::string> names;
  bool is_view_guessed = false;  ///< no word says which view: names are those of nodes, as it seems
};

/// Reads VIEW NAME..., VIEW/NAME... as kubectl takes TYPE/NAME, and names alone: NODE/INDEX is a
/// GPU, NAMESPACE/NAME a pod, and any other name a node. Throws Error{usage} for what is no name;
/// `program` is how we are called.
TopWords top_words(const std::vector<std::string>& words, std::string_view program);

}  // namespace gpu::cmd
