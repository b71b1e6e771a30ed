#include "cmd/cost/forecast_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "base/ascii.hpp"
#include "base/duration.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/cost/forecast_gaps.hpp"
#include "cost/forecast/autoscaling.hpp"
#include "report/values.hpp"

namespace gpu::cmd {
namespace {

using cost::MachineBasis;
using cost::MachineOffer;
using cost::ObjectForecast;
using cost::PodForecast;

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
      return "priced by what Karpenter's NodePools may create: ";
    case MachineBasis::instance_types:
      return "priced by the instance types that it names: ";
    case MachineBasis::model:
      return "priced by the GPUs that it names: ";
    case MachineBasis::nothing:
      return "";
  }
  return "";
}

/// "no node takes it (REASON); "; empty where some node does, or none was seen.
std::string no_node_text(const PodForecast& pod, const ForecastAnswer& answer) {
  if (!answer.has_cluster || pod.basis == MachineBasis::nodes) return {};
  if (pod.no_node_because.empty()) return "no node takes it; ";
  return fmt::format("no node takes it ({}); ", pod.no_node_because);
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

bool has_part(const PodForecast& pod) {
  return std::any_of(pod.gpus.begin(), pod.gpus.end(),
                     [](const cost::GpuRequest& request) { return request.part.has_value(); });
}

/// Of a pod that names no machines.
std::string any_gpu_text(const PodForecast& pod) {
  if (!pod.hour.low)
    return has_part(pod) ? "it names neither an instance type nor GPUs, so what part of a GPU it "
                           "requests is not known"
                         : "it names neither an instance type nor GPUs, so its price is not known";
  return "priced as any GPU: " + usd(*pod.hour.low) + " an hour for a pod";
}

/// What is held beside a part of a GPU that KAI or Run:ai gives; empty for any other pod.
std::string part_text(const PodForecast& pod) {
  const bool is_held_whole = std::any_of(
      pod.gpus.begin(), pod.gpus.end(),
      [](const cost::GpuRequest& request) { return request.part && request.part->is_held_whole; });
  if (!is_held_whole || !pod.hour.low) return {};
  return "priced as its part of a GPU: a whole GPU is held for those who share it, and who is "
         "alone "
         "on it holds all of it";
}

/// Which machines the price of a pod is of; empty where one node type says it all.
std::string machines_text(const PodForecast& pod, const ForecastAnswer& answer) {
  const bool is_plain = pod.basis == MachineBasis::nodes && pod.offers.size() <= 1 &&
                        (pod.offers.empty() || !pod.offers.front().spot_hour);
  if (pod.gpus.empty() || (is_plain && estimate_text(pod).empty())) return {};
  constexpr std::size_t kMost = 4;
  std::vector<std::string> offers;
  for (const MachineOffer& offer : pod.offers) offers.push_back(offer_text(offer));
  if (pod.basis == MachineBasis::nothing) return no_node_text(pod, answer) + any_gpu_text(pod);
  const std::string start = no_node_text(pod, answer) + basis_text(pod.basis);
  if (offers.empty()) return start + "none is large enough";
  const std::string unit = pod.hour.low ? " an hour for a pod" : "";
  return start + few_and_rest(offers, kMost) + unit + estimate_text(pod);
}

/// "3 retries of pods", "6 retries of pods, and 2 restarts of all its pods".
std::string retries_text(const ObjectForecast& object) {
  std::string text;
  const std::int64_t retries = object.cost.retries.value_or(0);
  if (retries > 0) text = counted(retries, "retry of a pod", "retries of pods");
  if (object.cost.restarts > 0)
    text += (text.empty() ? "" : ", and ") + counted(object.cost.restarts, "restart") +
            " of all its pods";
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
  if (!object.cost.ends) return "it runs until someone ends it";
  if (!object.cost.retries)
    return "nothing that is known bounds its retries: set a deadline, or a backoffLimit "
           "where the kind has one";
  const std::string retries = retries_text(object);
  std::string text = retries.empty() ? "" : "worst: with " + retries;
  if (!object.cost.total && !retries.empty()) text = "not counted without --hours: " + retries;
  if (ignores_disruptions(object))
    text += (text.empty() ? "" : "; ") +
            std::string("pods that are disrupted are retried on top of these");
  return text;
}

/// Where the template stands, before what is said of it alone; empty where the object has no other
/// with GPUs.
std::string place_text(const PodForecast& pod, const ObjectForecast& object) {
  const auto templates = std::count_if(object.pods.begin(), object.pods.end(),
                                       [](const PodForecast& each) { return !each.gpus.empty(); });
  return templates > 1 ? pod.template_at + ": " : "";
}

/// Of all templates; where they differ, each with its place.
std::vector<std::string> machines_texts(const ObjectForecast& object,
                                        const ForecastAnswer& answer) {
  std::vector<std::string> texts;
  std::set<std::string> different;
  for (const PodForecast& pod : object.pods)
    if (!pod.gpus.empty()) different.insert(machines_text(pod, answer));
  if (different.size() <= 1) return {different.begin(), different.end()};
  for (const PodForecast& pod : object.pods)
    if (const std::string text = machines_text(pod, answer); !text.empty())
      texts.push_back(place_text(pod, object) + text);
  return texts;
}

/// How far autoscalers may raise the number of its pods; empty where they may not.
std::string growth_text(const PodForecast& pod, const ObjectForecast& object) {
  if (pod.gpus.empty() || !pod.bounds.growth) return {};
  const std::string by = pod.bounds.growth->by;
  const std::optional<std::int64_t> most = cost::pods_at_most(pod.bounds);
  const std::string place = place_text(pod, object);
  if (!most) return place + "nothing that is known limits how many pods it may grow to: " + by;
  if (*most <= pod.bounds.pods_at_once) return {};
  const cost::MoneyRange hour = cost::times(pod.hour, *most);
  return fmt::format("{}may grow to {} ({}){}", place, counted(*most, "pod"), by,
                     hour.high ? ": up to " + usd(*hour.high) + " an hour" : "");
}

std::string spot_text(const ObjectForecast& object) {
  if (!object.spot_hour) return {};
  if (object.spot_fit == cost::SpotFit::unsuited)
    return "not suited for spot: it has no retries, so one interruption ends it";
  return "on spot, each interruption costs what was done since the last checkpoint, and the "
         "restart";
}

/// Why a template makes no pods, or none yet; empty where it makes some.
std::string none_text(const PodForecast& pod) {
  if (pod.none_because.empty()) return {};
  if (pod.bounds.pods_at_once > 0)
    return fmt::format("it creates no pods now: {}; amounts are those once that changes",
                       pod.none_because);
  const bool may_grow = cost::pods_at_most(pod.bounds) != 0;
  return (may_grow ? "it starts without pods that have GPUs: " : "it creates no pods: ") +
         pod.none_because;
}

/// What a field says that changes the amounts.
std::vector<std::string> field_texts(const ObjectForecast& object) {
  std::set<std::string> texts;
  for (const PodForecast& pod : object.pods) {
    if (pod.bounds.stays_after_end)
      texts.insert(
          "its cluster stays when the job has ended: shutdownAfterJobFinishes is not true");
    for (const std::string& each : pod.not_checked) texts.insert("not checked: " + each);
  }
  if (object.kind == "CronJob") texts.insert("amounts are of one run");
  return {texts.begin(), texts.end()};
}

template <class Visit>
void each_offer(const std::vector<ObjectForecast>& objects, Visit visit) {
  for (const ObjectForecast& object : objects)
    for (const PodForecast& pod : object.pods)
      for (const MachineOffer& offer : pod.offers)
        if (offer.hour) visit(object, offer);
}

/// Where a price comes from, and the day that it is of.
struct SourceName {
  std::string name;
  std::string day;  ///< empty: it says none
  bool is_dated = false;
};

SourceName source_of(const MachineOffer& offer) {
  const std::string day = offer.as_of ? format_time(*offer.as_of).substr(0, 10) : "";
  switch (offer.source) {
    case cost::PriceSource::flag:
      return {"--price", day};
    case cost::PriceSource::file:
      return {offer.price_rule.substr(0, offer.price_rule.rfind(':')), day, true};
    case cost::PriceSource::annotation:
      return {"annotations of nodes", day};
    case cost::PriceSource::table:
    case cost::PriceSource::other_region:
      return {"built-in table", day, true};
    case cost::PriceSource::model:
    case cost::PriceSource::none:
      return {"the median of all providers in the built-in table", day};
  }
  return {};
}

/// "prices.yaml of 2026-11-01, built-in table of 2026-07-20": the oldest day of each source.
std::string sources_text(const std::vector<ObjectForecast>& objects) {
  std::map<std::string, SourceName> sources;
  each_offer(objects, [&](const ObjectForecast&, const MachineOffer& offer) {
    const SourceName source = source_of(offer);
    const auto [at, is_new] = sources.emplace(source.name, source);
    std::string& oldest = at->second.day;
    if (oldest.empty() || (!source.day.empty() && source.day < oldest)) oldest = source.day;
  });
  std::vector<std::string> texts;
  for (const auto& [name, source] : sources) {
    const std::string undated = source.is_dated ? " without a date" : "";
    texts.push_back(name + (source.day.empty() ? undated : " of " + source.day));
  }
  return joined(texts);
}

/// What a note is about, the most important first: where there are many, the last are left out.
enum class NoteAbout : std::uint8_t { pods, growth, bound, fields, machines, spot };

/// One text, and the objects that it is said of.
struct ForecastNote {
  NoteAbout about{};
  std::string text;
  std::vector<std::string> objects;
};

/// "job/a, job/b and 4,998 more".
std::string objects_text(const std::vector<std::string>& objects) {
  constexpr std::size_t kMost = 2;
  if (objects.size() <= kMost) return joined(objects);
  return fmt::format("{} and {} more", joined(std::span(objects).first(kMost)),
                     report::grouped(static_cast<std::int64_t>(objects.size() - kMost)));
}

/// The notes on all objects: equal ones are one.
class ForecastNotes {
 public:
  void add(const std::string& object, NoteAbout about, const std::string& text) {
    if (text.empty()) return;
    const auto [at, is_new] = places_.emplace(text, notes_.size());
    if (is_new) notes_.push_back({.about = about, .text = text, .objects = {}});
    std::vector<std::string>& objects = notes_[at->second].objects;
    if (objects.empty() || objects.back() != object) objects.push_back(object);
  }

  /// A line each, of the most important ones, in the order in which they were added.
  [[nodiscard]] std::vector<std::string> lines() const {
    constexpr std::size_t kMost = 10;
    std::vector<std::size_t> order(notes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return notes_[a].about < notes_[b].about;
    });
    order.resize(std::min(order.size(), kMost));
    std::sort(order.begin(), order.end());
    std::vector<std::string> lines;
    for (const std::size_t at : order)
      lines.push_back(objects_text(notes_[at].objects) + ": " + notes_[at].text);
    if (const auto left = static_cast<std::int64_t>(notes_.size() - order.size()); left > 0)
      lines.push_back(counted(left, "more note is", "more notes are") +
                      " left out: -o json has all of every object");
    return lines;
  }

 private:
  std::vector<ForecastNote> notes_;
  std::map<std::string, std::size_t> places_;
};

