#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "cmd/cost/answer.hpp"
#include "cmd/cost/cost_columns.hpp"
#include "cmd/cost/view.hpp"
#include "cost/rows/job_rows.hpp"

namespace gpu::cmd {
namespace {

using cost::CostRow;
using cost::GroupBy;

/// Kinds whose pods run to an end: what `cost jobs` shows.
bool runs_to_an_end(const CostRow& row) {
  static constexpr std::array<std::string_view, 13> kKinds = {
      "Job",    "CronJob",   "JobSet",   "PyTorchJob", "TFJob",    "MPIJob",          "XGBoostJob",
      "JAXJob", "PaddleJob", "TrainJob", "RayJob",     "Workflow", "SparkApplication"};
  return std::find(kKinds.begin(), kKinds.end(), row.kind) != kKinds.end();
}

template <GroupBy by>
std::vector<CostRow> rows_by(const CostAnswer& answer) {
  return cost::demand_rows(answer.lines, by, answer.question.label);
}

/// A Job without pods is of no node, model or label.
std::vector<CostRow> owner_rows(const CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  const bool chooses_pods =
      !question.nodes.empty() || !question.model.empty() || !question.pod_selector.empty();
  std::vector<CostRow> rows =
      cost::owner_rows(answer.lines, answer.inventory.snapshot, answer.now, answer.from);
  std::erase_if(rows, [&](const CostRow& row) {
    const bool has_pods = row.pods + row.finished_pods > 0 || row.units > 0;
    return !has_pods && (chooses_pods || (!question.ns.empty() && row.ns != question.ns));
  });
  return rows;
}

std::vector<CostRow> job_rows(const CostAnswer& answer) {
  std::vector<CostRow> rows = owner_rows(answer);
  std::erase_if(rows, [](const CostRow& row) { return !runs_to_an_end(row); });
  return rows;
}

}  // namespace

const CostView kCostNamespaces = {
    .name = "namespaces",
    .singular = "namespace",
    .short_name = "ns",
    .name_prefix = "namespace/",
    .help = {.name = "cost",
             .usage = "cost namespaces [NAMESPACE...]",
             .summary = "Show what the GPUs of each namespace cost, and how much of it is idle",
             .examples = "cost\n"
                         "cost namespaces research --prices prices.yaml\n"
                         "cost -o json"},
    .rows = rows_by<GroupBy::ns>,
    .add_columns = add_namespace_columns,
};

const CostView kCostPods = {
    .name = "pods",
    .singular = "pod",
    .short_name = "po",
    .name_prefix = "pod/",
    .help = {.name = "cost",
             .usage = "cost pods [POD|NAMESPACE/POD...]",
             .summary = "Show what each pod costs an hour, and has cost since it was bound",
             .examples = "cost pods\n"
                         "cost pods -n research --sort-by idleUsdPerHour\n"
                         "cost job/train -n ml"},
    .rows = rows_by<GroupBy::pod>,
    .add_columns = add_pod_columns,
};

const CostView kCostJobs = {
    .name = "jobs",
    .singular = "job",
    .short_name = "",
    .past = Past::counted,
    .name_prefix = "job/",
    .help = {.name = "cost",
             .usage = "cost jobs [JOB|NAMESPACE/JOB...]",
             .summary = "Show what each job has cost so far, failed and retried pods included",
             .examples = "cost jobs\n"
                         "cost jobs -n ml train"},
    .rows = job_rows,
    .add_columns = add_owner_columns,
};

const CostView kCostOwners = {
    .name = "owners",
    .singular = "owner",
    .short_name = "",
    .past = Past::counted,
    .name_prefix = "",
    .help = {.name = "cost",
             .usage = "cost --by owner",
             .summary = "Show what the pods of each owner have cost",
             .examples = "cost --by owner"},
    .rows = owner_rows,
    .add_columns = add_owner_columns,
};

const CostView kCostLabels = {
    .name = "labels",
    .singular = "label",
    .short_name = "",
    .name_prefix = "",
    .help = {.name = "cost",
             .usage = "cost --by label=KEY",
             .summary = "Show what pods cost by the value of a label",
             .examples = "cost --by label=team"},
    .rows = rows_by<GroupBy::label>,
    .add_columns = add_label_columns,
};

const CostView kCostNodes = {
    .name = "nodes",
    .singular = "node",
    .short_name = "no",
    .of = CostOf::supply,
    .name_prefix = "node/",
    .help = {.name = "cost",
             .usage = "cost nodes [NODE...]",
             .summary = "Show what each GPU node costs: busy, idle, free, and what no one can use",
             .examples = "cost nodes\n"
                         "cost nodes --model H100\n"
                         "cost --explain-price gpu-a1"},
    .rows = [](const CostAnswer& answer) { return cost::node_rows(answer.ledger); },
    .add_columns = add_supply_columns,
};

const CostView kCostModels = {
    .name = "models",
    .singular = "model",
    .short_name = "",
    .of = CostOf::supply,
    .name_prefix = "model/",
    .help = {.name = "cost",
             .usage = "cost models [MODEL...]",
             .summary = "Show what the GPUs of each model cost: busy, idle, free",
             .examples = "cost models\n"
                         "cost models --prices prices.yaml"},
    .rows = [](const CostAnswer& answer) { return cost::model_rows(answer.ledger); },
    .add_columns = add_supply_columns,
};

std::vector<std::string_view> cost_view_names() {
  std::vector<std::string_view> names;
  for (const CostView* view : kCostViews) names.push_back(view->name);
  return names;
}

const CostView* cost_view_named(std::string_view word) {
  if (word.empty()) return nullptr;
  for (const CostView* view : kCostViews)
    if (word == view->name || word == view->singular || word == view->short_name) return view;
  return nullptr;
}

}  // namespace gpu::cmd
