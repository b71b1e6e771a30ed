#include "cmd/cost/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/cost/answer.hpp"
#include "cmd/shell/progress.hpp"
#include "cost/against/difference.hpp"
#include "input/files/input_bytes.hpp"
#include "kube/http/client.hpp"
#include "report/columns.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

using cost::Difference;
using cost::WhyDifferent;
using report::Cell;
using report::kPeople;
using report::kPlain;
using report::Type;

/// Where OpenCost's own manifests put it.
constexpr std::string_view kUsualService = "opencost/opencost:9003";
constexpr std::string_view kAllocation = "allocation?window=1h&aggregate=pod&accumulate=true";
constexpr std::string_view kAssets = "assets?window=1h";

/// NS/NAME:PORT taken apart; nothing for the name of a file.
std::optional<std::string> proxy_of(const std::string& typed) {
  const std::string service = typed == "opencost" ? std::string(kUsualService) : typed;
  const std::size_t slash = service.find('/');
  const std::size_t colon = service.rfind(':');
  const bool is_service = slash != std::string::npos && colon != std::string::npos &&
                          colon > slash + 1 && service.find('/', slash + 1) == std::string::npos &&
                          service.find_first_not_of("0123456789", colon + 1) == std::string::npos &&
                          colon + 1 < service.size();
  if (!is_service) return std::nullopt;
  return fmt::format("/api/v1/namespaces/{}/services/{}/proxy/", service.substr(0, slash),
                     service.substr(slash + 1));
}

std::string body_of(kube::Client& client, const std::string& path) {
  const kube::Reply reply =
      client.fetch(kube::Request{.path = path, .answerer = kube::Answerer::behind_proxy});
  if (reply.ok()) return reply.body;
  throw Error(ErrorKind::server,
              reply.error ? "OpenCost does not answer: " + reply.error->message()
                          : fmt::format("OpenCost does not answer: HTTP {} for {}", reply.status,
                                        path.substr(0, path.find('?'))),
              "name its Service, --against NAMESPACE/NAME:PORT, or files of its answers");
}

void ask_opencost(cost::OpenCostAnswer& answer, const std::string& proxy, const CostFlags& flags,
                  const Env& env) {
  kube::Connection connection =
      kube::resolve_connection(flags.global.connection, {.environment = env.environment});
  Progress progress(env, err_style(flags.global, env), place_of(connection));
  if (flags.global.verbosity > 0) progress.end();
  kube::Client client(std::move(connection), env.environment,
                      client_options(flags.global, progress));
  for (const std::string_view path : {kAllocation, kAssets})
    cost::add_opencost_body(answer, body_of(client, proxy + std::string(path)),
                            "the answer to /" + std::string(path.substr(0, path.find('?'))));
}

void read_file(cost::OpenCostAnswer& answer, const std::string& path) {
  constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
  std::string bytes;
  try {
    input::InputBytes file(path);
    for (std::string_view some = file.next(); !some.empty() && bytes.size() <= kMostBytes;
         some = file.next())
      bytes += some;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    throw Error(ErrorKind::usage, fmt::format("OpenCost's answer: {}", error.message()),
                "`opencost` asks the Service opencost/opencost:9003 instead of a file");
  }
  if (bytes.size() > kMostBytes)
    throw Error(ErrorKind::usage,
                fmt::format("OpenCost's answer {} is larger than 256 MiB", sanitize(path)));
  cost::add_opencost_body(answer, bytes, path);
}

cost::OpenCostAnswer opencost_answer(const CostFlags& flags, const Env& env) {
  cost::OpenCostAnswer answer;
  for (const std::string& typed : flags.against) {
    const auto proxy = proxy_of(typed);
    proxy ? ask_opencost(answer, *proxy, flags, env) : read_file(answer, typed);
  }
  return answer;
}

/// Nothing in common: the figures are of another cluster, or of another time.
void check_overlap(const CostAnswer& answer, const cost::OpenCostAnswer& theirs,
                   const cost::Overlap& both) {
  if (both.nodes + both.pods > 0 || answer.ledger.nodes().empty()) return;
  if (theirs.nodes.empty() && theirs.pods.empty())
    throw Error(ErrorKind::data, "OpenCost's answer has no nodes and no pods",
                "it has collected nothing yet, or nothing over this window");
  throw Error(ErrorKind::data,
              "OpenCost's answer has none of the GPU nodes and pods of this cluster",
              "it is of another cluster, or of a time when these were not there");
}

std::string why_text(const Difference& row) {
  std::vector<std::string_view> names;
  for (const WhyDifferent why : row.why) names.push_back(cost::name_of(why));
  return joined(names);
}

Cell dollars_cell(const std::optional<double>& amount) {
  // To the millionth: OpenCost's own precision.
  constexpr double kMost = 9e9;  // beyond it Usd ends
  if (!amount || !(std::abs(*amount) < kMost)) return {};
  return report::Usd{static_cast<std::int64_t>(*amount * 1e6 + (*amount < 0 ? -0.5 : 0.5)) * 1000};
}

