#include "manifest/kinds/kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/accelerator.hpp"
#include "manifest/kinds/check.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/schema/set_field.hpp"

namespace gpu::manifest {
namespace {

constexpr std::array kKinds = {
    &kJobKind,    &kNotebookKind,   &kInferenceServiceKind, &kDeploymentKind, &kPyTorchJobKind,
    &kJobSetKind, &kTrainJobKind,   &kMPIJobKind,           &kTFJobKind,      &kLeaderWorkerSetKind,
    &kRayJobKind, &kRayClusterKind, &kRayServiceKind,       &kPodKind,        &kResourceClaimKind,
    &kQuotaKind,  &kLimitRangeKind, &kPriorityClassKind,    &kPvcKind,        &kPdbKind,
    &kQueueKind,  &kNodePoolKind,   &kTimeSlicingKind,      &kMigConfigKind,  &kServiceMonitorKind,
    &kAlertsKind, &kDashboardKind,  &kJupyterHubKind};

void warn_if_not_served(GenRequest& request, const GenKind& kind) {
  if (kind.install.empty() || serves(request.facts, kind.kind, kind.group).value_or(true)) return;
  request.warn(fmt::format("this cluster does not serve the kind {} of {}", kind.kind, kind.group),
               fmt::format("install {}", kind.install));
}

}  // namespace

std::span<const GenKind* const> gen_kinds() { return kKinds; }

const GenKind* find_gen_kind(std::string_view word) {
  const auto at = std::find_if(kKinds.begin(), kKinds.end(), [&](const GenKind* each) {
    return each->word == word || equal_ignoring_case(each->kind, word);
  });
  return at == kKinds.end() ? nullptr : *at;
}

Generated generate(const GenKind& kind, const GenOptions& typed, const ClusterFacts& facts) {
  GenOptions options = typed;
  if (kind.options.contains(Option::image)) take_slice_of_model(options);
  check_request(kind, options, facts);
  GenRequest request{.options = options, .facts = facts, .notes = {}};
  warn_if_not_served(request, kind);
  warn_of_references(request);
  Documents made = kind.make(request);
  Generated all{.documents = std::move(request.before),
                .notes = std::move(request.notes),
                .judged_as = std::move(request.judged_as)};
  std::move(made.begin(), made.end(), std::back_inserter(all.documents));
  for (const SetValue& each : options.sets)
    set_field(all.documents, kind.kind, each.path, each.value);
  return all;
}

}  // namespace gpu::manifest
