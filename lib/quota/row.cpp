#include "quota/row.hpp"

namespace gpu::quota {
namespace {

template <class T>
bool differ(const std::optional<T>& one, const std::optional<T>& other) {
  return one && other && *one != *other;
}

}  // namespace

std::string_view kind_of(Limiter limiter) {
  switch (limiter) {
    case Limiter::resource_quota:
      return "ResourceQuota";
    case Limiter::cohort:
      return "Cohort";
    case Limiter::cluster_queue:
      return "ClusterQueue";
    case Limiter::local_queue:
      return "LocalQueue";
    case Limiter::volcano_queue:
    case Limiter::kai_queue:
      return "Queue";
    case Limiter::name_space:
      return "Namespace";
  }
  return "";
}

std::string_view system_of(Limiter limiter) {
  switch (limiter) {
    case Limiter::resource_quota:
    case Limiter::name_space:
      return "kubernetes";
    case Limiter::cohort:
    case Limiter::cluster_queue:
    case Limiter::local_queue:
      return "kueue";
    case Limiter::volcano_queue:
      return "volcano";
    case Limiter::kai_queue:
      return "kai";
  }
  return "";
}

std::string_view name_of(State state) {
  switch (state) {
    case State::ok:
      return "ok";
    case State::full:
      return "full";
    case State::over:
      return "over";
    case State::stopped:
      return "stopped";
    case State::no_effect:
      return "no-effect";
    case State::no_quota:
      return "no-quota";
    case State::unknown:
      return "unknown";
  }
  return "";
}

std::string_view name_of(Problem problem) {
  switch (problem) {
    case Problem::none:
      return "";
    case Problem::limits_of_extended:
      return "limits-of-extended-resource";
    case Problem::without_requests:
      return "without-requests";
    case Problem::not_advertised:
      return "not-advertised";
    case Problem::no_such_class:
      return "no-such-device-class";
    case Problem::no_such_flavor:
      return "no-such-flavor";
    case Problem::flavor_without_nodes:
      return "flavor-without-nodes";
    case Problem::not_on_flavor:
      return "not-on-flavor";
    case Problem::no_such_cluster_queue:
      return "no-such-cluster-queue";
    case Problem::wrong_group:
      return "wrong-group";
  }
  return "";
}

bool is_wrong(const QuotaRow& row) {
  // A resource that no node has now may come with the next node: a name that is near is a slip.
  const bool is_misspelt = row.problem == Problem::not_advertised && !row.suggestion.empty();
  return row.state == State::no_effect || row.state == State::over || is_misspelt ||
         row.problem == Problem::no_such_class;
}

bool differs(const QuotaRow& row) {
  const Figures& told = row.reported;
  const Figures& own = row.counted;
  return differ(told.used, own.used) || differ(told.admitted, own.admitted) ||
         differ(told.borrowed, own.borrowed) || differ(told.pending, own.pending) ||
         differ(told.reserving, own.reserving) || differ(told.running, own.running);
}

Quantity times(Quantity each, std::int64_t count) {
  if (each == Quantity::of(each.value())) return Quantity::of(capped_product(each.value(), count));
  return Quantity::of_milli(capped_product(each.milli_value(), count));
}

std::string full_name(const QuotaRow& row) {
  return row.ns.empty() ? row.name : row.ns + "/" + row.name;
}

}  // namespace gpu::quota
