#include "kube/collect/missing_nodes.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace gpu::kube {

std::vector<std::string> missing_names(const std::vector<Node>& nodes,
                                       const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  for (const std::string& name : names)
    if (std::none_of(nodes.begin(), nodes.end(),
                     [&](const Node& node) { return node.name == name; }))
      missing.push_back(name);
  return missing;
}

void keep_only(std::vector<Node>& nodes, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::erase_if(nodes, [&](const Node& node) {
    return std::find(names.begin(), names.end(), node.name) == names.end();
  });
}

Error missing_node_error(const std::string& name, const std::vector<Node>& all,
                         const std::string& selector) {
  std::vector<std::string_view> known;
  known.reserve(all.size());
  for (const Node& node : all) known.push_back(node.name);
  std::string help;
  if (std::find(known.begin(), known.end(), name) != known.end()) {
    help = "there is such a node, but its labels do not match " + selector;
  } else if (const auto nearest = nearest_name(name, known)) {
    help = "a similar one is `" + std::string(*nearest) + "`";
  } else {
    help = "see which nodes there are\n      kubectl get nodes";
  }
  return {ErrorKind::usage, "Error from server (NotFound): nodes \"" + name + "\" not found", help};
}

}  // namespace gpu::kube
