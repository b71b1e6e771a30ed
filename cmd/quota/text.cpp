#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/time.hpp"
#include "cmd/quota/cells.hpp"
#include "cmd/quota/view.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

using quota::IdleHolder;
using quota::IdleReason;
using quota::Limiter;
using quota::Party;
using quota::Problem;
using quota::Promise;
using quota::QuotaAnswer;
using quota::QuotaRow;
using quota::Wait;

constexpr std::size_t kMostNames = 5;
constexpr std::size_t kMostLines = 10;

std::string place_of(Limiter limiter, const std::string& name) {
  return limiter_text(limiter) + " " + name;
}

/// "job/train in ml", or "ml/train-0" of a pod.
std::string name_of_party(const Party& party) {
  if (party.kind == "Pod") return party.ns + "/" + party.name;
  return fmt::format("{}/{} in {}", lower_case(party.kind), party.name, party.ns);
}

/// "job/train in ml (8, for 3h)"; of an owner whose pods are refused "job/train in ml (2 pods for
/// 8, for 3h)".
std::string waiting_text(const Party& party, const Wait& wait) {
  std::string text = party.units ? units_text(*party.units) : "?";
  if (wait.limiter == Limiter::resource_quota)
    text = party.missing_pods ? fmt::format("{} for {}", counted(*party.missing_pods, "pod"), text)
                              : fmt::format("1 pod or more, {} each", text);
  if (party.since) text += ", for " + human_duration(*party.since);
  return fmt::format("{} ({})", name_of_party(party), text);
}

/// What holds quota in several flavors stands once, with the sum: `add` adds the second to the
/// first.
template <class Holder, class KeyOf, class Add>
std::vector<Holder> merged(const std::vector<Holder>& holders, KeyOf key_of, Add add) {
  std::map<decltype(key_of(holders.front())), std::size_t> places;
  std::vector<Holder> all;
  for (const Holder& each : holders) {
    const auto [place, is_new] = places.emplace(key_of(each), all.size());
    if (is_new)
      all.push_back(each);
    else
      add(all[place->second], each);
  }
  return all;
}

std::vector<Party> merged(const std::vector<Party>& holders) {
  return merged(
      holders, [](const Party& it) { return std::tie(it.ns, it.kind, it.name, it.queue); },
      [](Party& sum, const Party& more) {
        if (sum.units && more.units) *sum.units += *more.units;
      });
}

std::vector<IdleHolder> merged(const std::vector<IdleHolder>& holders) {
  return merged(
      holders,
      [](const IdleHolder& it) { return std::tie(it.queue, it.ns, it.kind, it.name, it.resource); },
      [](IdleHolder& sum, const IdleHolder& more) { sum.units += more.units; });
}

std::string holder_text(const Party& party, const Wait& wait) {
  std::string text = party.units ? units_text(*party.units) : "?";
  if (party.queue != wait.queue && !party.queue.empty())
    text += ", by " + place_of(wait.limiter, party.queue);
  return fmt::format("{} ({})", name_of_party(party), text);
}

/// "2 workloads wait for 9 nvidia.com/gpu in ClusterQueue a", "ResourceQuota ml/gpus refuses 3 pods
/// that request 6 nvidia.com/gpu".
std::string headline_of(const Wait& wait) {
  std::int64_t count = 0;
  std::optional<Quantity> units = Quantity{};
  for (const Party& each : wait.waiting) {
    count += wait.limiter == Limiter::resource_quota ? each.missing_pods.value_or(1) : 1;
    if (units && each.units)
      *units += *each.units;
    else
      units.reset();
  }
  const std::string amount = units ? units_text(*units) : "?";
  if (wait.limiter == Limiter::resource_quota)
    return fmt::format("{} refuses {} {} {}", place_of(wait.limiter, wait.queue),
                       counted(count, "pod that requests", "pods that request"), amount,
                       wait.resource);
  const std::string_view noun = wait.limiter == Limiter::kai_queue ? "pod" : "workload";
  const std::string where =
      wait.queue.empty() ? "a queue that does not exist" : place_of(wait.limiter, wait.queue);
  return fmt::format("{} {} for {} {} in {}", counted(count, noun), count == 1 ? "waits" : "wait",
                     amount, wait.resource, where);
}

report::Note note_of(const Wait& wait) {
  std::vector<std::string> waiting;
  for (const Party& each : wait.waiting) waiting.push_back(waiting_text(each, wait));
  report::Note note{
      .what = fmt::format("{}: {}", headline_of(wait), few_and_rest(waiting, kMostNames)),
      .why = {},
      .help = {}};
  std::vector<std::string> holders;
  for (const Party& each : merged(wait.holders)) holders.push_back(holder_text(each, wait));
  const std::size_t more = static_cast<std::size_t>(wait.holders_left_out);
  if (!holders.empty()) {
    note.why = "its quota is held by " + few_and_rest(holders, kMostNames);
    if (holders.size() <= kMostNames && more > 0) note.why += fmt::format(" and {} more", more);
  } else if (!wait.waiting.empty() && !wait.waiting.front().reason.empty()) {
    note.why = wait.waiting.front().reason;
  }
  return note;
}

