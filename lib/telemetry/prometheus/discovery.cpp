#include "telemetry/prometheus/discovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "kube/http/advice.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"
#include "telemetry/prometheus/query.hpp"
#include "telemetry/prometheus/service.hpp"

namespace gpu::telemetry {
namespace {

constexpr std::size_t kMostTried = 6;
constexpr std::string_view kNameIt =
    "name the one that scrapes the exporters:\n"
    "--prometheus-service NAMESPACE/NAME:PORT\n"
    "--prometheus-url https://prometheus.example.com";

class Discovery {
 public:
  explicit Discovery(kube::CollectContext& reading) : reading_(reading) {}

  PrometheusPlaces run() {
    if (!list_services()) return std::move(found_);
    if (services_.empty()) {
      found_.gaps.push_back(
          {.what = "no Prometheus was found in the cluster",
           .why = fmt::format("none of its {} Services looks like Prometheus, Thanos, "
                              "VictoriaMetrics, Mimir or Google's frontend",
                              listed_),
           .help = std::string(kNameIt),
           .cause = GapCause::absent});
      return std::move(found_);
    }
    add_route();
    add_proxied();
    if (found_.places.empty()) tell_of_silence();
    return std::move(found_);
  }

 private:
  /// False when they cannot be listed; the gap is there then.
  bool list_services() {
    kube::ListBatch batch(reading_.client(), "application/json",
                          [this](std::size_t bytes) { reading_.count_bytes(bytes); });
    batch.add(kube::list_path("/api/v1/services", {}),
              kube::ItemReader::of_objects("ServiceList",
                                           [this](const nlohmann::json& object) {
                                             ++listed_;
                                             if (auto service = prometheus_service_of(object))
                                               services_.push_back(std::move(*service));
                                           }),
              {.deadline = reading_.needs().metrics.deadline});
    const std::optional<Error> failed = failure_of(batch);
    if (failed)
      found_.gaps.push_back(
          {.what = "Prometheus cannot be looked for, as Services cannot be listed",
           .why = failed->message(),
           .help = failed->help() + (failed->help().empty() ? "" : "\nor ") + std::string(kNameIt),
           .help_form = kube::names_role(failed->message()) ? HelpForm::role : HelpForm::prose,
           .cause = failed->kind() == ErrorKind::forbidden ? GapCause::refused : GapCause::other});
    std::sort(services_.begin(), services_.end(),
              [](const PrometheusService& a, const PrometheusService& b) {
                return std::tie(a.rank, a.ns, a.name) < std::tie(b.rank, b.ns, b.name);
              });
    return !failed;
  }

  std::optional<Error> failure_of(kube::ListBatch& batch) const {
    try {
      const kube::Reply reply = batch.run().front();
      if (reply.ok()) return std::nullopt;
      return error_of(reply, reading_.client().connection());
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      return error;
    }
  }

  void add_route() {
    const auto openshift =
        std::find_if(services_.begin(), services_.end(),
                     [](const PrometheusService& service) { return service.wants_token; });
    if (openshift == services_.end()) return;
    std::variant<PrometheusPlace, NoPlace> place =
        place_of_route(reading_.client(), reading_.needs().metrics);
    if (auto* const there = std::get_if<PrometheusPlace>(&place)) {
      found_.places.push_back(std::move(*there));
    } else {
      NoPlace& none = std::get<NoPlace>(place);
      silent_.push_back({"OpenShift's Thanos",
                         {.why = std::move(none.why),
                          .help = std::move(none.help),
                          .help_form = none.help_form}});
    }
    // Its own Prometheus servers want the same token.
    std::erase_if(services_, [](const PrometheusService& service) {
      return service.wants_token || service.ns == "openshift-monitoring";
    });
  }

  void add_proxied() {
    std::vector<PrometheusPlace> places;
    for (std::size_t i = 0; i < services_.size() && i < kMostTried; ++i)
      places.push_back(place_of(services_[i], reading_.needs().metrics));
    std::vector<QueryResult> results = probe(reading_, places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (results[i].problem)
        silent_.push_back({places[i].name, std::move(*results[i].problem)});
      else
        found_.places.push_back(std::move(places[i]));
    }
  }

  /// One gap for all that were tried; the first that a role would open says how.
  void tell_of_silence() {
    Gap gap{.what = "no Prometheus in the cluster could be queried", .why = {}, .help = {}};
    for (const auto& [name, problem] : silent_) {
      gap.why += (gap.why.empty() ? "" : "; ") + name + ": " + problem.why;
      if (gap.help.empty() || problem.is_forbidden) {
        gap.help = problem.help;
        gap.help_form = problem.help_form;
      }
      if (problem.is_forbidden) gap.cause = GapCause::refused;
      if (problem.is_forbidden) break;
    }
    found_.gaps.push_back(std::move(gap));
  }

  kube::CollectContext& reading_;
  PrometheusPlaces found_;
  std::vector<PrometheusService> services_;
  std::size_t listed_ = 0;
  std::vector<std::pair<std::string, QueryProblem>> silent_;
};

}  // namespace

PrometheusPlaces prometheus_places(kube::CollectContext& reading) {
  const kube::MetricsNeeds& needs = reading.needs().metrics;
  PrometheusPlaces places;
  if (!needs.prometheus_url.empty()) {
    places.places.push_back(place_of_url(reading.client(), needs));
  } else if (!needs.prometheus_service.empty()) {
    places.places.push_back(place_of(prometheus_service_typed(needs.prometheus_service), needs));
  } else {
    places = Discovery(reading).run();
  }
  return places;
}

}  // namespace gpu::telemetry
