#include "cmd/shell/metrics_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/ascii.hpp"
#include "base/duration.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "kube/config/files.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::cmd {
namespace {

using kube::MetricsChoice;
using std::chrono::seconds;

constexpr seconds kShortestWindow = std::chrono::minutes{1};
constexpr seconds kLongestWindow = std::chrono::days{90};

[[noreturn]] void refuse(std::string_view flag, std::string_view why, std::string help = "") {
  throw Error(ErrorKind::usage, fmt::format("`{}` {}", flag, why), std::move(help));
}

std::optional<seconds> window_of(std::string_view flag, const std::optional<std::string>& typed) {
  if (!typed) return std::nullopt;
  const std::optional<seconds> window = parse_duration(*typed);
  const std::string shown = fmt::format("{}={}", flag, *typed);
  if (!window) refuse(shown, "is no length of time", "lengths are 30m, 1h, 7d, 1d12h");
  if (*window < kShortestWindow || *window > kLongestWindow)
    refuse(shown, "is out of range", "it may be 1m to 90d");
  return window;
}

struct NamedSource {
  std::string_view name;
  kube::MetricsChoice choice;
};
constexpr std::array<NamedSource, 5> kSources = {{{"auto", kube::MetricsChoice::automatic},
                                                  {"exporter", kube::MetricsChoice::exporter},
                                                  {"prometheus", kube::MetricsChoice::prometheus},
                                                  {"custom", kube::MetricsChoice::custom},
                                                  {"none", kube::MetricsChoice::none}}};
/// Usual lengths of time, for Tab.
constexpr std::array<std::string_view, 4> kWindows = {"1h", "6h", "1d", "7d"};

std::vector<std::string_view> source_names() {
  std::vector<std::string_view> names;
  for (const NamedSource& source : kSources) names.push_back(source.name);
  return names;
}

kube::MetricsChoice choice_of(const std::optional<std::string>& typed) {
  if (!typed) return kube::MetricsChoice::automatic;
  for (const auto& [name, choice] : kSources)
    if (name == *typed) return choice;
  const std::vector<std::string_view> names = source_names();
  std::string help = "it is " + listed(names, "or");
  if (const auto nearest = nearest_name(*typed, names))
    help = fmt::format("a similar one is `{}`; {}", *nearest, help);
  throw Error(ErrorKind::usage, fmt::format("there is no `--metrics={}`", *typed), help);
}

/// A flag, whether it was typed, and the source that it is about.
struct Typed {
  std::string_view flag;
  bool is_typed = false;
  kube::MetricsChoice source = kube::MetricsChoice::automatic;
  std::string_view does;
};

std::array<Typed, 8> flags_about_sources(const MetricsFlags& flags) {
  constexpr kube::MetricsChoice kExporter = kube::MetricsChoice::exporter;
  constexpr kube::MetricsChoice kPrometheus = kube::MetricsChoice::prometheus;
  constexpr std::string_view kAsks = "queries Prometheus";
  constexpr std::string_view kNeeds = "needs Prometheus";
  return {{{"--exporter", !flags.exporters.empty(), kExporter, "queries an exporter"},
           {"--allow-exec", flags.allow_exec, kExporter, "replaces exporters"},
           {"--prometheus-url", flags.prometheus_url.has_value(), kPrometheus, kAsks},
           {"--prometheus-service", flags.prometheus_service.has_value(), kPrometheus, kAsks},
           {"--prometheus-header", !flags.prometheus_headers.empty(), kPrometheus, kAsks},
           {"--prometheus-token-file", flags.prometheus_token_file.has_value(), kPrometheus, kAsks},
           {"--since", flags.since.has_value(), kPrometheus, kNeeds},
           {"--idle", flags.idle.has_value(), kPrometheus, kNeeds}}};
}

/// A flag about a source that --metrics leaves out, or about a cluster that is not asked.
void check_sources(const MetricsFlags& flags, kube::MetricsChoice choice, MetricsOrigin origin) {
  for (const Typed& one : flags_about_sources(flags)) {
    if (!one.is_typed) continue;
    const bool is_about_time = one.flag == "--since" || one.flag == "--idle";
    if (origin == MetricsOrigin::files && !is_about_time)
      refuse(one.flag, "queries a cluster, `--from` reads files: leave out one");
    if (choice == kube::MetricsChoice::automatic || choice == one.source) continue;
    refuse(one.flag, fmt::format("{}, which `--metrics={}` leaves out: leave out one of the two",
                                 one.does, flags.metrics.value_or("auto")));
  }
}

/// "X-Scope-OrgID: team-a": a name that HTTP knows, and a value on one line.
void check_header(const std::string& typed) {
  const std::size_t colon = typed.find(':');
  const std::string name = typed.substr(0, colon);
  const bool has_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_';
  });
  const bool is_one_line = typed.find_first_of(std::string("\r\n\0", 3)) == std::string::npos;
  if (colon == std::string::npos || !has_name || !is_one_line)
    refuse("--prometheus-header", "needs a name and a value",
           "for example\n      --prometheus-header 'X-Scope-OrgID: team-a'");
  if (lower_case(name) == "authorization")
    refuse("--prometheus-header", "is seen by everybody on this machine: no place for a secret",
           "a token is read from a file\n      --prometheus-token-file FILE");
}

