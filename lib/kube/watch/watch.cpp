#include "kube/watch/watch.hpp"
#include "kube/collect/collect.hpp"
#include "kube/http/server_error.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kube/http/advice.hpp"
#include "kube/read/gpu_devices.hpp"

namespace gpu::kube {
namespace {

using std::chrono::milliseconds;

/// The versions of resource.k8s.io, the newest first.
constexpr std::array<std::string_view, 3> kVersions = {"v1", "v1beta2", "v1beta1"};

Snapshot start_of(const Needs& needs) {
  Snapshot start;
  if (needs.waiting_pods) start.waiting.emplace();
  start.node_coverage = Coverage::whole;
  if (needs.pod_lists != PodLists::none)
    start.pod_coverage = needs.only_namespace.empty() ? Coverage::whole : Coverage::partial;
  return start;
}

}  // namespace

Watch::Watch(Client& client, const Needs& needs, MetricsRhythm rhythm)
    : client_(client),
      needs_(needs),
      target_{LiveSnapshot(start_of(needs), needs.keep), {}, {}},
      metrics_(client, needs, rhythm) {
  fetcher_.emplace(client_.session());
  add(Kind::nodes, node_source(target_, needs_));
  if (needs_.pod_lists != PodLists::none)
    add(Kind::pods, pod_source(target_, needs_, needs_.only_namespace), needs_.only_namespace);
  start_slices();
  if (needs_.on_progress)
    client_.exchange_on_tick([this] { needs_.on_progress(target_.progress); });
}

Watch::~Watch() { client_.exchange_on_tick({}); }

void Watch::add(Kind kind, ReflectorSource source, const std::string& ns) {
  parts_.push_back(std::make_unique<Part>());
  parts_.back()->kind = kind;
  parts_.back()->ns = ns;
  parts_.back()->reflector = std::make_unique<Reflector>(std::move(source));
}

void Watch::start_slices() { add(Kind::slices, slice_source(target_, kVersions[version_])); }

void Watch::start_claims() {
  has_claims_ = true;
  target_.live.facts().claim_coverage = Coverage::none;
  add(Kind::claims, claim_source(target_, kVersions[version_], needs_.only_namespace));
  add(Kind::classes, class_source(target_, kVersions[version_]));
}

Changed Watch::take_changed() { return std::exchange(target_.changed, Changed::no); }

const Snapshot& Watch::snapshot(Time now) {
  target_.live.facts().taken_at = now;
  if (needs_.owners) owners_.read_new(client_, needs_, target_.live.facts());
  return target_.live.snapshot();
}

std::optional<Lost> Watch::lost() const {
  std::optional<Clock::time_point> since;
  for (const auto& part : parts_) {
    const auto lost = part->is_over ? std::nullopt : part->reflector->lost_since();
    if (lost && (!since || *lost < *since)) since = lost;
  }
  if (!since) return std::nullopt;
  return Lost{std::chrono::floor<std::chrono::seconds>(Clock::now() - *since), problem_};
}

void Watch::send_due(Clock::time_point now) {
  if (!has_claims_ && !target_.live.facts().slices.empty()) start_claims();
  for (const auto& part : parts_) {
    if (part->is_over || part->number || part->reflector->due().value_or(now) > now) continue;
    // First all lists: until then an error ends all, and of a watch it must not.
    if (!is_complete_ && part->reflector->has_listed()) continue;
    part->number = fetcher_->add(part->reflector->next_request());
  }
}

milliseconds Watch::until_due(Clock::time_point now) const {
  milliseconds longest = std::chrono::hours{1};
  for (const auto& part : parts_)
    if (!part->is_over && part->reflector->due() &&
        (is_complete_ || !part->reflector->has_listed()))
      longest = std::min(longest, std::chrono::ceil<milliseconds>(*part->reflector->due() - now));
  if (has_listed_all()) longest = std::min(longest, metrics_.until_due());
  return std::max(longest, milliseconds::zero());
}

void Watch::wait(milliseconds longest, int descriptor) {
  const Clock::time_point now = Clock::now();
  send_due(now);
  try {
    fetcher_->turn(std::min(longest, until_due(now)), descriptor);
    take_outcomes();
    if (has_listed_all() && metrics_.turn(target_.live.facts(), target_.exporters) == Changed::yes)
      target_.changed = Changed::yes;
    if (!is_complete_) complete();
  } catch (const Error& error) {
    if (!is_complete_ || error.kind() == ErrorKind::interrupted ||
        error.kind() == ErrorKind::forbidden)
      throw;
    lose_all(error);
  }
  check_size();
}

/// Events come for as long as we watch: a server that makes objects up would take all memory.
void Watch::check_size() {
  constexpr std::size_t kMostNodes = 150'000;  // as in one list
  constexpr std::size_t kMostPods = 1'000'000;
  if (target_.live.facts().nodes.size() <= kMostNodes && target_.live.pod_count() <= kMostPods)
    return;
  throw with_origin(Error(ErrorKind::data,
                          "the API server reports more than 150,000 nodes or 1,000,000 pods, "
                          "the most that are watched"),
                    client_.connection());
}

/// Whatever it was that broke: all begins anew where it stood.
void Watch::lose_all(const Error& error) {
  problem_ = error.message();
  fetcher_.emplace(client_.session());
  for (const auto& part : parts_) {
    part->number.reset();
    if (!part->reflector->due()) part->reflector->lose(Clock::now());
  }
}

void Watch::take_outcomes() {
  for (const Fetcher::Outcome& outcome : fetcher_->take_outcomes()) {
    // By index: what a reply brings may add parts.
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i]->number != outcome.number) continue;
      parts_[i]->number.reset();
      take(*parts_[i], outcome.reply);
      break;
    }
  }
}

