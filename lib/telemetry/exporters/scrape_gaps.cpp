#include "telemetry/exporters/scrape_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "kube/http/advice.hpp"

namespace gpu::telemetry {
namespace {

using Nodes = std::set<std::string, std::less<>>;

/// What one exporter does, and what several do.
struct Predicate {
  std::string_view one;
  std::string_view several;
};

Predicate predicate_of(ScrapeFault fault) {
  switch (fault) {
    case ScrapeFault::none:
      break;
    case ScrapeFault::not_ready:
      return {"is not ready", "are not ready"};
    case ScrapeFault::forbidden:
      return {"cannot be read (forbidden)", "cannot be read (forbidden)"};
    case ScrapeFault::unreachable:
      return {"cannot be reached", "cannot be reached"};
    case ScrapeFault::late:
      return {"did not answer in time", "did not answer in time"};
    case ScrapeFault::gone:
      return {"is gone", "are gone"};
    case ScrapeFault::refused:
      return {"answers with an error", "answer with errors"};
    case ScrapeFault::empty:
      return {"has no metrics", "have no metrics"};
    case ScrapeFault::no_gpus:
      return {"reports no GPUs", "report no GPUs"};
    case ScrapeFault::no_text:
      return {"gives something else than metrics", "give something else than metrics"};
    case ScrapeFault::no_answer:
      return {"could not be queried", "could not be queried"};
  }
  return {};
}

std::string name_of(const Exporter& exporter) { return exporter.ns + "/" + exporter.pod; }

/// The role for one namespace; for all, where more than one refuses.
std::string proxy_help(const std::vector<const Scraped*>& refused,
                       const kube::Connection& connection) {
  std::set<std::string> namespaces;
  for (const Scraped* const each : refused) namespaces.insert(each->exporter.ns);
  std::string message = refused.front()->problem;
  const std::size_t place = message.find(" in the namespace \"");
  if (namespaces.size() > 1 && place != std::string::npos) message.erase(place);
  return "reading an exporter needs the verb `get` on the resource `pods/proxy`\n" +
         role_help(message, connection);
}

/// What would close a gap.
struct Help {
  std::string text;
  HelpForm form = HelpForm::prose;
};

Help help_for(ScrapeFault fault, const std::vector<const Scraped*>& those,
              const kube::Connection& connection) {
  const Scraped& first = *those.front();
  const std::string pod =
      " -n " + shell_quoted(first.exporter.ns) + " " + shell_quoted(first.exporter.pod);
  const std::string prometheus =
      "metrics can come from Prometheus, too:\nkubectl gpu top --prometheus-url URL";
  switch (fault) {
    case ScrapeFault::forbidden:
      return {proxy_help(those, connection), HelpForm::role};
    case ScrapeFault::not_ready:
    case ScrapeFault::gone:
      return {"kubectl describe pod" + pod, HelpForm::command};
    case ScrapeFault::unreachable:
      if (first.problem.find("refused") != std::string::npos)
        return {"does it listen on port " + first.exporter.port + "?\nkubectl logs" + pod};
      return {"a network policy may keep the API server out of the pod network; " + prometheus};
    case ScrapeFault::refused:
      if (first.status == 401 || first.status == 403)
        return {"the API server passes no credentials on to pods; " + prometheus};
      break;
    case ScrapeFault::none:
    case ScrapeFault::late:
    case ScrapeFault::empty:
    case ScrapeFault::no_gpus:
    case ScrapeFault::no_text:
    case ScrapeFault::no_answer:
      break;
  }
  return {"kubectl logs" + pod, HelpForm::command};
}

Gap gap_of(ScrapeFault fault, const std::vector<const Scraped*>& those,
           const kube::Connection& connection) {
  const Scraped& first = *those.front();
  const auto [one, several] = predicate_of(fault);
  Nodes nodes;
  for (const Scraped* const each : those)
    if (!each->exporter.node.empty()) nodes.insert(each->exporter.node);
  const std::string whose = those.size() == 1
                                ? fmt::format("{} {}", first.exporter.pod, one)
                                : fmt::format("{} exporters {}", those.size(), several);
  Gap gap;
  gap.what = nodes.empty() ? fmt::format("no metrics: {}", whose)
                           : fmt::format("no metrics from {}: {}", nodes_in_words(nodes), whose);
  const bool is_said = fault == ScrapeFault::not_ready && those.size() == 1;
  if (!is_said)
    gap.why = fmt::format("{}{} {}: {}", those.size() == 1 ? "" : "the first is ",
                          first.exporter.kind, name_of(first.exporter), first.problem);
  Help help = help_for(fault, those, connection);
  gap.help = std::move(help.text);
  gap.help_form = help.form;
  // Of which nodes is not known where an exporter is named by its address.
  if (!nodes.empty()) gap.missing = Missing::metrics;
  gap.nodes.assign(nodes.begin(), nodes.end());
  if (fault == ScrapeFault::forbidden) gap.cause = GapCause::refused;
  return gap;
}

}  // namespace

std::string nodes_in_words(const Nodes& nodes) {
  constexpr std::size_t kMostNamed = 3;
  std::string names;
  std::size_t named = 0;
  for (const std::string& node : nodes) {
    if (named++ == kMostNamed) break;
    const std::string_view between = nodes.size() == 2 ? " and " : ", ";
    names += (names.empty() ? "" : std::string(between)) + node;
  }
  if (nodes.size() <= 2) return names;
  return fmt::format("{} nodes ({}{})", nodes.size(), names,
                     nodes.size() > kMostNamed ? ", ..." : "");
}

std::string bad_lines_in_words(const TextReader& reader) {
  constexpr std::size_t kMostShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const BadLine& line : reader.bad_lines()) {
    if (shown == kMostShown) break;
    text += fmt::format("{}line {}: {}", shown++ == 0 ? "" : "; ", line.number, line.why);
  }
  return text + (shown < reader.bad_count() ? "; ..." : "");
}

