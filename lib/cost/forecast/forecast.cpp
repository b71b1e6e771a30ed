#include "cost/forecast/forecast.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "admission/api/admission.hpp"
#include "base/quantity.hpp"
#include "cost/forecast/autoscaling.hpp"
#include "cost/forecast/karpenter_machines.hpp"
#include "cost/forecast/node_offers.hpp"
#include "cost/forecast/node_refusals.hpp"
#include "cost/forecast/pod_request.hpp"
#include "model/objects/own_kind.hpp"

namespace gpu::cost {
namespace {

Owner maker_of(const Pod& pod) {
  if (pod.owners.empty()) return {.kind = "Pod", .name = pod.name};
  return {.kind = pod.owners.front().kind, .name = pod.owners.front().name};
}

/// The cheapest first, those without a price last.
void sort(std::vector<MachineOffer>& offers) {
  std::stable_sort(offers.begin(), offers.end(), [](const MachineOffer& a, const MachineOffer& b) {
    if (a.hour.has_value() != b.hour.has_value()) return a.hour.has_value();
    return std::tie(a.hour, a.type) < std::tie(b.hour, b.type);
  });
}

/// From the cheapest to the dearest of the offers; where one has no price, the high end is open.
MoneyRange range_of(const std::vector<MachineOffer>& offers) {
  MoneyRange range;
  bool is_open = false;
  for (const MachineOffer& offer : offers) {
    is_open = is_open || !offer.hour;
    if (offer.hour) widen(range, *offer.hour);
  }
  if (is_open) range.high.reset();
  return range;
}

/// Of the machines that are offered as spot capacity; where one of them is that already and its
/// price is not known, the high end is open.
std::optional<MoneyRange> spot_range_of(const std::vector<MachineOffer>& offers) {
  MoneyRange range;
  bool is_open = false;
  for (const MachineOffer& offer : offers) {
    const bool is_spot = offer.capacity == CapacityType::spot;
    const bool is_known =
        is_spot ? offer.hour && !offer.is_upper_bound : offer.spot_hour.has_value();
    is_open = is_open || (is_spot && !is_known);
    if (is_known) widen(range, is_spot ? *offer.hour : *offer.spot_hour);
  }
  if (is_open) range.high.reset();
  return range.low ? std::optional(range) : std::nullopt;
}

/// What is not known of machines that have a price.
std::string unknown_part(const std::vector<GpuRequest>& gpus) {
  for (const GpuRequest& each : gpus)
    if (each.part && !thousandths_of(*each.part, std::nullopt))
      return "what part of a GPU " + text_of(*each.part) +
             " are, where the memory of the GPUs is not known";
  return "what part of a machine the pod gets";
}

class Forecaster {
 public:
  Forecaster(const PlannedObjects& planned, const ForecastBasis& basis, const ForecastRules& rules)
      : planned_(planned),
        basis_(basis),
        rules_(rules),
        market_(market_of(basis.snapshot)),
        refusals_(basis.snapshot) {}

  [[nodiscard]] PodForecast of(const PlannedPod& planned) {
    PodForecast made{.template_at = planned.template_at,
                     .bounds = planned.bounds,
                     .none_because = planned.none_because};
    PodRequest request = gpus_of(planned.pod, planned_, basis_.snapshot);
    made.gpus = std::move(request.gpus);
    made.not_checked = std::move(request.not_checked);
    made.hour = kNoMoney;
    if (made.gpus.empty()) return made;
    find_machines(made, planned.pod);
    if (made.basis != MachineBasis::nodes) made.no_node_because = refusals_.reason(planned.pod);
    sort(made.offers);
    made.hour = range_of(made.offers);
    made.spot_hour = spot_range_of(made.offers);
    say_what_is_open(made, planned);
    if (is_own(maker_of(planned.pod), "DaemonSet")) count_nodes(made);
    return made;
  }

