#include "cmd/top/rows.hpp"

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"

namespace gpu::cmd {
namespace {

/// A part of the model's name, in any letter case.
bool matches_model(const Pool& pool, const std::string& wanted) {
  return wanted.empty() || lower_case(pool.model).find(lower_case(wanted)) != std::string::npos ||
         lower_case(pool.product).find(lower_case(wanted)) != std::string::npos;
}

/// The whole name, or what follows its domain.
bool matches_resource(const Pool& pool, const std::string& wanted) {
  return wanted.empty() || pool.resource == wanted ||
         std::string_view(pool.resource).substr(pool.resource.find('/') + 1) == wanted;
}

}  // namespace

bool matches(const Pool& pool, const TopQuestion& question) {
  // Nodes that were not read were not chosen there.
  const auto& nodes = question.nodes;
  const bool is_on_chosen =
      nodes.empty() || std::find(nodes.begin(), nodes.end(), pool.node) != nodes.end();
  return is_on_chosen && matches_model(pool, question.model) &&
         matches_resource(pool, question.resource);
}

bool matches(const usage::PodUsage& row, const TopQuestion& question) {
  if (!matches(*row.pool, question)) return false;
  if (!question.ns.empty() && row.holding->ns != question.ns) return false;
  if (question.pod_selector.empty()) return true;
  return row.pod != nullptr && question.pod_selector.matches(row.pod->labels);
}

bool matches(const usage::GpuUsage& row, const TopQuestion& question) {
  if (!matches(*row.pool, question)) return false;
  if (question.ns.empty()) return true;
  const std::string prefix = question.ns + "/";
  return std::any_of(row.pods.begin(), row.pods.end(),
                     [&](const usage::DeviceHolder& one) { return one.pod->ns == question.ns; }) ||
         std::any_of(row.claims.begin(), row.claims.end(),
                     [&](const std::string& claim) { return claim.starts_with(prefix); });
}

void find_pods(TopAnswer& answer) {
  for (const usage::PodUsage& row : usage::pod_usage(answer.inventory))
    if (matches(row, answer.question)) answer.pods.push_back(row);
}

}  // namespace gpu::cmd