/// "48 H100-80G, 16 A100-40G".
std::string models_text(const Promise& promise) {
  std::vector<std::string> texts;
  for (const auto& [model, units] : promise.models)
    if (!model.empty() && units > 0) texts.push_back(fmt::format("{} {}", units, model));
  return few_and_rest(texts, kMostNames);
}

std::string_view limits_text(Limiter limiter) {
  switch (limiter) {
    case Limiter::resource_quota:
      return "ResourceQuotas";
    case Limiter::volcano_queue:
      return "Volcano's queues";
    case Limiter::kai_queue:
      return "KAI's queues";
    default:
      return "ClusterQueues";
  }
}

std::string promise_text(const Promise& promise) {
  const std::string models = models_text(promise);
  std::string text =
      fmt::format("{} add up to {} {}{}; nodes have {}", limits_text(promise.limiter),
                  units_text(promise.promised), resource_text(promise.resource, promise.unit),
                  promise.flavor.empty() ? "" : fmt::format(" in flavor {}", promise.flavor),
                  *promise.existing);
  if (!models.empty()) text += fmt::format(" ({})", models);
  return text;
}

/// What the key of a row is called: "limits.nvidia.com/gpu of ResourceQuota ml/gpus".
std::string key_of(const QuotaRow& row) {
  const std::string place = place_of(row.limiter, quota::full_name(row));
  if (row.limiter == Limiter::resource_quota) return row.key + " of " + place;
  if (row.limiter == Limiter::local_queue) return place;
  return fmt::format("{} in flavor {} of {}", row.resource, row.flavor, place);
}

std::string problem_text(const QuotaRow& row) {
  switch (row.problem) {
    case Problem::none:
      return {};
    case Problem::limits_of_extended:
      return "nothing counts " + key_of(row) + ": of GPUs a quota counts requests.* alone";
    case Problem::without_requests:
      return "nothing counts " + key_of(row) + ": it lacks \"requests.\" before the resource";
    case Problem::wrong_group:
      return "nothing counts " + key_of(row) + ": the API has no such kind in that group";
    case Problem::not_advertised:
      return key_of(row) + ": no node has that resource now";
    case Problem::no_such_class:
      return key_of(row) + ": that DeviceClass does not exist";
    case Problem::no_such_flavor:
      return key_of(row) + ": that ResourceFlavor does not exist, so the quota cannot be used";
    case Problem::flavor_without_nodes:
      return key_of(row) + ": no node has the labels of that flavor now";
    case Problem::not_on_flavor:
      return key_of(row) + ": the nodes of that flavor do not have that resource now";
    case Problem::no_such_cluster_queue:
      return fmt::format("{} admits nothing: its ClusterQueue {} does not exist", key_of(row),
                         row.parent);
  }
  return {};
}

/// Why a queue admits nothing, in a sentence.
std::string stop_sentence(const QuotaRow& row) {
  const std::string place = place_of(row.limiter, quota::full_name(row));
  if (row.stop == "Hold") return place + " is on hold (stopPolicy: Hold): it admits nothing";
  if (row.stop == "HoldAndDrain")
    return place +
           " is draining (stopPolicy: HoldAndDrain): it admits nothing and evicts what runs";
  if (row.stop == "Closed") return place + " is closed: it takes no new jobs";
  if (row.stop == "Closing")
    return place + " is closing: it takes no new jobs, and is closed once the last one has ended";
  return place + " is not active: Kueue admits nothing there";
}

std::string idle_text(const IdleHolder& idle) {
  const Party who{.ns = idle.ns, .kind = idle.kind, .name = idle.name};
  const std::string quota = fmt::format("{} {} of {}", units_text(idle.units), idle.resource,
                                        place_of(idle.limiter, idle.queue));
  const std::string held =
      idle.since ? fmt::format("has held {} for {}", quota, human_duration(*idle.since))
                 : "holds " + quota;
  const std::string name = name_of_party(who);
  switch (idle.reason) {
    case IdleReason::ended:
      return fmt::format(
          "{} has ended and still {}", name,
          idle.since ? fmt::format("holds {}, for {}", quota, human_duration(*idle.since)) : held);
    case IdleReason::no_pods:
      return fmt::format("{} {} and runs nothing: it has no pods", name, held);
    case IdleReason::not_seen:
      return fmt::format("{} {}, and no pod of it was seen", name, held);
    case IdleReason::not_bound:
      return fmt::format("{} {} and waits for a node", name, held);
  }
  return {};
}

