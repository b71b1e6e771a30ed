#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <string_view>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "cmd/app.hpp"
#include "cmd/flags.hpp"
#include "cmd/parse.hpp"
#include "cmd/top.hpp"
#include "cmd/top_view.hpp"
#include "model/label_selector.hpp"
#include "report/sort.hpp"
#include "usage/node_usage.hpp"

namespace gpu::cmd {

const CommandInfo kTop = {
    .name = "top",
    .usage = "top [nodes] [NAME...]",
    .summary = "Show every GPU node: model, GPUs, allocated, free, unavailable and why",
    .examples =
        "top\n"
        "top nodes gpu-a1 gpu-a2 -o wide\n"
        "top -l pool=training --sort-by free\n"
        "top --model H100 -o json\n"
        "top --from cluster.json  # made by: kubectl get nodes,pods -A -o json",
};

namespace {

constexpr std::array<std::string_view, 1> kViews = {"nodes"};

void check_view(const TopFlags& flags, const Env& env) {
  if (flags.words.empty() || flags.words.front() == kViews.front()) return;
  const std::string& word = flags.words.front();
  std::string help = "the view is nodes";
  if (const auto nearest = nearest_name(word, kViews))
    help = fmt::format("a similar one is `{}`", *nearest);
  throw Error(ErrorKind::usage,
              fmt::format("`{0} top {1}`: there is no view `{1}`", env.program, word),
              fmt::format("{}; for a node of that name\n      {} top nodes {}", help, env.program,
                          shell_quoted(word)));
}

bool matches_model(const Pool& pool, const std::string& wanted) {
  return wanted.empty() || lower_case(pool.model).find(lower_case(wanted)) != std::string::npos ||
         lower_case(pool.product).find(lower_case(wanted)) != std::string::npos;
}

/// The whole name, or what follows its domain.
bool matches_resource(const Pool& pool, const std::string& wanted) {
  return wanted.empty() || pool.resource == wanted ||
         std::string_view(pool.resource).substr(pool.resource.find('/') + 1) == wanted;
}

std::string quoted_list(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Why there is nothing to show: no GPU at all, or none that the filters let through.
std::string empty_text(const Snapshot& snapshot, const std::vector<usage::NodeUsage>& all,
                       const TopFlags& flags) {
  if (snapshot.nodes.empty() && !flags.selector.empty())
    return fmt::format("no node matches -l {}", flags.selector);
  if (all.empty())
    return fmt::format(
        "no GPUs on {} node{}: none advertises nvidia.com/*, amd.com/gpu, gpu.intel.com/i915 or "
        "xe, habana.ai/gaudi, google.com/tpu, or aws.amazon.com/neuron, and no label "
        "(nvidia.com/gpu.present and others) promises one",
        snapshot.nodes.size(), snapshot.nodes.size() == 1 ? "" : "s");
  std::set<std::string> names;
  for (const usage::NodeUsage& row : all)
    names.insert(flags.model.empty() ? row.pool.resource
                                     : (row.pool.model.empty() ? "-" : row.pool.model));
  return fmt::format("no GPU matches {}; there are: {}",
                     flags.model.empty() ? flags.resource : flags.model, quoted_list(names));
}

/// A node asked for by name that has no GPU is no row; its absence is said.
void add_nodes_without_gpus(const std::vector<usage::NodeUsage>& rows, const TopFlags& flags,
                            Snapshot& snapshot) {
  for (std::size_t i = 1; i < flags.words.size(); ++i) {
    const std::string& name = flags.words[i];
    const bool has_row = std::any_of(rows.begin(), rows.end(), [&](const usage::NodeUsage& row) {
      return row.pool.node == name;
    });
    if (!has_row)
      snapshot.gaps.push_back({.what = fmt::format("node {} has no GPU", name),
                               .why = "it advertises no GPU resource and no label promises one",
                               .help = ""});
  }
}

/// A row that is all unknown says why.
void say_what_dra_manages(const std::vector<usage::NodeUsage>& rows, Snapshot& snapshot) {
  const auto nodes = std::count_if(rows.begin(), rows.end(), [](const usage::NodeUsage& row) {
    return row.state == usage::NodeState::dra;
  });
  if (nodes > 0)
    snapshot.gaps.push_back(
        {.what = fmt::format("what is allocated on {} node{} is not known: DRA manages the GPUs",
                             nodes, nodes == 1 ? "" : "s"),
         .why = "ResourceSlices publish their devices; claims are not read yet",
         .help = ""});
}

/// The names in `-L a,b -L c`, each once. CLI11's own splitting would take the next word for a
/// missing name.
std::vector<std::string> label_names(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (std::string_view list : lists) {
    while (!list.empty()) {
      const std::string name(list.substr(0, list.find(',')));
      list.remove_prefix(std::min(name.size() + 1, list.size()));
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

NodesAnswer decide(Snapshot& snapshot, const TopFlags& flags) {
  const std::vector<usage::NodeUsage> all = usage::node_usage(snapshot);
  say_what_dra_manages(all, snapshot);
  if (!all.empty()) add_nodes_without_gpus(all, flags, snapshot);
  NodesAnswer answer{.snapshot = snapshot, .label_columns = label_names(flags.label_columns)};
  for (const usage::NodeUsage& row : all)
    if (matches_model(row.pool, flags.model) && matches_resource(row.pool, flags.resource))
      answer.rows.push_back(row);
  if (answer.rows.empty()) answer.empty_text = empty_text(snapshot, all, flags);
  return answer;
}

void print(const report::Report& report, const TopFlags& flags, Env& env) {
  const report::Format format = format_of(flags.global);
  const report::Style out = out_style(flags.global, env);
  const report::Style err = err_style(flags.global, env);
  env.out << report::render(report, format, out);
  env.out.flush();
  const bool is_for_people = format == report::Format::text || format == report::Format::wide;
  if (report.table.rows.empty()) env.err << report::render_warning(report.empty_text, err);
  env.err << report::render_gaps(report.gaps, err);
  if (is_for_people && out.width && err.width) env.err << report::render_hints(report, err);
}

}  // namespace

void add_top_flags(CLI::App& app, TopFlags& flags) {
  app.add_option("words", flags.words);
  app.add_option("-l,--selector", flags.selector, "only nodes whose labels match")
      ->take_last()
      ->group("Filter");
  app.add_option("--model", flags.model, "only this model: H100, A100-1g.10gb, part of a name")
      ->take_last()
      ->group("Filter");
  app.add_option("--resource", flags.resource, "only this resource: nvidia.com/gpu, mig-1g.10gb")
      ->take_last()
      ->group("Filter");
  app.add_flag("-A,--all-namespaces", flags.all_namespaces,
               "count the pods of all namespaces, as always")
      ->group("Filter");
  app.add_option("--sort-by", flags.sort_by, "a column: free, allocated, model, ...")
      ->take_last()
      ->group("Output");
  app.add_option("-L,--label-columns", flags.label_columns, "labels to show as columns")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Output");
  add_output_flags(app, flags.global);
  add_connection_flags(app, flags.global);
}

namespace {

/// Mistakes are found before the cluster is asked.
void check_before_asking(const TopFlags& flags, const Env& env) {
  LabelSelector::parse(flags.selector);
  err_style(flags.global, env);
  if (flags.sort_by.empty()) return;
  const Snapshot nothing;
  report::Table empty =
      nodes_report({.snapshot = nothing, .label_columns = label_names(flags.label_columns)}).table;
  report::sort_rows(empty, flags.sort_by);
}

}  // namespace

int run_top(const Words& words, Env& env) {
  CLI::App app;
  TopFlags flags;
  add_top_flags(app, flags);
  if (parse(app, words, kTop, flags.global.help, env) == Parsed::help_shown) return 0;
  check_view(flags, env);
  const report::Format format = format_of(flags.global);
  check_before_asking(flags, env);

  const bool is_for_terminal = (format == report::Format::text || format == report::Format::wide) &&
                               out_style(flags.global, env).width.has_value();
  kube::Needs needs;
  if (flags.words.size() > 1) needs.node_names.assign(flags.words.begin() + 1, flags.words.end());
  needs.node_selector = flags.selector;
  needs.waiting_pods =
      is_for_terminal || format == report::Format::json || format == report::Format::yaml;
  Snapshot snapshot = read_snapshot(flags.global, std::move(needs), env);

  const NodesAnswer answer = decide(snapshot, flags);
  report::Report report = nodes_report(answer);
  if (!flags.sort_by.empty()) report::sort_rows(report.table, flags.sort_by);
  print(report, flags, env);
  return 0;
}

}  // namespace gpu::cmd
