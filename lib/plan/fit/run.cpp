#include "plan/fit/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plan/api_refusal.hpp"
#include "plan/explain_planned.hpp"
#include "plan/volumes.hpp"

namespace gpu::plan {
namespace {

/// So often pods that do not start are tried again.
constexpr int kMostPasses = 4;

/// One run. Refers to all that it is made of.
class Run {
 public:
  Run(Filling& filling, TieBreak ties, Detail detail, const diagnose::ExplainOptions& options)
      : filling_(filling), ties_(ties), detail_(detail), options_(options) {}

  void fill(const AskedObject& object, std::vector<PartRun>& parts) {
    const Filling::Mark before = filling_.mark();
    for (const AskedPods& each : object.parts) fill(each, parts[each.row]);
    if (object.gang != Gang::whole || may_start(object, parts)) return;
    filling_.back_to(before);
    for (const AskedPods& each : object.parts) {
      PartRun& part = parts[each.row];
      part.room_for = std::exchange(part.started, 0);
      if (!part.stopped) part.stopped = incomplete(object);
      part.places.clear();
      part.stops.clear();
    }
  }

  /// Pods that start may be what others waited for: the scheduler tries these again. Whether one of
  /// them starts now.
  bool try_again(const AskedObject& object, std::vector<PartRun>& parts) {
    if (object.gang == Gang::whole) return false;
    bool has_started = false;
    for (const AskedPods& each : object.parts) {
      PartRun& part = parts[each.row];
      if (!part.stopped || each.planned.mistake || part.started >= each.admitted) continue;
      const std::int64_t before = part.started;
      fill(each, part);
      has_started = has_started || part.started > before;
    }
    return has_started;
  }

  void count_more(const AskedPods& asked, PartRun& part) {
    if (detail_ == Detail::starts || part.is_open || asked.planned.mistake || asked.opinion ||
        part.stopped)
      return;
    const Filling::Mark before = filling_.mark();
    std::int64_t more = 0;
    const std::int64_t first = asked.planned.count;
    while (more < kMostMore && filling_.start(pod_of(asked, first + more), ties_)) ++more;
    filling_.back_to(before);
    part.more = more;
  }

 private:
  /// Whether enough pods of a gang have room, or nobody knows how many do.
  static bool may_start(const AskedObject& object, const std::vector<PartRun>& parts) {
    std::int64_t started = 0;
    bool is_open = false;
    bool has_each = true;
    for (const AskedPods& each : object.parts) {
      const PartRun& part = parts[each.row];
      started += part.started;
      is_open = is_open || part.is_open;
      has_each = has_each && part.started >= each.planned.group.least_of_template.value_or(0);
    }
    return is_open || (has_each && started >= object.least);
  }

  /// Of a template that all fits, where others of its gang do not.
  static diagnose::Explanation incomplete(const AskedObject& object) {
    diagnose::Explanation why;
    why.code = diagnose::Code::gang_waiting;
    why.summary =
        object.least > object.pods()
            ? fmt::format("at least {} pods start together, and it has {}", object.least,
                          object.pods())
            : std::string("its pods start together, and there is not room for all that must");
    return why;
  }

  [[nodiscard]] Pod pod_of(const AskedPods& asked, std::int64_t number) const {
    Pod pod = asked.planned.pod;
    use_volume_claims(pod, {asked.planned.volume_claims, asked.planned.first_ordinal}, number,
                      filling_.cluster().snapshot());
    return pod;
  }

  /// From where it stopped, if it did.
  void fill(const AskedPods& asked, PartRun& part) {
    const PlannedPod& planned = asked.planned;
    const std::int64_t count = std::min({planned.count, asked.admitted, kMostTriedPods});
    if (planned.mistake) return explain(asked, part, planned.pod);
    part.stopped.reset();
    for (std::int64_t number = part.started; number < count; ++number) {
      const Pod pod = pod_of(asked, number);
      if (number > 0 && !takes_known(pod, {planned.volume_claims, planned.first_ordinal},
                                     filling_.cluster().snapshot())) {
        part.is_open = true;
        return;
      }
      part.tried = std::max(part.tried, number + 1);
      const std::optional<Started> started = filling_.start(pod, ties_);
      if (!started) return explain(asked, part, pod);
      ++part.started;
      ++part.places[started->node];
      part.is_by_chance = part.is_by_chance || started->is_by_chance;
      part.is_sure = part.is_sure && started->is_sure;
      part.stops.insert(part.stops.end(), started->stops.begin(), started->stops.end());
    }
    if (asked.admitted < planned.count)
      explain(asked, part, planned.pod);
    else if (planned.count > kMostTriedPods)
      part.is_open = true;
  }

  void explain(const AskedPods& asked, PartRun& part, const Pod& pod) {
    diagnose::Explanation why;
    if (detail_ != Detail::explained) {
      part.stopped = std::move(why);
      return;
    }
    options_.manifest = asked.planned.file;
    options_.template_at = asked.planned.template_at;
    why = explain_planned(filling_.cluster(), pod, options_);
    if (asked.planned.mistake) add_mistake(why, *asked.planned.mistake);
    if (asked.opinion && part.tried >= asked.admitted && !asked.planned.mistake)
      admission::add_queue_opinion(why, *asked.opinion);
    part.stopped = std::move(why);
  }

  Filling& filling_;
  TieBreak ties_;
  Detail detail_;
  diagnose::ExplainOptions options_;
};

}  // namespace

std::vector<PartRun> run_through(Filling& filling, const std::vector<AskedObject>& objects,
                                 TieBreak ties, Detail detail,
                                 const diagnose::ExplainOptions& options) {
  if (objects.empty()) return {};
  std::size_t rows = 0;
  for (const AskedObject& object : objects) rows += object.parts.size();
  std::vector<PartRun> parts(rows);
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts) filling.expect(each.planned.pod);
  const Filling::Mark start = filling.mark();
  Run run(filling, ties, detail, options);
  for (const AskedObject& object : objects) run.fill(object, parts);
  bool again = objects.size() > 1 || objects.front().parts.size() > 1;
  for (int pass = 0; again && pass < kMostPasses; ++pass) {
    again = false;
    for (const AskedObject& object : objects) again = run.try_again(object, parts) || again;
  }
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts) run.count_more(each, parts[each.row]);
  filling.back_to(start);
  return parts;
}

}  // namespace gpu::plan
