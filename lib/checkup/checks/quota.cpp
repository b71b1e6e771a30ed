#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "quota/cards.hpp"
#include "quota/resource_quotas.hpp"

namespace gpu::checkup {
namespace {

using quota::Problem;
using quota::QuotaRow;

/// Quotas with the same mistake in the same key.
struct Mistake {
  std::string help;
  std::vector<std::string> quotas;
};

/// Why nothing counts a key: the same mistakes as `quota` shows. What no node has now may come with
/// the next node, unless its name is near to a usual one. Empty: it is counted.
std::string reason_of(const QuotaRow& row) {
  switch (row.problem) {
    case Problem::limits_of_extended:
      return "of GPUs only requests.* is counted";
    case Problem::without_requests:
      return "it lacks `requests.`";
    case Problem::wrong_group:
      return "the API has no such kind in that group";
    case Problem::not_advertised:
      return row.suggestion.empty() ? "" : "no node has that resource";
    case Problem::no_such_class:
      return "there is no such DeviceClass";
    default:
      return {};
  }
}

}  // namespace

CheckResults check_quota(const CheckContext& context) {
  const SchedulingFacts& facts = context.snapshot.scheduling;
  const quota::Cards cards(context.cluster, context.inventory);
  std::map<std::pair<std::string, std::string>, Mistake> mistakes;  // by key and reason
  for (const QuotaRow& row : quota::resource_quota_rows(context.cluster, cards)) {
    const std::string reason = reason_of(row);
    if (reason.empty()) continue;
    Mistake& mistake = mistakes[{row.key, reason}];
    if (!row.suggestion.empty())
      mistake.help = fmt::format("write `{}` in its place", row.suggestion);
    mistake.quotas.push_back(quota::full_name(row));
  }
  CheckResults results;
  for (const auto& [key, mistake] : mistakes)
    results.push_back(
        {.state = CheckState::warning,
         .says = fmt::format("nothing counts `{}` in {} {}: {}", key.first,
                             mistake.quotas.size() == 1 ? "ResourceQuota" : "ResourceQuotas",
                             few_and_rest(mistake.quotas, 3), key.second),
         .help = mistake.help,
         .command = "kubectl gpu quota"});
  if (!results.empty()) return results;
  if (coverage_of(facts, "resourcequotas") == Coverage::none)
    return {{.state = CheckState::skipped,
             .says = "ResourceQuotas were not read",
             .is_out_of_sight = true}};
  return {{.says = facts.quotas.empty() ? "no ResourceQuota is here"
                                        : "every key of GPUs in a ResourceQuota is counted"}};
}

}  // namespace gpu::checkup