void add_object_notes(ForecastNotes& notes, const ObjectForecast& object,
                      const ForecastAnswer& answer) {
  const std::string name = object_name(object);
  const auto add = [&](NoteAbout about, const std::string& text) { notes.add(name, about, text); };
  if (!object.has_gpus()) return add(NoteAbout::fields, "it requests no GPUs");
  bool is_empty = object.pods_at_most() == 0;
  for (const PodForecast& pod : object.pods) {
    if (pod.gpus.empty()) continue;
    add(NoteAbout::pods, none_text(pod));
    is_empty = is_empty && !pod.none_because.empty();
  }
  if (is_empty) return;
  for (const PodForecast& pod : object.pods) add(NoteAbout::growth, growth_text(pod, object));
  for (const std::string& text : machines_texts(object, answer)) add(NoteAbout::machines, text);
  for (const PodForecast& pod : object.pods) add(NoteAbout::machines, part_text(pod));
  add(NoteAbout::bound, bound_text(object));
  add(NoteAbout::spot, spot_text(object));
  for (const std::string& text : field_texts(object)) add(NoteAbout::fields, text);
}

}  // namespace

std::vector<std::string> unpriced_objects(const ForecastAnswer& answer) {
  const PlannedObjects& planned = answer.question.planned;
  std::vector<std::string> unpriced = planned.unknown;
  std::erase_if(unpriced, [&](const std::string& owner) {
    return std::any_of(planned.outlines.begin(), planned.outlines.end(),
                       [&](const PlannedPod& each) {
                         const OwnerReference& maker = each.pod.owners.front();
                         return lower_case(maker.kind) + "/" + maker.name == owner;
                       });
  });
  unpriced.insert(unpriced.end(), planned.holders.begin(), planned.holders.end());
  return unpriced;
}

std::vector<std::string> forecast_notes(const ForecastAnswer& answer) {
  std::vector<std::string> lines;
  if (answer.question.rules.run_for)
    lines.push_back(fmt::format("total: each pod that starts runs {} once",
                                typed_duration(*answer.question.rules.run_for)));
  ForecastNotes notes;
  for (const ObjectForecast& object : answer.objects) add_object_notes(notes, object, answer);
  for (const std::string& owner : unpriced_objects(answer))
    notes.add(owner, NoteAbout::pods, "not checked: what pods it makes, and what they request");
  for (const std::string& each : cost::autoscalers_without_target(answer.question.planned))
    notes.add(each, NoteAbout::pods, "not checked: what it scales is not in the files");
  for (std::string& line : notes.lines()) lines.push_back(std::move(line));
  const std::string sources = sources_text(answer.objects);
  if (!sources.empty())
    lines.push_back("prices: " + sources +
                    "; GPUs alone, no storage, network, licences or discounts");
  return lines;
}

}  // namespace gpu::cmd