/// What a controller wrote, and what is counted here: the first figure that differs.
std::string difference_text(const QuotaRow& row) {
  const auto text = [&](std::string_view what, const std::string& told, const std::string& own) {
    return fmt::format("the status of {} says {} {}{} {}; counted here: {}",
                       place_of(row.limiter, quota::full_name(row)), told, row.resource,
                       row.flavor.empty() ? "" : fmt::format(" in flavor {}", row.flavor), what,
                       own);
  };
  const auto& told = row.reported;
  const auto& own = row.counted;
  if (told.used && own.used && *told.used != *own.used)
    return text(row.limiter == Limiter::resource_quota ? "used" : "reserved",
                units_text(*told.used), units_text(*own.used));
  if (told.admitted && own.admitted && *told.admitted != *own.admitted)
    return text("admitted", units_text(*told.admitted), units_text(*own.admitted));
  if (told.borrowed && own.borrowed && *told.borrowed != *own.borrowed)
    return text("borrowed", units_text(*told.borrowed), units_text(*own.borrowed));
  const auto workloads = [&](std::string_view what, const std::optional<std::int64_t>& one,
                             const std::optional<std::int64_t>& other) {
    return one && other && *one != *other
               ? fmt::format("the status of {} says {} {}; counted here: {}",
                             place_of(row.limiter, quota::full_name(row)),
                             counted(*one, "workload"), what, *other)
               : std::string();
  };
  for (const std::string& said : {workloads("pending", told.pending, own.pending),
                                  workloads("with quota", told.reserving, own.reserving),
                                  workloads("admitted", told.running, own.running)})
    if (!said.empty()) return said;
  return {};
}

/// At most kMostLines of them, and how many more there are.
class Lines {
 public:
  Lines(std::string& out, const report::Style& style) : out_(out), style_(style) {}
  ~Lines() {
    if (count_ > kMostLines)
      out_ += report::render_note(
          fmt::format("{} more like these: -o json has all", count_ - kMostLines), style_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void warn(report::Note note) {
    if (++count_ <= kMostLines) out_ += report::render_gaps({std::move(note)}, style_);
  }
  void note(const std::string& text) {
    if (++count_ <= kMostLines) out_ += report::render_note(text, style_);
  }

 private:
  std::string& out_;
  const report::Style& style_;
  std::size_t count_ = 0;
};

void add_problems(std::string& out, const QuotaAnswer& answer, const report::Style& style) {
  Lines lines(out, style);
  for (const QuotaRow& row : answer.rows) {
    if (row.problem == Problem::none) continue;
    const std::string help = row.suggestion.empty()
                                 ? std::string()
                                 : fmt::format("write {} in its place", row.suggestion);
    lines.warn({.what = problem_text(row), .why = {}, .help = help});
  }
}

/// Once for a queue: it has a row for each flavor and resource.
void add_stops(std::string& out, const QuotaAnswer& answer, const report::Style& style) {
  Lines lines(out, style);
  std::set<std::string> said;
  for (const QuotaRow& row : answer.rows) {
    // One whose ClusterQueue is stopped says no reason of its own.
    if (row.state != quota::State::stopped || row.stop.empty()) continue;
    if (const std::string text = stop_sentence(row); said.insert(text).second) {
      if (row.waiting.value_or(0) > 0)
        lines.warn({.what = text, .why = {}, .help = {}});
      else
        lines.note(text);
    }
  }
}

void add_differences(std::string& out, const QuotaAnswer& answer, const report::Style& style) {
  Lines lines(out, style);
  // Of workloads a queue's status says the same in each of its rows.
  std::set<std::string> said;
  for (const QuotaRow& row : answer.rows) {
    if (row.limiter == Limiter::cohort || !quota::differs(row)) continue;
    if (const std::string text = difference_text(row); said.insert(text).second) lines.note(text);
  }
}

void add_not_counted(std::string& out, const QuotaAnswer& answer, const report::Style& style) {
  const std::vector<std::string> names = quota::not_counted(answer);
  if (names.empty()) return;
  out += report::render_note(
      fmt::format("not checked: what ResourceClaims request. USED of devices in {} {} is what its "
                  "status says",
                  names.size() == 1 ? "ResourceQuota" : "ResourceQuotas",
                  few_and_rest(names, kMostNames)),
      style);
}

}  // namespace

std::string quota_text(const QuotaAnswer& answer, const report::Style& style) {
  std::string out;
  {
    Lines lines(out, style);
    for (const Wait& wait : answer.waits) lines.warn(note_of(wait));
  }
  {
    Lines lines(out, style);
    // That nothing of it exists is a problem of the limit, said below.
    for (const Promise& promise : answer.promises)
      if (quota::is_too_much(promise) && *promise.existing > 0)
        lines.warn({.what = promise_text(promise), .why = {}, .help = {}});
  }
  add_problems(out, answer, style);
  add_stops(out, answer, style);
  {
    Lines lines(out, style);
    for (const IdleHolder& idle : merged(answer.idle))
      lines.warn({.what = idle_text(idle), .why = {}, .help = {}});
  }
  add_differences(out, answer, style);
  add_not_counted(out, answer, style);
  return out;
}

}  // namespace gpu::cmd
