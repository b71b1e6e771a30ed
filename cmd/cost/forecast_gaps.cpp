#include "cmd/cost/forecast_gaps.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include "base/ascii.hpp"
#include "base/phrase.hpp"

namespace gpu::cmd {

using cost::MachineOffer;
using cost::ObjectForecast;
using cost::PodForecast;

std::string object_name(const ObjectForecast& object) {
  return lower_case(object.kind) + "/" + object.name;
}

namespace {

constexpr std::chrono::days kListPricesLast{180};

/// Whether a price of the object is older than that.
bool has_old_price(const ObjectForecast& object, const Time& now) {
  return std::any_of(object.pods.begin(), object.pods.end(), [&](const PodForecast& pod) {
    return std::any_of(pod.offers.begin(), pod.offers.end(), [&](const MachineOffer& offer) {
      return offer.hour && offer.as_of && now - *offer.as_of > kListPricesLast;
    });
  });
}

/// Whether a machine of it has no price, or no machine is known.
bool lacks_price(const ObjectForecast& object) {
  return std::any_of(object.pods.begin(), object.pods.end(), [](const PodForecast& pod) {
    const bool has_price = !pod.offers.empty() &&
                           std::all_of(pod.offers.begin(), pod.offers.end(), [](const auto& offer) {
                             return offer.source != cost::PriceSource::none;
                           });
    return !pod.gpus.empty() && !has_price;
  });
}

}  // namespace

std::vector<Gap> forecast_gaps(const std::vector<ObjectForecast>& objects,
                               const std::optional<Time>& now) {
  std::vector<std::string> unpriced, in_parts;
  for (const ObjectForecast& object : objects)
    if (object.has_gpus() && !object.cost.hour.is_known())
      (lacks_price(object) ? unpriced : in_parts).push_back(object_name(object));
  std::set<std::string> old;
  for (const ObjectForecast& object : objects)
    if (now && has_old_price(object, *now)) old.insert(object_name(object));
  std::vector<Gap> gaps;
  constexpr std::size_t kMostNames = 4;
  if (!unpriced.empty())
    gaps.push_back({.what = "what " + few_and_rest(unpriced, kMostNames) + " costs is not known",
                    .why = "some machine that it may run on has no price",
                    .help = "give one with --price or --prices: --price 2.50 is for every GPU"});
  if (!in_parts.empty())
    gaps.push_back({.what = "what " + few_and_rest(in_parts, kMostNames) + " costs is not known",
                    .why = "what part of a GPU or of a machine its pods get is not known",
                    .help = ""});
  if (!old.empty())
    gaps.push_back(
        {.what = "prices are more than 180 days old: " +
                 few_and_rest(std::vector<std::string>(old.begin(), old.end()), kMostNames),
         .why = "list prices change within months",
         .help = "give today's with --prices FILE"});
  return gaps;
}

}  // namespace gpu::cmd