void Watch::take(Part& part, const Reply& reply) {
  try {
    if (!part.reflector->take(reply, Clock::now())) take_failure(part, reply);
  } catch (const Error& error) {
    throw with_origin(error, client_.connection());
  }
  if (part.is_over || !part.reflector->has_listed()) return;
  Snapshot& facts = target_.live.facts();
  if (part.kind == Kind::slices) {
    facts.slice_coverage = Coverage::whole;
    // Claims can hold no GPU where nobody publishes one.
    if (!has_claims_ && facts.slices.empty()) facts.claim_coverage = Coverage::whole;
  }
  if (part.kind == Kind::claims)
    facts.claim_coverage = needs_.only_namespace.empty() ? Coverage::whole : Coverage::partial;
}

bool Watch::has_listed_all() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) {
    return part->is_over || part->reflector->has_listed();
  });
}

/// Once everything was read.
void Watch::complete() {
  const bool starts_claims = !has_claims_ && !target_.live.facts().slices.empty();
  if (starts_claims || !has_listed_all() || !metrics_.has_read()) return;
  check_names();
  say_which_namespaces();
  judge_pods();
  judge_slices();
  is_complete_ = true;
  target_.changed = Changed::yes;
  client_.exchange_on_tick({});
}

/// A kind that may not be read, or that the API does not serve.
void Watch::end(Part& part, const Reply& reply) {
  part.is_over = true;
  Snapshot& facts = target_.live.facts();
  if (part.reflector->has_listed()) return end_listed(part, reply);
  switch (part.kind) {
    case Kind::nodes:
      facts.node_coverage = Coverage::none;
      return add_gap("nodes cannot be listed, so models and sharing of GPUs are unknown", reply);
    case Kind::pods:
      if (needs_.only_namespace.empty()) return;  // see say_which_namespaces()
      facts.pod_coverage = Coverage::none;
      facts.waiting.reset();
      return add_gap("pods of the namespace " + part.ns + " cannot be listed", reply,
                     Missing::pods);
    case Kind::slices:
      if (reply.status != 404) {
        slices_refused_ = error_of(reply, client_.connection());
      } else if (version_ + 1 < kVersions.size()) {
        ++version_;
        start_slices();
      } else {
        facts.slice_coverage = facts.claim_coverage = Coverage::whole;
      }
      return;
    case Kind::claims:
      return add_gap("ResourceClaims cannot be listed, so which devices of DRA are held is unknown",
                     reply);
    case Kind::classes:
      return add_gap("DeviceClasses cannot be listed, so which resources DRA provides is unknown",
                     reply);
  }
}

