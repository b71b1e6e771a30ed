#include "cmd/cost/forecast_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/duration.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/output_forms.hpp"
#include "kube/config/connection.hpp"

namespace gpu::cmd {
namespace {

[[noreturn]] void reject(const std::string& message, const std::string& help) {
  throw Error(ErrorKind::usage, message, help);
}

/// What chooses among what is there says nothing of what is not.
void check_flags(const CostFlags& flags) {
  const std::vector<std::pair<bool, std::string_view>> others = {
      {!flags.words.empty(), "a view"},
      {!flags.by.empty(), "`--by`"},
      {!flags.selector.empty(), "`-l`"},
      {!flags.nodes.empty(), "`--node`"},
      {!flags.model.empty(), "`--model`"},
      {!flags.sort_by.empty(), "`--sort-by`"},
      {flags.watch, "`-w`"},
      {flags.explain_price.has_value(), "`--explain-price`"},
      {!flags.against.empty(), "`--against`"},
      {flags.whole_node, "`--whole-node`"},
      {flags.split == "opencost", "`--split opencost`"}};
  for (const auto& [is_given, name] : others)
    if (is_given)
      reject(fmt::format("`-f` and {} cannot be joined", name), "leave one of them out");
}

/// "8" and "1.5" hours, or a length of time: "90m", "2d".
std::chrono::seconds run_length(const std::string& typed) {
  constexpr Int128 kSecondsInHour = 3600;
  constexpr std::int64_t kNano = 1'000'000'000;
  constexpr std::chrono::hours kMost{24 * 366 * 10};
  std::optional<std::chrono::seconds> length = parse_duration(typed);
  if (const auto hours = parse_money(typed))
    length = std::chrono::seconds(share_of(*hours, kSecondsInHour, kNano).nano);
  if (!length || *length <= std::chrono::seconds(0) || *length > kMost)
    reject(fmt::format("`--hours {}` is no length of time", sanitize(typed)),
           "give hours, as in --hours 8 or --hours 1.5, or a length such as 90m or 2d");
  return *length;
}

Money most_of(const std::string& typed) {
  std::string_view text = typed;
  if (text.starts_with('$')) text.remove_prefix(1);
  if (const auto amount = parse_money(text)) return *amount;
  reject(fmt::format("`--max {}` is no amount of US dollars", sanitize(typed)),
         "give it as in --max 500 or --max 12.50");
}

/// The context's, as with kubectl; without a cluster there is none.
std::string namespace_of(const CostFlags& flags, const Env& env) {
  if (flags.global.connection.ns) return *flags.global.connection.ns;
  if (flags.global.from || flags.forecast.is_offline) return "default";
  try {
    const kube::Connection connection =
        kube::resolve_connection(flags.global.connection, {.environment = env.environment});
    return connection.ns.empty() ? "default" : connection.ns;
  } catch (const Error&) {
    return "default";  // reading the cluster says what is wrong
  }
}

}  // namespace

ForecastQuestion forecast_question(const CostFlags& flags, Manifests& read, const Env& env) {
  check_flags(flags);
  ForecastQuestion question{.format = format_of(flags.global)};
  question.reader = reader_of(question.format, flags.global, env);
  err_style(flags.global, env);  // finds a mistake in its flags before the cluster is asked
  if (flags.forecast.run_for) question.rules.run_for = run_length(*flags.forecast.run_for);
  if (flags.mig_by == "larger") question.rules.mig_by = cost::MigBy::larger;
  if (flags.forecast.most) question.most = most_of(*flags.forecast.most);
  const ManifestFlags& manifests = flags.forecast.manifests;
  read = read_manifests(manifests, namespace_of(flags, env), "kubectl gpu cost -f -", env);
  if (read.planned.pods.empty() && read.planned.outlines.empty())
    refuse_without_pods(manifests, read);
  question.planned = std::move(read.planned);
  return question;
}

}  // namespace gpu::cmd
