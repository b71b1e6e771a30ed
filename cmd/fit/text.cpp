#include "cmd/fit/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "diagnose/answer/code.hpp"
#include "report/values.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using plan::FitAnswer;
using plan::FitRow;
using plan::Gang;
using plan::NodeNeed;
using plan::Range;

constexpr std::size_t kNamesShown = 4;

std::string dollars(Money amount) {
  return report::words_of(report::Usd{amount.nano}, report::PowerUnit::watts, "").text;
}

/// "nvidia.com/gpu" is a gpu.
std::string short_resource(const std::string& resource) {
  const std::size_t slash = resource.rfind('/');
  return resource.substr(slash == std::string::npos ? 0 : slash + 1);
}

std::string_view not_starting(const FitRow& row) {
  if (row.pods == 1 && row.starts && row.starts->most > 0) return "the pod may not start";
  if (row.pods == 1) return "the pod does not start";
  return !row.starts || row.starts->most == 0 ? "the pods do not start"
                                              : "the next pod does not start";
}

/// Templates of one object that do not start for one reason are told of together. What a gang
/// lacks is told of it as a whole.
std::vector<FitRow> rows_to_explain(const FitAnswer& answer) {
  std::vector<FitRow> rows;
  for (const FitRow& row : answer.rows) {
    const bool is_of_gang = row.gang == Gang::whole && row.room_for &&
                            row.code == diagnose::Code::gang_waiting &&
                            row.gang_least <= row.gang_pods;
    if (!row.code || is_of_gang) continue;
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const FitRow& each) {
      return each.ns == row.ns && object_text(each) == object_text(row) && each.code == row.code &&
             each.summary == row.summary;
    });
    if (same == rows.end()) {
      rows.push_back(row);
      continue;
    }
    same->pods += row.pods;
    if (!same->starts || !row.starts) continue;
    same->starts->least += row.starts->least;
    same->starts->most += row.starts->most;
  }
  return rows;
}

void add_why(std::vector<std::string>& facts, const FitAnswer& answer) {
  for (const FitRow& row : rows_to_explain(answer)) {
    const std::string who = answer.rows.size() == 1 ? "" : object_text(row) + ": ";
    facts.push_back(fmt::format("{}{} [{}]: {}", who, not_starting(row),
                                diagnose::name_of(*row.code), row.summary));
  }
}

/// The pods of all templates of one object.
struct GangSum {
  Gang gang = Gang::none;
  std::int64_t pods = 0;
  std::int64_t least = 0;
  std::int64_t room_for = 0;
  Range starts;
};

std::string gang_text(const std::string& object, const GangSum& sum) {
  if (sum.gang == Gang::whole && sum.starts.most >= sum.least && sum.starts.is_one())
    return fmt::format("{} starts with {} of its {} pods: it needs {}", object, sum.starts.most,
                       sum.pods, sum.least);
  if (sum.gang == Gang::whole)
    return fmt::format("{} of {} start together or not at all; there is room for {}",
                       sum.least == sum.pods
                           ? fmt::format("the {} pods", sum.pods)
                           : fmt::format("at least {} of the {} pods", sum.least, sum.pods),
                       object, sum.room_for);
  return fmt::format(
      "partial start is possible: the pods of {} work together, no scheduler of groups has them, "
      "and {} of {} would hold their GPUs and wait",
      object, range_text(sum.starts), sum.pods);
}

void add_gangs(std::vector<std::string>& facts, const FitAnswer& answer) {
  std::map<std::string, GangSum> sums;
  for (const FitRow& row : answer.rows) {
    if (!row.starts || row.gang == Gang::none) continue;
    GangSum& sum = sums[row.gang_name];
    sum.gang = row.gang;
    sum.least = row.gang_least;
    sum.pods += row.pods;
    sum.room_for += row.room_for.value_or(row.starts->least);
    sum.starts.least += row.starts->least;
    sum.starts.most += row.starts->most;
  }
  for (const auto& [object, sum] : sums) {
    const bool is_partial = sum.gang == Gang::partial && sum.starts.most == 0;
    const bool is_impossible = sum.gang == Gang::whole && sum.least > sum.pods;
    if (sum.starts.least < sum.pods && !is_partial && !is_impossible)
      facts.push_back(gang_text(object, sum));
  }
}