report::Columns<Difference> difference_columns() {
  report::Columns<Difference> columns;
  columns.text({"object", Type::one_of({"node", "pod"})}, "OBJECT", kPeople | kPlain,
               [](const Difference& row) { return Cell(row.is_node ? "node" : "pod"); });
  columns
      .text({"namespace", Type::text().or_null()}, "NAMESPACE", kPeople | kPlain,
            [](const Difference& row) { return row.ns.empty() ? Cell() : Cell(row.ns); })
      .is_name = true;
  columns
      .text({"name", Type::text()}, "NAME", kPeople | kPlain,
            [](const Difference& row) { return Cell(row.name); })
      .is_name = true;
  const auto number = [&](std::string key, std::string says, const char* title, const char* plain,
                          std::optional<double> Difference::*member) {
    const auto fill = [member](const Difference& row) { return dollars_cell(row.*member); };
    columns.number(title, kPeople, fill);
    columns.number({std::move(key), Type::amount().or_null(), std::move(says)}, plain, kPlain,
                   fill);
  };
  number("openCostUsdPerHour", "null: it is not in OpenCost's answer, or has no figure there.",
         "OPENCOST $/HOUR", "OPENCOST_USD_PER_HOUR", &Difference::theirs);
  number("usdPerHour", "Ours; null: no price.", "OURS $/HOUR", "OURS_USD_PER_HOUR",
         &Difference::ours);
  columns.text("WHY", kPeople, [](const Difference& row) { return Cell(why_text(row)); });
  columns.text("WHY", kPlain, [](const Difference& row) {
    return Cell(std::string(cost::name_of(row.why.front())));
  });
  columns.machine({"why", Type::list(Type::one_of<WhyDifferent>(cost::name_of), 1),
                   "Each has a page in docs/opencost."},
                  [](const Difference& row) {
                    report::List list;
                    for (const WhyDifferent why : row.why) list.emplace_back(cost::name_of(why));
                    return Cell(list);
                  });
  return columns;
}

/// What each reason of the table means, once.
void print_meanings(const std::vector<Difference>& rows, const report::Style& style, Env& env) {
  std::set<WhyDifferent> found;
  for (const Difference& row : rows) found.insert(row.why.begin(), row.why.end());
  for (const WhyDifferent why : found)
    env.err << report::render_note(fmt::format("{}: {}", cost::name_of(why), cost::meaning_of(why)),
                                   style);
}

std::string same_text(const cost::Overlap& both) {
  return fmt::format("OpenCost and we agree to 1 % on {} and {}",
                     counted(both.nodes - both.unpriced_nodes, "GPU node"),
                     counted(both.pods - both.unpriced_pods, "pod"));
}

/// What keeps the comparison from being one of all.
std::vector<Gap> gaps_of(const CostAnswer& answer, const cost::Overlap& both) {
  std::vector<Gap> gaps;
  if (answer.ledger.nodes().empty())
    gaps.push_back({.what = "nothing is compared: there are no GPU nodes here",
                    .why = "OpenCost's figures of nodes and pods without GPUs are left out",
                    .help = {}});
  if (both.unpriced_nodes + both.unpriced_pods > 0)
    gaps.push_back(
        {.what = fmt::format("{} and {} are not compared", counted(both.unpriced_nodes, "GPU node"),
                             counted(both.unpriced_pods, "pod")),
         .why = "OpenCost has figures of them, and we have no price",
         .help = "give one with --price or --prices"});
  return gaps;
}

}  // namespace

report::AnswerForm difference_form() {
  return {.kind = "CostDifferenceList",
          .command = "cost --against",
          .item =
              "One item per GPU node and pod of which OpenCost says something else by more than "
              "1 %, or tells another efficiency.",
          .fields = report::declared_fields(difference_columns().table({})),
          .summary = {},
          .summary_says = "Empty."};
}

int cost_against(const CostFlags& flags, const CostQuestion& question,
                 const cost::PriceBook& prices, Env& env) {
  cost::OpenCostAnswer theirs = opencost_answer(flags, env);
  // Split as it does, GPUs are compared alone.
  if (question.charge.by == cost::ChargeBy::opencost)
    for (cost::OpenCostPod& pod : theirs.pods)
      if (pod.hour) pod.hour = pod.gpu_hour;
  const Snapshot snapshot = read_snapshot(flags.global, needs_of(question), env);
  const CostAnswer answer(question, snapshot, prices,
                          clock_of(flags.global, snapshot.taken_at, env));
  const cost::Overlap both = cost::overlap_of(answer.ledger, answer.lines, theirs);
  check_overlap(answer, theirs, both);
  const std::vector<Difference> rows = cost::differences(answer.ledger, answer.lines, theirs);
  report::Report report{.kind = "CostDifferenceList"};
  report.table = difference_columns().table(rows);
  for (const Gap& gap : gaps_of(answer, both)) report.gaps.push_back({gap.what, gap.why, gap.help});
  const report::Style out = out_style(flags.global, env);
  const report::Style err = err_style(flags.global, env);
  env.out << report::render(report, question.format, out);
  env.err << report::render_gaps(report.gaps, err);
  if (question.reader == Reader::machine) return 0;
  print_meanings(rows, err, env);
  const bool has_compared = both.nodes + both.pods > both.unpriced_nodes + both.unpriced_pods;
  if (rows.empty() && has_compared) env.err << report::render_note(same_text(both), err);
  return 0;
}

}  // namespace gpu::cmd
