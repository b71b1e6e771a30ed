#include "cmd/top/no_such_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/top/view.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::cmd {
namespace {

const Pod* pod_named(const Snapshot& snapshot, std::string_view name) {
  const auto found = std::find_if(snapshot.pods.begin(), snapshot.pods.end(),
                                  [&](const Pod& pod) { return pod.name == name; });
  return found == snapshot.pods.end() ? nullptr : &*found;
}

bool has_namespace(const Snapshot& snapshot, std::string_view name) {
  return std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                     [&](const Pod& pod) { return pod.ns == name; });
}

bool has_model(const Snapshot& snapshot, const std::string& name) {
  const usage::Inventory inventory(snapshot, std::nullopt);
  return std::any_of(inventory.pools.begin(), inventory.pools.end(), [&](const Pool& pool) {
    return lower_case(pool.model).find(lower_case(name)) != std::string::npos;
  });
}

/// The view that has a row of that name; null where none has.
const ViewSpec* view_with_row(const std::string& name, const Snapshot& snapshot) {
  if (pod_named(snapshot, name) != nullptr) return &kPodsView;
  if (has_namespace(snapshot, name)) return &kNamespacesView;
  return has_model(snapshot, name) ? &kModelsView : nullptr;
}

}  // namespace

Error no_such_row(const std::string& name, const Snapshot& snapshot, std::string_view program) {
  if (const Pod* const pod = pod_named(snapshot, name); pod != nullptr && pod->node_name.empty())
    return {ErrorKind::usage, fmt::format("there is no node `{}`, but a pod that waits", name),
            fmt::format("see why it waits\n      {} why-pending {}", program,
                        shell_quoted(pod->ns + "/" + name))};
  if (const ViewSpec* const view = view_with_row(name, snapshot))
    return {ErrorKind::usage,
            fmt::format("there is no node `{}`, but a {} of that name", name, view->singular),
            fmt::format("show it\n      {} top {} {}", program, view->name, shell_quoted(name))};
  const std::vector<std::string_view> views = view_names();
  std::string help = "views are " + listed(views, "and");
  if (const auto nearest = nearest_name(name, views)) {
    help = fmt::format("a similar one is `{}`; {}", *nearest, help);
  } else {
    std::vector<std::string_view> nodes;
    for (const Node& node : snapshot.nodes) nodes.push_back(node.name);
    if (const auto near_node = nearest_name(name, nodes))
      help = fmt::format("a similar node is `{}`", *near_node);
  }
  return {ErrorKind::usage, fmt::format("there is no view and no node `{}`", name), help};
}

}  // namespace gpu::cmd