/// `url` with the scheme that it lacks: what listens on this machine seldom speaks TLS.
std::string with_scheme(const std::string& url) {
  const bool is_here = url.starts_with("localhost") || url.starts_with("127.") || url[0] == '[';
  return (is_here ? "http://" : "https://") + url;
}

void check_url(std::string_view what, const std::string& url) {
  const bool is_http = url.starts_with("http://") || url.starts_with("https://");
  const bool has_none = url.find("://") == std::string::npos;
  if (has_none && !url.empty() && url.find_first_of("@ ") == std::string::npos)
    refuse(what, "lacks its scheme, http:// or https://",
           fmt::format("write\n      {}{}{}", what, what.starts_with('-') ? ' ' : '=',
                       shell_quoted(with_scheme(url))));
  const std::size_t host = url.find("://") + 3;
  if (!is_http || host >= url.size())
    refuse(what, "is no address of Prometheus", "for example https://prometheus.example.com:9090");
  const std::string_view authority =
      std::string_view(url).substr(host, url.find_first_of("/?#", host) - host);
  if (authority.find('@') != std::string_view::npos)
    refuse(what, "has a user or password in it, which others can see",
           "a token is read from a file\n      --prometheus-token-file FILE");
}

/// A number that no port has; whether there is a port of such a name is the cluster's to say.
bool is_no_port(std::string_view port) {
  constexpr int kHighest = 65535;
  if (port.empty() || !std::all_of(port.begin(), port.end(), is_digit)) return false;
  if (port.size() > 5) return true;
  const int number = std::stoi(std::string(port));
  return number < 1 || number > kHighest;
}

void check_exporter(const std::string& typed) {
  const std::string port = telemetry::exporter_typed(typed).port;
  if (is_no_port(port))
    refuse("--exporter=" + typed, fmt::format("names the port {}, which cannot be", port),
           "a port is 1 to 65535, or the name that the pod gives it");
}

/// NS/NAME:PORT/PATH: whether there is such a Service is the cluster's to say.
void check_service(const std::string& typed) {
  const std::size_t slash = typed.find('/');
  const bool has_both = slash != std::string::npos && slash > 0 && slash + 1 < typed.size() &&
                        typed[slash + 1] != ':' && typed[slash + 1] != '/';
  if (!has_both)
    refuse("--prometheus-service=" + typed, "is not NAMESPACE/NAME:PORT",
           "for example monitoring/prometheus-operated:9090");
  const std::size_t end = std::min(typed.find('/', slash + 1), typed.size());
  const std::size_t colon = typed.rfind(':', end);
  if (colon == std::string::npos || colon < slash) return;
  const std::string port = typed.substr(colon + 1, end - colon - 1);
  if (is_no_port(port))
    refuse("--prometheus-service=" + typed, fmt::format("names the port {}, which cannot be", port),
           "a port is 1 to 65535, or the name that the Service gives it");
}

/// What a shell's `echo` or an editor leaves at the end of a file is no part of a token.
std::string trimmed(std::string text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.erase(text.find_last_not_of(kSpace) + 1);
  text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
  return text;
}

std::string token_of(const MetricsFlags& flags, const Environment& environment) {
  if (!flags.prometheus_token_file)
    return trimmed(environment.get_or_empty("KUBECTL_GPU_PROMETHEUS_TOKEN"));
  const kube::FileContent file = kube::read_file(*flags.prometheus_token_file);
  if (!file.ok())
    throw Error(ErrorKind::usage,
                fmt::format("cannot read the file of `--prometheus-token-file`: {}", file.problem));
  std::string token = trimmed(file.bytes);
  if (token.empty() || token.find_first_of(" \t\r\n") != std::string::npos)
    refuse("--prometheus-token-file", "names a file that holds no token");
  return token;
}