 private:
  static void say_what_is_open(PodForecast& made, const PlannedPod& planned) {
    const bool is_part_unknown = std::any_of(
        made.offers.begin(), made.offers.end(),
        [](const MachineOffer& offer) { return offer.source != PriceSource::none && !offer.hour; });
    if (is_part_unknown) made.not_checked.push_back(unknown_part(made.gpus));
    if (!planned.queue.empty() && made.offers.size() > 1)
      made.not_checked.push_back("to which of these machines the queue " + planned.queue +
                                 " sends it");
    const RunBounds& bounds = planned.bounds;
    if (bounds.pods_per_replica && !bounds.growth && !bounds.ends)
      made.not_checked.emplace_back("autoscalers of the cluster");
    if (maker_of(planned.pod).kind == "RayService")
      made.not_checked.emplace_back("the second cluster that a change of it starts");
  }

  void find_machines(PodForecast& made, const Pod& pod) const {
    made.basis = MachineBasis::nodes;
    made.offers = node_offers(pod, made.gpus, basis_.ledger, basis_.prices);
    if (!made.offers.empty()) return;
    const FutureMachines named = named_machines(pod, market_);
    // Instance types that a manifest names are the only ones that it may run on.
    if (named.basis != MachineBasis::instance_types) {
      made.basis = MachineBasis::node_pools;
      add_offers(made,
                 karpenter_machines(pod, basis_.snapshot.scheduling.karpenter_node_pools, market_));
    }
    if (!made.offers.empty()) return;
    made.basis = named.basis;
    add_offers(made, named.machines);
  }

  void add_offers(PodForecast& made, const std::vector<FutureMachine>& machines) const {
    for (const FutureMachine& machine : machines) {
      MachineOffer offer = offer_on(machine, made.gpus, basis_.prices, rules_.mig_by);
      const bool is_too_small =
          machine.cards > 0 && offer.cards && *offer.cards > static_cast<double>(machine.cards);
      const auto same = [&](const MachineOffer& each) {
        return std::tie(each.type, each.model, each.capacity, each.hour) ==
               std::tie(offer.type, offer.model, offer.capacity, offer.hour);
      };
      if (is_too_small || std::any_of(made.offers.begin(), made.offers.end(), same)) continue;
      made.offers.push_back(std::move(offer));
    }
  }

  /// A pod on each node that takes it.
  static void count_nodes(PodForecast& made) {
    std::int64_t nodes = 0;
    for (const MachineOffer& offer : made.offers) nodes += offer.nodes;
    made.bounds.pods_at_once = made.bounds.pods_in_all = nodes;
  }