/// A kind that may be listed and not watched, or not any more: what was read of it grows old, so it
/// is not known from now on.
void Watch::end_listed(const Part& part, const Reply& reply) {
  Snapshot& facts = target_.live.facts();
  switch (part.kind) {
    case Kind::nodes:
      return;  // ends all, see take_failure()
    case Kind::pods:
      target_.live.retain_pods({}, part.ns + "/");
      target_.changed = Changed::yes;
      pods_refused_ = error_of(reply, client_.connection());
      return say_which_namespaces();
    case Kind::slices:
      target_.live.retain_slices({});
      facts.slice_coverage = Coverage::none;
      return add_gap(
          "ResourceSlices cannot be watched, so which devices of DRA there are is unknown", reply);
    case Kind::claims:
      target_.live.retain_claims({});
      facts.claim_coverage = Coverage::none;
      return add_gap(
          "ResourceClaims cannot be watched, so which devices of DRA are held is unknown", reply);
    case Kind::classes:
      target_.live.retain_classes({});
      return add_gap("DeviceClasses cannot be watched, so which resources DRA provides is unknown",
                     reply);
  }
}

void Watch::add_gap(std::string what, const Reply& forbidden, Missing missing) {
  const Error error = error_of(forbidden, client_.connection());
  target_.live.facts().gaps.push_back(
      {.what = std::move(what), .why = error.message(), .help = error.help(), .missing = missing});
  target_.changed = Changed::yes;
}

/// Whether it matters that slices were refused.
void Watch::judge_slices() {
  if (!slices_refused_) return;
  Snapshot& facts = target_.live.facts();
  const bool has_claims = std::any_of(facts.pods.begin(), facts.pods.end(), [](const Pod& pod) {
    return pod.claim_references > 0 || !pod.extended_claim.empty();
  });
  std::string what;
  if (lacks_devices_of_labelled_nodes(facts))
    what = "whether DRA manages the GPUs of nodes without a device plugin is unknown";
  else if (has_claims)
    what = "ResourceSlices cannot be listed, so which GPUs pods hold by claims is unknown";
  if (what.empty()) return;
  facts.gaps.push_back({.what = std::move(what),
                        .why = slices_refused_->message(),
                        .help = slices_refused_->help()});
}

void Watch::check_names() const {
  if (needs_.node_names.empty()) return;
  Needs names_only;
  names_only.node_names = needs_.node_names;
  names_only.node_selector = needs_.node_selector;
  names_only.pod_lists = PodLists::none;
  // Throws for a name that there is not, with the nearest.
  static_cast<void>(collect(client_, names_only));
}

void Watch::take_failure(Part& part, const Reply& reply) {
  const bool is_refused = reply.status == 403 && !reply.error;
  const bool is_optional = part.kind != Kind::nodes && part.kind != Kind::pods;
  // What has been served is so again, once a server that was restarted has come to itself.
  const bool is_unserved = reply.status == 404 && !part.reflector->has_listed();
  if (is_optional && (is_refused || is_unserved)) return end(part, reply);
  if (is_refused && !is_complete_) {
    if (part.kind == Kind::pods && part.ns.empty()) {
      part.is_over = true;
      return start_pods_of_namespaces(reply);
    }
    // Someone who asks for one namespace gets an answer without nodes.
    if (part.kind == Kind::pods || !needs_.only_namespace.empty()) return end(part, reply);
  }
  const bool is_one_of_many = part.kind == Kind::pods && part.ns != needs_.only_namespace;
  if (is_refused && is_complete_ && is_one_of_many) return end(part, reply);
  const Error error = error_of(reply, client_.connection());
  if (!is_complete_ || is_refused) throw error;
  problem_ = reply.ok() ? part.reflector->problem() : error.message();
}

}  // namespace gpu::kube
