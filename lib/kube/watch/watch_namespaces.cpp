#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/phrase.hpp"
#include "kube/collect/namespaces.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"
#include "kube/watch/watch.hpp"

namespace gpu::kube {
namespace {

/// Each is a connection of its own.
constexpr std::size_t kMostNamespaces = 64;

}  // namespace

/// For someone who may not list pods everywhere: each namespace that may be seen, by itself.
void Watch::start_pods_of_namespaces(const Reply& forbidden) {
  pods_refused_ = error_of(forbidden, client_.connection());
  const std::optional<std::vector<std::string>> listed =
      namespaces_by(ListBatch(client_, "application/json"));
  std::vector<std::string> tried =
      listed.value_or(std::vector<std::string>{needs_.ns.empty() ? "default" : needs_.ns});
  knows_all_namespaces_ = listed && may_be_all(*listed) && tried.size() <= kMostNamespaces;
  if (tried.size() > kMostNamespaces) tried.resize(kMostNamespaces);
  for (const std::string& ns : tried) add(Kind::pods, pod_source(target_, needs_, ns), ns);
}

/// Nobody is refused, and still not all may be shown: the list of namespaces tells.
void Watch::judge_pods() {
  if (pods_refused_ || !needs_.only_namespace.empty() || needs_.pod_lists == PodLists::none) return;
  const auto listed = namespaces_by(ListBatch(client_, "application/json"));
  if (!listed || may_be_all(*listed)) return;
  Snapshot& facts = target_.live.facts();
  facts.waiting.reset();
  facts.pod_coverage = Coverage::partial;
  facts.gaps.push_back({.what = "pods of some namespaces only are shown, so more may be allocated "
                                "than was seen",
                        .why = std::string(kFilteredNamespaces),
                        .help = std::string(kReadAllPods),
                        .missing = Missing::pods});
}

void Watch::say_which_namespaces() {
  if (!pods_refused_) return;
  std::vector<std::string> seen;
  std::size_t tried = 0;
  for (const auto& part : parts_) {
    if (part->kind != Kind::pods || part->ns.empty()) continue;
    ++tried;
    if (!part->is_over) seen.push_back(part->ns);
  }
  Snapshot& facts = target_.live.facts();
  if (knows_all_namespaces_ && seen.size() == tried) return;
  facts.waiting.reset();
  facts.pod_coverage = seen.empty() ? Coverage::none : Coverage::partial;
  Gap gap{.what = "pods cannot be listed, so what is allocated and free is unknown",
          .why = pods_refused_->message(),
          .help = pods_refused_->help(),
          .missing = Missing::pods};
  if (!seen.empty())
    gap.what = fmt::format(
        "pods can be listed in {} namespace{} only ({}), so more may be allocated than was seen",
        seen.size(), seen.size() == 1 ? "" : "s", first_few(seen, kMostNamed));
  facts.gaps.push_back(std::move(gap));
}

}  // namespace gpu::kube