void add_more(std::vector<std::string>& facts, const FitAnswer& answer) {
  if (!answer.all_start()) return;
  for (const FitRow& row : answer.rows) {
    if (!row.more) continue;
    const std::string what =
        answer.rows.size() == 1 ? "of the same" : "like those of " + object_text(row);
    if (row.more->most == 0)
      facts.push_back(fmt::format("no more {} would fit after that", what));
    else
      facts.push_back(fmt::format("{} more {} would fit after that{}", range_text(*row.more), what,
                                  row.is_more_capped ? "; no more are tried" : ""));
  }
}

/// Whether a unit is less than what the model names.
bool is_part(usage::Unit unit) {
  return unit == usage::Unit::share || unit == usage::Unit::mig_share || unit == usage::Unit::gib;
}

void add_nominated(std::vector<std::string>& facts, const FitAnswer& answer) {
  if (answer.all_start() || answer.nominated.empty()) return;
  std::vector<std::string> parts;
  for (const plan::NominatedPod& each : answer.nominated)
    parts.push_back(
        fmt::format("{}/{} on {} ({})", each.ns, each.name, each.node, counted(each.gpus, "GPU")));
  facts.push_back("the scheduler keeps room for nominated pods: " +
                  few_and_rest(parts, kNamesShown));
}

void add_blocks(std::vector<std::string>& facts, const FitAnswer& answer) {
  std::vector<std::string> parts;
  for (const plan::FreeBlock& block : answer.blocks) {
    const std::string what = block.model.empty() ? short_resource(block.resource) : block.model;
    if (block.free == 0)
      parts.push_back("no " + what);
    else if (is_part(block.unit))
      parts.push_back(fmt::format("{} of {} on {}", usage::amount_text(block.free, block.unit),
                                  what, block.node));
    else
      parts.push_back(fmt::format("{} {} on {}", block.free, what, block.node));
  }
  if (!parts.empty())
    facts.push_back("most free GPUs on one node now: " + few_and_rest(parts, kNamesShown));
}

std::string need_text(const NodeNeed& need) {
  std::string text = counted(need.nodes, "more node");
  text += need.type.empty() ? " like " + need.like : " " + need.type;
  if (need.gpus > 0)
    text += fmt::format(" ({} {})", need.gpus, need.model.empty() ? "GPUs" : need.model);
  if (!need.hour) return text + ", price not known";
  return text + fmt::format(", {}${} an hour{}", need.is_estimate ? "about " : "",
                            dollars(*need.hour), need.nodes == 1 ? "" : " together");
}

/// Whoever cordoned them may have had a reason: it is said that they are, before what to do.
std::string uncordon_text(const plan::Uncordoning& uncordoning, std::int64_t pods) {
  const std::vector<std::string>& nodes = uncordoning.nodes;
  std::string command = "kubectl uncordon";
  for (const std::string& node : nodes) command += " " + shell_quoted(node);
  return fmt::format(
      "{} cordoned; {} would start after `{}` (tested)",
      few_and_rest(nodes, kNamesShown) + (nodes.size() == 1 ? " is" : " are"),
      uncordoning.starts == pods ? "all" : fmt::format("{} of {}", uncordoning.starts, pods),
      command);
}

void add_needs(std::vector<std::string>& facts, const FitAnswer& answer) {
  if (!answer.needs_were_tried) return;
  if (answer.uncordoning) facts.push_back(uncordon_text(*answer.uncordoning, answer.pods));
  const bool are_all_held_by_cordons =
      answer.uncordoning && answer.uncordoning->starts == answer.pods;
  if (answer.needs.empty() && are_all_held_by_cordons) return;
  if (answer.needs.empty() && answer.needs_too_many) {
    facts.emplace_back("more nodes of one type would be needed than are tried: more than 200");
    return;
  }
  if (answer.needs.empty()) {
    facts.emplace_back("no number of nodes of one type that the cluster has would start them all");
    return;
  }
  bool is_first = !are_all_held_by_cordons;
  for (const NodeNeed& need : answer.needs) {
    facts.push_back((is_first ? "all would start with " : "or with ") + need_text(need));
    is_first = false;
    if (facts.size() > 16) break;
  }
}