void read_prometheus_flags(const MetricsFlags& flags, const Environment& environment,
                           kube::MetricsNeeds& needs) {
  if (flags.prometheus_url && flags.prometheus_service)
    refuse("--prometheus-url", "and `--prometheus-service` are two ways: leave out one of the two");
  if (flags.prometheus_service) {
    check_service(*flags.prometheus_service);
    needs.prometheus_service = *flags.prometheus_service;
  } else if (flags.prometheus_url) {
    check_url("--prometheus-url", *flags.prometheus_url);
    needs.prometheus_url = *flags.prometheus_url;
  } else if (std::string url = environment.get_or_empty("KUBECTL_GPU_PROMETHEUS_URL");
             !url.empty()) {
    check_url("KUBECTL_GPU_PROMETHEUS_URL", url);
    needs.prometheus_url = std::move(url);
  }
  if (flags.prometheus_token_file && needs.prometheus_url.empty())
    refuse("--prometheus-token-file", "is for `--prometheus-url`, which is not given",
           "a Service of the cluster is queried with the kubeconfig's own credentials");
  if (!needs.prometheus_url.empty()) needs.prometheus_token = token_of(flags, environment);
  if (!needs.prometheus_token.empty() && needs.prometheus_url.starts_with("http://"))
    refuse(flags.prometheus_token_file ? "--prometheus-token-file" : "KUBECTL_GPU_PROMETHEUS_TOKEN",
           fmt::format("holds a token, and {} would carry it where others can read it",
                       needs.prometheus_url),
           "a token goes over https:// only: write https://, or leave the token out");
  for (const std::string& header : flags.prometheus_headers) check_header(header);
  needs.prometheus_headers = flags.prometheus_headers;
}

/// --idle implies a window of at least its own length.
std::optional<seconds> since_of(const MetricsFlags& flags) {
  const std::optional<seconds> since = window_of("--since", flags.since);
  const std::optional<seconds> idle = idle_of(flags);
  if (since && idle && *since < *idle)
    refuse("--idle=" + *flags.idle,
           fmt::format("is longer than `--since={}` looks back", *flags.since),
           "leave out `--since`: `--idle` looks back as far as it needs");
  return since ? since : idle;
}

}  // namespace

void add_metrics_flags(FlagSet& flags, MetricsFlags& to) {
  const auto value = [&](std::string_view name, Flag::Target target, std::string text) -> Flag& {
    return flags.value(name, target).in(FlagGroup::sources).help(std::move(text));
  };
  const auto list = [&](std::string_view name, std::vector<std::string>& target, const char* text) {
    flags.list(name, target).in(FlagGroup::sources).help(text);
  };
  value("--metrics SOURCE", &to.metrics, "source: " + listed(source_names(), "or"))
      .in(FlagGroup::live_use)
      .choices(source_names());
  value("--since TIME", &to.since, "also show averages over this time, such as 1h")
      .in(FlagGroup::live_use)
      .choices(kWindows);
  list("--exporter NS/POD:PORT", to.exporters, "also read this exporter");
  value("--prometheus-url URL", &to.prometheus_url,
        "Prometheus outside the cluster; the default is KUBECTL_GPU_PROMETHEUS_URL");
  value("--prometheus-service NS/NAME:PORT", &to.prometheus_service,
        "Prometheus in the cluster; the default is to search for it");
  list("--prometheus-header 'NAME: VALUE'", to.prometheus_headers,
       "header to send to Prometheus, for tenants");
  value("--prometheus-token-file FILE", &to.prometheus_token_file,
        "file with a bearer token for Prometheus; the default is KUBECTL_GPU_PROMETHEUS_TOKEN")
      .file();
  flags.toggle("--allow-exec", &to.allow_exec)
      .in(FlagGroup::sources)
      .help("run nvidia-smi by kubectl exec on nodes without an exporter");
}

void add_idle_flag(FlagSet& flags, MetricsFlags& to) {
  flags.value("--idle TIME", &to.idle)
      .in(FlagGroup::live_use)
      .choices(kWindows)
      .help("show only pods that were idle for this time");
}

MetricsOrigin origin_of(const GlobalFlags& flags) {
  return flags.from ? MetricsOrigin::files : MetricsOrigin::cluster;
}

std::optional<seconds> idle_of(const MetricsFlags& flags) {
  return window_of("--idle", flags.idle);
}

kube::MetricsNeeds metrics_needs(const MetricsFlags& flags, MetricsOrigin origin,
                                 const Environment& environment) {
  kube::MetricsNeeds needs;
  needs.choice = choice_of(flags.metrics);
  check_sources(flags, needs.choice, origin);
  for (const std::string& typed : flags.exporters) check_exporter(typed);
  needs.exporters = flags.exporters;
  needs.may_exec = flags.allow_exec;
  needs.since = since_of(flags);
  const bool may_ask_prometheus = needs.choice == kube::MetricsChoice::automatic ||
                                  needs.choice == kube::MetricsChoice::prometheus;
  if (may_ask_prometheus && origin == MetricsOrigin::cluster)
    read_prometheus_flags(flags, environment, needs);
  return needs;
}

}  // namespace gpu::cmd
