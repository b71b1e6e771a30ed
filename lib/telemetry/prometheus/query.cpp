#include "telemetry/prometheus/query.hpp"

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <utility>

#include "decode/objects/status.hpp"
#include "kube/http/advice.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_path.hpp"
#include "telemetry/exporters/scrape.hpp"
#include "telemetry/prometheus/refusal.hpp"

namespace gpu::telemetry {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kProbeLimit{5'000};
constexpr std::string_view kOtherAddress =
    "where the API server does not get through, Prometheus' own address may be reached:\n"
    "--prometheus-url https://prometheus.example.com";
constexpr std::string_view kIsItThere =
    "does Prometheus' API begin there? the path before /api/v1 belongs to the address:\n"
    "--prometheus-service NAMESPACE/NAME:PORT/PATH, --prometheus-url https://HOST/PATH";

/// Of the series of all questions that are asked at once: more would not fit beside them.
constexpr std::size_t kMostStoredBytes = 256U << 20U;

/// One query under way: the callbacks hold references, so it does not move.
struct Running {
  Running(std::size_t& stored_by_all, std::function<void(Series&&)> sink)
      : all(stored_by_all),
        take(std::move(sink)),
        reader([this](Series&& one) { take ? take(std::move(one)) : store(std::move(one)); }) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() = default;

  void start() {
    forget();
    is_too_much = false;
    reader.start();
  }

  /// Half an answer may lack the newest of several series, so what is too much counts for nothing.
  void store(Series&& one) {
    if (is_too_much) return;
    const std::size_t size = stored_size(one);
    is_too_much = all + size > kMostStoredBytes;
    if (is_too_much) return forget();
    all += size;
    stored += size;
    series.push_back(std::move(one));
  }

  void forget() {
    series = {};
    all -= std::exchange(stored, 0);
  }