void add_chance(std::vector<std::string>& facts, const FitAnswer& answer) {
  const bool is_by_chance = std::any_of(
      answer.rows.begin(), answer.rows.end(),
      [](const FitRow& row) { return row.starts && row.starts->most > 0 && !row.is_certain; });
  if (answer.runs > 1 && is_by_chance)
    facts.push_back(
        fmt::format("the scheduler chooses at random among nodes with equal scores: {} ways were "
                    "tried",
                    answer.runs));
  for (const FitRow& row : answer.rows)
    if (!row.stops.empty())
      facts.push_back(fmt::format("the scheduler makes room by preemption, which stops {}",
                                  few_and_rest(row.stops, kNamesShown)));
}

std::string starts_text(const Range& starts, std::int64_t pods) {
  if (starts.least == pods)
    return pods == 1 ? "the pod would start now" : fmt::format("all {} pods would start now", pods);
  if (starts.most == 0)
    return pods == 1 ? "the pod would not start now"
                     : fmt::format("none of {} pods would start now", pods);
  if (starts.is_one()) return fmt::format("{} of {} pods would start now", starts.least, pods);
  return fmt::format("{} to {} of {} {}: the scheduler picks among equal nodes at random",
                     starts.least, starts.most, pods, pods == 1 ? "starts" : "start");
}

}  // namespace

std::string range_text(const Range& range) {
  if (range.is_one()) return std::to_string(range.least);
  return fmt::format("{} to {}", range.least, range.most);
}

std::string object_text(const FitRow& row) { return lower_case(row.kind) + "/" + row.name; }

std::string gpus_of_pod(const FitRow& row) {
  std::string text;
  for (const diagnose::ResourceRequest& each : row.requests) {
    if (each.resource.find('/') == std::string::npos) continue;
    if (!text.empty()) text += " + ";
    text += fmt::format("{} {}", each.amount, short_resource(each.resource));
  }
  return text.empty() ? "0" : text;
}

std::string places_text(const FitRow& row) {
  std::vector<plan::Place> places = row.places;
  std::stable_sort(places.begin(), places.end(),
                   [](const auto& a, const auto& b) { return a.pods > b.pods; });
  std::vector<std::string> parts;
  for (const plan::Place& each : places)
    parts.push_back(each.pods == 1 ? each.node : fmt::format("{} x{}", each.node, each.pods));
  if (parts.empty()) return {};
  std::string text = few_and_rest(parts, kNamesShown);
  if (!row.is_certain) text += ", or others";
  return text;
}

std::string fit_headline(const FitAnswer& answer) {
  if (!answer.starts) return "whether they would start is not known";
  if (answer.pods == 0) return "no pods are to start now";
  const bool is_sure = std::all_of(answer.rows.begin(), answer.rows.end(),
                                   [](const FitRow& row) { return row.is_sure; });
  return starts_text(*answer.starts, answer.pods) + (is_sure ? "" : ", as far as could be checked");
}

std::vector<std::string> fit_facts(const FitAnswer& answer) {
  std::vector<std::string> facts;
  add_why(facts, answer);
  add_gangs(facts, answer);
  add_nominated(facts, answer);
  for (const FitRow& row : answer.rows)
    for (const std::string& each : row.warnings) facts.push_back(each);
  for (const FitRow& row : answer.rows)
    if (!row.exists.empty()) facts.push_back(row.exists);
  add_chance(facts, answer);
  add_more(facts, answer);
  add_blocks(facts, answer);
  add_needs(facts, answer);
  // Templates of one object may have the same to say.
  std::vector<std::string> once;
  for (std::string& each : facts)
    if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(std::move(each));
  return once;
}

}  // namespace gpu::cmd