  const PlannedObjects& planned_;
  const ForecastBasis& basis_;
  const ForecastRules& rules_;
  MachineMarket market_;
  NodeRefusals refusals_;
};

/// What the object's pods cost an hour now.
std::optional<Money> now_of(const ObjectForecast& object, const std::vector<CostLine>& lines) {
  std::optional<Money> sum;
  for (const CostLine& line : lines) {
    const bool is_its = line.holds_now && line.pod != nullptr && line.ns == object.ns &&
                        line.owner.kind == object.kind && line.owner.name == object.name;
    if (is_its && line.rate) sum = sum.value_or(Money{}) + line.rate->total();
  }
  return sum;
}

SpotFit spot_fit_of(const ObjectForecast& object) {
  if (object.kind == "Pod") return SpotFit::unsuited;
  const bool is_lost =
      std::any_of(object.pods.begin(), object.pods.end(), [](const PodForecast& each) {
        const RunBounds& bounds = each.bounds;
        return !each.gpus.empty() && bounds.pods_at_once > 0 && bounds.ends &&
               bounds.retries == 0 && bounds.restarts == 0 && !bounds.ignores_disruptions;
      });
  return is_lost ? SpotFit::unsuited : SpotFit::suited;
}

std::optional<MoneyRange> spot_of(const std::vector<PodForecast>& pods) {
  MoneyRange sum = kNoMoney;
  bool has_choice = false;
  for (const PodForecast& each : pods) {
    if (each.gpus.empty() || each.bounds.pods_at_once == 0) continue;
    if (!each.spot_hour) return std::nullopt;
    sum = sum + times(*each.spot_hour, each.bounds.pods_at_once);
    has_choice = has_choice ||
                 std::any_of(each.offers.begin(), each.offers.end(),
                             [](const MachineOffer& offer) { return offer.spot_hour.has_value(); });
  }
  return has_choice ? std::optional(sum) : std::nullopt;
}

/// Of two objects of one name, which generateName may give, each has the template once.
bool lacks_template(const ObjectForecast& object, const std::string& template_at) {
  return std::none_of(object.pods.begin(), object.pods.end(),
                      [&](const PodForecast& each) { return each.template_at == template_at; });
}

void conclude(ObjectForecast& object, const ForecastBasis& basis, const ForecastRules& rules) {
  std::vector<PricedRun> runs;
  for (const PodForecast& each : object.pods)
    runs.push_back({each.bounds, each.hour, !each.gpus.empty()});
  object.cost = run_cost(runs, rules.run_for);
  object.spot_hour = spot_of(object.pods);
  object.spot_fit = spot_fit_of(object);
  object.now = now_of(object, basis.lines);
}

std::optional<MoneyRange> added(const std::optional<MoneyRange>& a,
                                const std::optional<MoneyRange>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

}  // namespace

bool ObjectForecast::has_gpus() const {
  return std::any_of(pods.begin(), pods.end(),
                     [](const PodForecast& each) { return !each.gpus.empty(); });
}

std::int64_t ObjectForecast::pods_at_once() const {
  std::int64_t sum = 0;
  for (const PodForecast& each : pods) sum = capped_sum(sum, each.bounds.pods_at_once);
  return sum;
}

std::optional<std::int64_t> ObjectForecast::pods_at_most() const {
  std::int64_t sum = 0;
  for (const PodForecast& each : pods) {
    const std::optional<std::int64_t> most = cost::pods_at_most(each.bounds);
    if (!most) return std::nullopt;
    sum = capped_sum(sum, *most);
  }
  return sum;
}

std::int64_t ObjectForecast::units() const {
  std::int64_t sum = 0;
  for (const PodForecast& each : pods)
    for (const GpuRequest& request : each.gpus)
      sum = capped_sum(sum, capped_product(request.units, each.bounds.pods_at_once));
  return sum;
}

ForecastSum sum_of(const std::vector<ObjectForecast>& objects) {
  ForecastSum sum;
  sum.total = kNoMoney;
  for (const ObjectForecast& object : objects) {
    sum.hour = sum.hour + object.cost.hour;
    sum.total = added(sum.total, object.cost.total);
    sum.bound = added(sum.bound, object.has_gpus() ? object.cost.bound() : kNoMoney);
    if (object.now) sum.now = sum.now.value_or(Money{}) + *object.now;
  }
  return sum;
}

std::vector<ObjectForecast> forecast(const PlannedObjects& planned, const ForecastBasis& basis,
                                     const ForecastRules& rules) {
  std::vector<PlannedPod> pods = planned.pods;
  pods.insert(pods.end(), planned.outlines.begin(), planned.outlines.end());
  apply_autoscalers(pods, planned.autoscalers);
  Forecaster forecaster(planned, basis, rules);
  std::vector<ObjectForecast> objects;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    PlannedPod& each = pods[i];
    admission::admit(each.pod, basis.snapshot.scheduling);
    const Owner maker = maker_of(each.pod);
    const auto same = std::find_if(objects.begin(), objects.end(), [&](const auto& object) {
      return object.ns == each.pod.ns && object.kind == maker.kind && object.name == maker.name &&
             object.file == each.file && lacks_template(object, each.template_at);
    });
    const auto at = same != objects.end()
                        ? same
                        : objects.insert(objects.end(), ObjectForecast{.ns = each.pod.ns,
                                                                       .kind = maker.kind,
                                                                       .name = maker.name,
                                                                       .file = each.file});
    at->pods.push_back(forecaster.of(each));
    if (i >= planned.pods.size())
      at->pods.back().not_checked.emplace_back("what its controller adds to its pods");
  }
  for (ObjectForecast& object : objects) conclude(object, basis, rules);
  return objects;
}

}  // namespace gpu::cost
