#include "cmd/shell/flags.hpp"

#include <array>
#include <string_view>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/platform.hpp"
#include "cmd/shell/progress.hpp"
#include "input/files/collect_from_files.hpp"
#include "kube/collect/collect.hpp"
#include "kube/http/client.hpp"

namespace gpu::cmd {
namespace {

struct NamedColor {
  std::string_view name;
  ColorChoice choice;
};
constexpr std::array<NamedColor, 3> kColors = {{{"auto", ColorChoice::automatic},
                                                {"always", ColorChoice::always},
                                                {"never", ColorChoice::never}}};

/// What `--terminal` means alone.
constexpr std::string_view kLikelySize = "auto";

std::vector<std::string_view> color_names() {
  std::vector<std::string_view> names;
  for (const NamedColor& color : kColors) names.push_back(color.name);
  return names;
}

/// kubectl has them; they change nothing here.
void add_ignored_flags(FlagSet& flags) {
  for (const std::string_view name : {"--cache-dir", "--vmodule", "--profile", "--profile-output",
                                      "--log-flush-frequency", "--kuberc"})
    flags.value(name, {});
  for (const std::string_view name : {"--match-server-version", "--warnings-as-errors"})
    flags.toggle(name, {});
}

std::string user_agent() {
  return std::string("kubectl-gpu/v") + KUBECTL_GPU_VERSION + " (" + platform_name() + ")";
}

ColorChoice color_of(const GlobalFlags& flags) {
  if (flags.no_color) return ColorChoice::never;
  for (const auto& [name, choice] : kColors)
    if (name == flags.color) return choice;
  throw Error(ErrorKind::usage, "there is no `--color=" + flags.color + "`",
              "it is " + listed(color_names(), "or"));
}

/// `--terminal` without a size: that of the terminal that somebody looks at, or one that a pager
/// can show.
TerminalSize likely_size(const Env& env) {
  constexpr std::size_t kUsualColumns = 100;
  if (env.out_terminal) return *env.out_terminal;
  if (const auto columns = parse_terminal_size(env.environment.get_or_empty("COLUMNS")))
    return *columns;
  if (env.err_terminal) return *env.err_terminal;
  return env.in_terminal.value_or(TerminalSize{.columns = kUsualColumns});
}

TerminalSize typed_size(const std::string& typed, const Env& env) {
  if (typed == kLikelySize) return likely_size(env);
  if (const auto size = parse_terminal_size(typed)) return *size;
  throw Error(ErrorKind::usage, "`--terminal=" + typed + "` is no size",
              "a size is 100 or 100x40: columns, and rows if they matter");
}

report::Style style_of(const GlobalFlags& flags, const Env& env,
                       const std::optional<TerminalSize>& real) {
  std::optional<TerminalSize> terminal = real;
  if (!flags.terminal.empty()) terminal = typed_size(flags.terminal, env);
  if (flags.plain) terminal.reset();
  report::Style style;
  if (terminal) style.width = terminal->columns;
  style.color = wants_color(color_of(flags), terminal.has_value(), env.environment);
  style.utf8 = !flags.ascii && is_utf8_locale(env.environment);
  style.headers = !flags.no_headers;
  return style;
}

template <class T>
T choice(const std::string& flag, const std::string& value,
         std::initializer_list<std::pair<std::string_view, T>> choices) {
  for (const auto& [name, result] : choices)
    if (name == value) return result;
  throw Error(ErrorKind::usage, "there is no `" + flag + "=" + value + "`");
}

}  // namespace

void add_unused_connection_flags(FlagSet& flags, GlobalFlags& global) {
  FlagSet of_others;
  add_connection_flags(of_others, global);
  for (const Flag& flag : of_others.all())
    (flag.takes_value() ? flags.value(flag.names(), {}) : flags.toggle(flag.names(), {}))
        .in(FlagGroup::hidden);
}

void add_connection_flags(FlagSet& flags, GlobalFlags& global) {
  kube::ConnectionFlags& to = global.connection;
  const auto value = [&](std::string_view names, Flag::Target target, const char* text) -> Flag& {
    return flags.value(names, target).in(FlagGroup::connection).help(text);
  };
  const auto list = [&](std::string_view names, std::vector<std::string>& target,
                        const char* text) {
    flags.list(names, target).in(FlagGroup::connection).help(text);
  };
  const auto toggle = [&](std::string_view names, Flag::Target target, const char* text) {
    flags.toggle(names, target).in(FlagGroup::connection).help(text);
  };
  value("--kubeconfig FILE", &to.kubeconfig, "kubeconfig file to use instead of KUBECONFIG").file();
  value("--context NAME", &to.context, "context of the kubeconfig to use");
  value("--cluster NAME", &to.cluster, "cluster of the kubeconfig to use");
  value("--user NAME", &to.user, "user of the kubeconfig to use");
  value("-n,--namespace NAME", &to.ns, "show only this namespace; the default is all")
      .in(FlagGroup::filter);
  value("-s,--server URL", &to.server, "address and port of the API server");
  value("--token TOKEN", &to.token, "bearer token for authentication to the API server");
  value("--username NAME", &to.username, "user name for basic authentication");
  value("--password PASSWORD", &to.password, "password for basic authentication");
  value("--as USER", &to.as, "user to impersonate for the operation");
  list("--as-group GROUP", to.as_groups, "group to impersonate");
  value("--as-uid UID", &to.as_uid, "UID to impersonate");
  list("--as-user-extra KEY=VALUE", to.as_user_extra, "attribute of the user to impersonate");
  value("--certificate-authority FILE", &to.certificate_authority,
        "file with the certificate of the certificate authority")
      .file();
  value("--client-certificate FILE", &to.client_certificate,
        "file with the client certificate for TLS")
      .file();
  value("--client-key FILE", &to.client_key, "file with the client key for TLS").file();
  toggle("--insecure-skip-tls-verify", &to.insecure_skip_tls_verify,
         "do not check the server's certificate, which is insecure");
  value("--tls-server-name NAME", &to.tls_server_name,
        "server name to use to check the server's certificate");
  value("--request-timeout TIME", &to.request_timeout,
        "time limit for a single request, such as 5s or 2m; 0 means no limit");
  toggle("--disable-compression", &to.disable_compression, "do not compress answers of the server");
  value("-v,--v LEVEL", &global.verbosity,
        "log level: 6 shows requests, 7 their headers, 8 answers; no level shows secrets");
  add_ignored_flags(flags);
}

void add_screen_flags(FlagSet& flags, GlobalFlags& to) {
  const auto toggle = [&](std::string_view names, Flag::Target target, const char* text) -> Flag& {
    return flags.toggle(names, target).in(FlagGroup::common).help(text);
  };
  flags.value("--color WHEN", &to.color)
      .in(FlagGroup::common)
      .choices(color_names())
      .help("when to use color: " + listed(color_names(), "or"));
  toggle("--no-color", &to.no_color, "the same as --color=never").in(FlagGroup::hidden);
  toggle("--ascii", &to.ascii, "use only ASCII characters");
  toggle("--plain", &to.plain, "print the form for pipes on a terminal, too");
  flags.value("--terminal SIZE", &to.terminal)
      .in(FlagGroup::common)
      .alone_means(std::string(kLikelySize))
      .help(
          "print the form for terminals in a pipe, too, as for less -R or watch -c; SIZE is the "
          "width, such as 100 or 100x40");
  flags.value("--now TIME", &to.now).help("RFC 3339");
  flags.value("--from FILE", &to.from)
      .in(FlagGroup::input)
      .file()
      .help("snapshot or `kubectl get -o json` file to read");
  flags.value("--wire FORM", &to.wire).help("protobuf or json");
  flags.value("--pod-lists HOW", &to.pod_lists).help("automatic, by-node, or one");
}

report::Style out_style(const GlobalFlags& flags, const Env& env) {
  return style_of(flags, env, env.out_terminal);
}

report::Style err_style(const GlobalFlags& flags, const Env& env) {
  return style_of(flags, env, env.err_terminal);
}

std::optional<Time> clock_of(const GlobalFlags& flags, const std::optional<Time>& taken_at,
                             const Env& env) {
  if (!flags.now.empty()) {
    const std::optional<Time> now = parse_time(flags.now);
    if (!now)
      throw Error(ErrorKind::usage, "`--now=" + flags.now + "` is no time",
                  "a time is written as 2026-11-01T12:00:00Z");
    return now;
  }
  if (!flags.from || *flags.from == "-") return taken_at ? taken_at : env.now();
  return taken_at;
}

void apply_reading_flags(const GlobalFlags& flags, kube::Needs& needs) {
  using kube::PodLists;
  using kube::WireChoice;
  needs.wire = choice<kube::WireChoice>(
      "--wire", flags.wire,
      {{"protobuf", kube::WireChoice::protobuf}, {"json", kube::WireChoice::json}});
  const auto chosen = choice<kube::PodLists>("--pod-lists", flags.pod_lists,
                                             {{"automatic", kube::PodLists::automatic},
                                              {"by-node", kube::PodLists::by_node},
                                              {"one", kube::PodLists::one}});
  if (needs.pod_lists == kube::PodLists::automatic) needs.pod_lists = chosen;
}

kube::ClientOptions client_options(const GlobalFlags& flags, Progress& progress) {
  kube::ClientOptions options;
  options.user_agent = user_agent();
  options.verbosity = flags.verbosity;
  options.log = &progress.log();
  options.before_plugin = [&progress] { progress.erase(); };
  return options;
}

std::string place_of(const kube::Connection& connection) {
  return connection.context.empty() ? connection.server : connection.context;
}

Snapshot read_snapshot(const GlobalFlags& flags, kube::Needs needs, const Env& env) {
  if (flags.from) {
    if (flags.from->empty())
      throw Error(ErrorKind::usage, "`--from` needs the name of a file or folder",
                  "without `--from` the command reads the cluster");
    Progress progress(env, err_style(flags, env), *flags.from);
    needs.on_progress = [&](const kube::Progress& how_far) { progress.show(how_far); };
    return input::collect_from_files(*flags.from, needs);
  }
  apply_reading_flags(flags, needs);
  kube::Connection connection =
      kube::resolve_connection(flags.connection, {.environment = env.environment});
  needs.ns = connection.ns;
  Progress progress(env, err_style(flags, env), place_of(connection));
  if (flags.verbosity > 0) progress.end();
  needs.on_progress = [&](const kube::Progress& how_far) { progress.show(how_far); };
  kube::Client client(std::move(connection), env.environment, client_options(flags, progress));
  return kube::collect(client, needs);
}

}  // namespace gpu::cmd