  std::size_t& all;                    ///< bytes of the series of all
  std::function<void(Series&&)> take;  ///< in place of storing; empty: they are stored
  std::size_t stored = 0;
  bool is_too_much = false;
  std::vector<Series> series;
  AnswerReader reader;
};

/// A query and where it goes.
struct Question {
  const PrometheusPlace* place = nullptr;
  std::string query;
  std::optional<Time> at = {};  ///< nothing: now
  std::function<void(Series&&)> take = {};
};

kube::Request request_for(Running& running, const Question& question, kube::CollectContext& reading,
                          milliseconds limit) {
  const PrometheusPlace& place = *question.place;
  std::vector<std::pair<std::string_view, std::string>> parameters = {{"query", question.query}};
  if (question.at)
    parameters.emplace_back("time", std::to_string(question.at->time_since_epoch().count()));
  for (const auto& [name, value] : place.parameters) parameters.emplace_back(name, value);
  return {
      .path = kube::query_path(place.path + "/api/v1/query", parameters),
      .on_start = [&running](std::string_view) { running.start(); },
      .on_data =
          [&running, &reading](std::string_view bytes) {
            reading.count_bytes(bytes.size());
            running.reader.feed(bytes);
          },
      .on_throttle = kube::OnThrottle::report,
      .limit = limit,
      .headers = place.headers,
      .answerer = place.outside ? kube::Answerer::api_server : kube::Answerer::behind_proxy,
      .deadline = reading.needs().metrics.deadline,
  };
}

bool is_html(const kube::Reply& reply) {
  return reply.content_type.starts_with("text/html") || reply.body.starts_with("<");
}

/// The answer to a request that failed, where Prometheus itself gave it.
PrometheusAnswer answer_in(const std::string& body) {
  AnswerReader reader([](Series&&) {});
  reader.start();
  reader.feed(body);
  return reader.finish();
}

bool is_refusal(const kube::Reply& reply) { return reply.status == 401 || reply.status == 403; }

/// An answer that is none of Prometheus' own.
QueryProblem stranger_problem(const kube::Reply& reply) {
  const std::string words = words_in(reply.body);
  return {.why = fmt::format("it answered {}{}", reply.status,
                             words.empty() ? ", and not as Prometheus does" : ": " + words),
          .help = speaks_of_tenants(words) ? tenant_help() : std::string(kIsItThere)};
}

/// What the API server says of the Service, or of its own proxy.
QueryProblem status_problem(const decode::Status& status, const kube::Reply& reply,
                            const kube::Connection& connection) {
  QueryProblem problem{.why = error_of(reply, connection).message(), .help = {}};
  if (status.code == 403 || status.reason == "Forbidden") {
    problem.is_forbidden = true;
    problem.help = role_help(status.message, connection);
    if (kube::names_role(status.message)) problem.help_form = HelpForm::role;
  } else if (status.code == 404) {
    problem.help = "kubectl get services -A shows what there is";
  } else {
    problem.help = kOtherAddress;
  }
  return problem;
}

QueryProblem proxied_problem(const kube::Reply& reply, const PrometheusPlace& place,
                             const kube::Connection& connection) {
  const std::optional<decode::Status> status = decode::status_from_body(reply.body);
  if (status && (!status->message.empty() || !status->reason.empty()))
    return status_problem(*status, reply, connection);
  if (is_refusal(reply)) return refusal_problem(reply, place);
  if (reply.status == 502 || reply.status == 503 || reply.status == 504)
    return {.why = fmt::format("the API server's proxy answered {}: {}", reply.status,
                               words_in(reply.body)),
            .help = std::string(kOtherAddress)};
  return stranger_problem(reply);
}

std::optional<QueryProblem> problem_of(const kube::Reply& reply, const PrometheusAnswer& answer,
                                       const PrometheusPlace& place,
                                       const kube::Connection& connection) {
  if (reply.status != 0 && is_html(reply) && !is_refusal(reply))
    return QueryProblem{.why = "it answered with HTML: a login page, or another program",
                        .help = std::string(kIsItThere)};
  if (reply.status >= 300 && reply.status < 400)
    return QueryProblem{
        .why = fmt::format("it answered {} and points elsewhere: a login page?", reply.status),
        .help = std::string(kIsItThere)};
  if (reply.error)
    return QueryProblem{.why = reply.error->message(),
                        .help = place.outside ? "is the address right, is a VPN needed? a private "
                                                "authority is named by SSL_CERT_FILE=FILE"
                                              : std::string(kOtherAddress)};
  if (answer.is_prometheus && !answer.problem.empty() && !is_refusal(reply))
    return QueryProblem{.why = "it says " + answer.problem,
                        .help = speaks_of_tenants(answer.problem) ? tenant_help() : ""};
  if (reply.ok() && answer.is_prometheus) return std::nullopt;
  if (reply.ok())
    return QueryProblem{.why = "it is not Prometheus that answers: the answer is " + answer.problem,
                        .help = std::string(kIsItThere)};
  if (!place.outside) return proxied_problem(reply, place, connection);
  return is_refusal(reply) ? refusal_problem(reply, place) : stranger_problem(reply);
}

QueryResult result_of(Running& running, const kube::Reply& reply, const PrometheusPlace& place,
                      const kube::Connection& connection) {
  QueryResult result;
  result.answer = reply.ok() ? running.reader.finish() : answer_in(reply.body);
  result.problem = problem_of(reply, result.answer, place, connection);
  if (!result.problem && running.is_too_much)
    result.problem = QueryProblem{
        .why = fmt::format("an answer is left out, as with it there would be over {} MiB of series",
                           kMostStoredBytes >> 20U),
        .help = "does it hold several clusters? name one that knows this alone"};
  if (!result.problem) result.series = std::move(running.series);
  return result;
}

std::vector<QueryResult> results_of(kube::CollectContext& reading, kube::Client& client,
                                    const std::vector<Question>& questions, milliseconds limit) {
  std::size_t stored = 0;
  std::deque<Running> running;
  for (const Question& question : questions) running.emplace_back(stored, question.take);
  std::vector<kube::Request> requests;
  requests.reserve(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i)
    requests.push_back(request_for(running[i], questions[i], reading, limit));
  std::vector<QueryResult> results(questions.size());
  try {
    const std::vector<kube::Reply> replies = client.fetch(requests);
    for (std::size_t i = 0; i < replies.size(); ++i)
      results[i] = result_of(running[i], replies[i], *questions[i].place, client.connection());
  } catch (const Error& error) {
    // One that is too large ends them all: what came before it may be only half of the truth.
    if (error.kind() != ErrorKind::data) throw;
    for (QueryResult& result : results) result.problem = QueryProblem{error.message(), {}};
  }
  return results;
}

}  // namespace

std::vector<QueryResult> ask(kube::CollectContext& reading, const PrometheusPlace& place,
                             const std::vector<std::string>& queries, milliseconds limit) {
  std::vector<Question> questions;
  questions.reserve(queries.size());
  for (const std::string& query : queries) questions.push_back({&place, query});
  return results_of(reading, place.outside ? *place.outside : reading.client(), questions, limit);
}

std::vector<QueryResult> ask(kube::CollectContext& reading, const PrometheusPlace& place,
                             const std::vector<StreamedQuery>& queries, milliseconds limit) {
  std::vector<Question> questions;
  questions.reserve(queries.size());
  for (const StreamedQuery& each : queries)
    questions.push_back({&place, each.query, each.at, each.take});
  return results_of(reading, place.outside ? *place.outside : reading.client(), questions, limit);
}

std::vector<QueryResult> probe(kube::CollectContext& reading,
                               const std::vector<PrometheusPlace>& places) {
  std::vector<Question> questions;
  questions.reserve(places.size());
  for (const PrometheusPlace& place : places) questions.push_back({&place, "vector(1)"});
  return results_of(reading, reading.client(), questions, kProbeLimit);
}

}  // namespace gpu::telemetry
