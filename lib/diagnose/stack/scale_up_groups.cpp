#include "diagnose/stack/scale_up_groups.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace gpu::diagnose {
namespace {

/// Labels by which clouds name the pool of a node: GKE, EKS, eksctl, AKS.
constexpr std::array<std::string_view, 5> kPoolLabels = {
    "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name", "kubernetes.azure.com/agentpool", "agentpool"};

/// Whether `pool` stands in the group's name as a part of its own: "gke-prod-gpu-1a2b-grp".
bool names_pool(std::string_view group, std::string_view pool) {
  if (pool.empty()) return false;
  const auto ends_part = [&](std::size_t at) {
    return at >= group.size() || std::isalnum(static_cast<unsigned char>(group[at])) == 0;
  };
  for (std::size_t at = group.find(pool); at != std::string_view::npos;
       at = group.find(pool, at + 1))
    if ((at == 0 || ends_part(at - 1)) && ends_part(at + pool.size())) return true;
  return false;
}

}  // namespace

std::vector<std::string> groups_in(std::string_view message) {
  std::vector<std::string> groups;
  for (std::size_t open = message.find('{'); open != std::string_view::npos;
       open = message.find('{', open + 1)) {
    const std::string_view rest = message.substr(open + 1);
    groups.emplace_back(rest.substr(0, rest.find(' ')));
  }
  return groups;
}

bool is_in_group(const Node& node, std::string_view group) {
  return std::ranges::any_of(kPoolLabels, [&](std::string_view label) {
    return names_pool(group, value_of(node.labels, label));
  });
}

}  // namespace gpu::diagnose
