#include "cmd/cost/forecast_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/ascii.hpp"
#include "base/duration.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"

namespace gpu::cmd {
namespace {

using cost::MachineBasis;
using cost::MachineOffer;
using cost::ObjectForecast;
using cost::PodForecast;

constexpr std::chrono::days kListPricesLast{180};

std::string object_name(const ObjectForecast& object) {
  return lower_case(object.kind) + "/" + object.name;
}

std::string usd(Money amount) { return "$" + money_text({amount, amount}); }

/// "p5.48xlarge $55.04 (spot $25.86)".
std::string offer_text(const MachineOffer& offer) {
  std::string text = offer.type.empty() ? offer.model : offer.type;
  if (text.empty()) text = "a node without a type";
  if (offer.capacity == cost::CapacityType::spot) text += " as spot";
  text += offer.hour ? " " + usd(*offer.hour) : ", price not known";
  if (offer.is_upper_bound) text += " at most: spot price not known";
  if (offer.spot_hour) text += " (spot " + usd(*offer.spot_hour) + ")";
  return text;
}

/// How machines were found that are not there.
std::string basis_text(MachineBasis basis) {
  switch (basis) {
    case MachineBasis::nodes:
      return "";
    case MachineBasis::node_pools:
      return "Karpenter's NodePools may create ";
    case MachineBasis::instance_types:
      return "it names ";
    case MachineBasis::model:
      return "by the GPUs that it names, ";
    case MachineBasis::nothing:
      return "it names no GPUs, ";
  }
  return "";
}

/// What is estimated of the prices; empty where none is.
std::string estimate_text(const PodForecast& pod) {
  const auto has = [&](cost::PriceSource source) {
    return std::any_of(pod.offers.begin(), pod.offers.end(), [&](const MachineOffer& offer) {
      return offer.is_estimate && offer.source == source;
    });
  };
  if (has(cost::PriceSource::model)) return "; an estimate: the median of providers";
  if (has(cost::PriceSource::other_region)) return "; an estimate: the price of another region";
  return has(cost::PriceSource::table) ? "; an estimate: spot prices differ by zone" : "";
}

/// Which machines the price of a pod is of; empty where one node type says it all.
std::string machines_text(const PodForecast& pod, const ForecastAnswer& answer) {
  const bool is_plain = pod.basis == MachineBasis::nodes && pod.offers.size() <= 1 &&
                        (pod.offers.empty() || !pod.offers.front().spot_hour);
  if (pod.gpus.empty() || (is_plain && estimate_text(pod).empty())) return {};
  constexpr std::size_t kMost = 4;
  std::vector<std::string> offers;
  for (const MachineOffer& offer : pod.offers) offers.push_back(offer_text(offer));
  const bool is_missed = answer.has_cluster && pod.basis != MachineBasis::nodes;
  const std::string start = is_missed ? "no node is there for it; " : "";
  const std::string unit = pod.hour.low ? " an hour for a pod" : "";
  const std::string text = start + basis_text(pod.basis) + few_and_rest(offers, kMost) + unit;
  return text + estimate_text(pod);
}

/// "3 retries", "6 retries of pods, and 2 restarts of all".
std::string retries_text(const ObjectForecast& object) {
  std::string text;
  const std::int64_t retries = object.cost.retries.value_or(0);
  if (retries > 0) text = counted(retries, "retry of a pod", "retries of pods");
  if (object.cost.restarts > 0)
    text += (text.empty() ? "" : ", and ") + counted(object.cost.restarts, "restart") + " of all";
  return text;
}

bool ignores_disruptions(const ObjectForecast& object) {
  return std::any_of(object.pods.begin(), object.pods.end(), [](const PodForecast& pod) {
    return !pod.gpus.empty() && pod.bounds.ignores_disruptions;
  });
}

std::string bound_text(const ObjectForecast& object) {
  if (object.cost.bound_by() == cost::BoundBy::deadline)
    return "the deadline bounds retries and waiting for nodes, too";
  if (!object.cost.ends) return "it runs until somebody ends it";
  if (!object.cost.retries) return "nothing bounds its retries: set a backoffLimit or a deadline";
  const std::string retries = retries_text(object);
  std::string text = retries.empty() ? "" : "worst: with " + retries;
  if (!object.cost.total && !retries.empty()) text = "not counted: " + retries;
  if (ignores_disruptions(object))
    text += (text.empty() ? "" : "; ") + std::string("disrupted pods come on top of these");
  return text;
}

std::string spot_text(const ObjectForecast& object) {
  if (!object.spot_hour) return {};
  if (object.spot_fit == cost::SpotFit::unsuited)
    return "not suited for spot: it has no retries, so one interruption ends it";
  return "on spot, each interruption costs what was done since the last checkpoint, and the "
         "restart";
}

/// What a field says that changes the amounts.
std::vector<std::string> field_texts(const ObjectForecast& object) {
  std::set<std::string> texts;
  for (const PodForecast& pod : object.pods) {
    if (!pod.none_because.empty())
      texts.insert(fmt::format("it makes no pods now: {}; amounts are those once that changes",
                               pod.none_because));
    if (pod.bounds.stays_after_end)
      texts.insert(
          "its cluster stays when the job has ended: shutdownAfterJobFinishes is not true");
    for (const std::string& each : pod.not_checked) texts.insert("not checked: " + each);
  }
  if (object.kind == "CronJob") texts.insert("amounts are of one run");
  return {texts.begin(), texts.end()};
}

std::string source_text(cost::PriceSource source) {
  if (source == cost::PriceSource::flag) return "--price";
  if (source == cost::PriceSource::file) return "price file";
  if (source == cost::PriceSource::annotation) return "annotation";
  return "built-in table";
}

template <class Visit>
void each_offer(const std::vector<ObjectForecast>& objects, Visit visit) {
  for (const ObjectForecast& object : objects)
    for (const PodForecast& pod : object.pods)
      for (const MachineOffer& offer : pod.offers)
        if (offer.hour) visit(object, offer);
}

/// "prices: built-in table of 2026-07-20": the oldest day of each source.
std::string sources_text(const std::vector<ObjectForecast>& objects) {
  std::map<std::string, std::string> days;
  each_offer(objects, [&](const ObjectForecast&, const MachineOffer& offer) {
    const std::string day =
        offer.as_of ? "of " + format_time(*offer.as_of).substr(0, 10) : "undated";
    const auto [at, is_new] = days.emplace(source_text(offer.source), day);
    if (!is_new) at->second = std::min(at->second, day);
  });
  std::vector<std::string> sources;
  for (const auto& [source, day] : days) sources.push_back(source + " " + day);
  return joined(sources);
}

void add_object_notes(std::vector<std::string>& notes, const ObjectForecast& object,
                      const ForecastAnswer& answer) {
  const auto add = [&](const std::string& text) {
    if (!text.empty()) notes.push_back(object_name(object) + ": " + text);
  };
  if (!object.has_gpus()) return add("it requests no GPUs");
  std::set<std::string> machines;
  for (const PodForecast& pod : object.pods)
    if (const std::string text = machines_text(pod, answer); machines.insert(text).second)
      add(text);
  add(bound_text(object));
  add(spot_text(object));
  for (const std::string& text : field_texts(object)) add(text);
}

}  // namespace

std::vector<std::string> unpriced_objects(const ForecastAnswer& answer) {
  std::vector<std::string> unpriced = answer.question.planned.unknown;
  std::erase_if(unpriced, [&](const std::string& owner) {
    return std::any_of(answer.objects.begin(), answer.objects.end(),
                       [&](const ObjectForecast& object) { return object_name(object) == owner; });
  });
  return unpriced;
}

std::vector<std::string> forecast_notes(const ForecastAnswer& answer) {
  std::vector<std::string> notes;
  if (answer.question.rules.run_for)
    notes.push_back(fmt::format("total: each pod runs {} once",
                                typed_duration(*answer.question.rules.run_for)));
  for (const ObjectForecast& object : answer.objects) add_object_notes(notes, object, answer);
  for (const std::string& owner : unpriced_objects(answer))
    notes.push_back(owner + ": not checked: it does not say what its pods request");
  const std::string sources = sources_text(answer.objects);
  if (!sources.empty())
    notes.push_back("prices: " + sources +
                    "; GPUs alone, no storage, network, licences or discounts");
  return notes;
}

std::vector<Gap> forecast_gaps(const std::vector<ObjectForecast>& objects,
                               const std::optional<Time>& now) {
  std::vector<std::string> unpriced;
  for (const ObjectForecast& object : objects)
    if (object.has_gpus() && !object.cost.hour.is_known()) unpriced.push_back(object_name(object));
  std::set<std::string> old;
  each_offer(objects, [&](const ObjectForecast& object, const MachineOffer& offer) {
    if (now && offer.as_of && *now - *offer.as_of > kListPricesLast)
      old.insert(object_name(object));
  });
  std::vector<Gap> gaps;
  if (!unpriced.empty())
    gaps.push_back({.what = "what " + joined(unpriced) + " costs is not known",
                    .why = "some machine that it may run on has no price",
                    .help = "give one with --price or --prices: --price 2.50 is for every GPU"});
  if (!old.empty())
    gaps.push_back({.what = "prices are more than 180 days old: " +
                            joined(std::vector<std::string>(old.begin(), old.end())),
                    .why = "list prices change within months",
                    .help = "give today's with --prices FILE"});
  return gaps;
}

}  // namespace gpu::cmd