Gap gap_of_bad_lines(std::size_t count, const std::string& name, const std::string& words) {
  return {.what = fmt::format("{} line{} of {} cannot be read", count, count == 1 ? "" : "s", name),
          .why = words,
          .help = ""};
}

std::vector<Gap> gaps_of(const std::vector<Scraped>& scraped, const Nodes& told,
                         const kube::Connection& connection) {
  std::map<ScrapeFault, std::vector<const Scraped*>> faults;
  std::vector<const Scraped*> partly;
  std::vector<const Scraped*> badly;
  for (const Scraped& each : scraped) {
    if (!each.remark.empty()) partly.push_back(&each);
    if (!each.bad_text.empty()) badly.push_back(&each);
    if (each.fault != ScrapeFault::none && !told.contains(each.exporter.node))
      faults[each.fault].push_back(&each);
  }
  std::vector<Gap> gaps;
  gaps.reserve(faults.size() + 1);
  for (auto& [fault, those] : faults) {
    // The first one is quoted.
    std::stable_partition(those.begin(), those.end(),
                          [](const Scraped* each) { return !each->is_given_up; });
    gaps.push_back(gap_of(fault, those, connection));
  }
  if (!partly.empty()) {
    const Scraped& first = *partly.front();
    gaps.push_back(
        {.what = partly.size() == 1
                     ? fmt::format("what {} tells was not read in full", name_of(first.exporter))
                     : fmt::format("what {} exporters tell was not read in full", partly.size()),
         .why = fmt::format("{}: {}", name_of(first.exporter), first.remark),
         .help = fmt::format("kubectl get --raw \"{}\"", proxy_path(first.exporter))});
  }
  if (badly.empty()) return gaps;
  const Scraped& first = *badly.front();
  Gap gap = gap_of_bad_lines(first.bad_lines, name_of(first.exporter), first.bad_text);
  if (badly.size() > 1)
    gap.why = fmt::format("so it is with {} exporters; the first: {}", badly.size(), gap.why);
  gap.help = fmt::format("kubectl get --raw \"{}\"", proxy_path(first.exporter));
  gaps.push_back(std::move(gap));
  return gaps;
}

}  // namespace gpu::telemetry
