#include "cmd/watch/watch.hpp"

#include <optional>
#include <ostream>
#include <utility>

#include "base/error.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/progress.hpp"
#include "cmd/watch/pipe.hpp"
#include "cmd/watch/watch_screen.hpp"
#include "kube/watch/watch.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

/// Nobody types, or stdout has no whole screen to draw on.
bool has_screen(const GlobalFlags& flags, const Env& env) {
  const report::Format format = format_of(flags);
  return env.out_terminal && out_style(flags, env).width && format != report::Format::json &&
         env.environment.get_or_empty("TERM") != "dumb";
}

void run(const WatchedViews& views, const GlobalFlags& flags, Env& env) {
  kube::Connection connection =
      kube::resolve_connection(flags.connection, {.environment = env.environment});
  Progress progress(env, err_style(flags, env), place_of(connection));
  if (flags.verbosity > 0) progress.end();
  const WatchedView& view = views.views[views.first];
  kube::Needs needs = views.needs;
  apply_reading_flags(flags, needs);
  needs.ns = connection.ns;
  needs.on_progress = [&](const kube::Progress& how_far) { progress.show(how_far); };
  const bool has_plugin = connection.credentials.exec.has_value();
  std::function<void()> before_plugin;
  kube::ClientOptions options = client_options(flags, progress);
  options.before_plugin = [&] {
    progress.erase();
    if (has_plugin && before_plugin) before_plugin();
  };
  kube::Client client(std::move(connection), env.environment, std::move(options));
  kube::Watch feed(client, needs);
  while (!feed.is_complete()) feed.wait(std::chrono::hours{1});
  // Mistakes that only the answer shows are told before the screen is taken.
  static_cast<void>(view.report(feed.snapshot(env.now())));
  progress.end();
  if (!has_screen(flags, env)) return watch_in_pipe(feed, view, flags, env);
  progress.mute();
  watch_on_screen(feed, views, flags, env, before_plugin);
  progress.unmute();
}

}  // namespace

void check_watch_flags(const GlobalFlags& flags) {
  const report::Format format = format_of(flags);
  if (flags.from)
    throw Error(ErrorKind::usage,
                "`-w` needs a cluster to watch, and `--from` reads one moment of it",
                "leave out -w to see that moment, or --from to watch the cluster");
  if (format == report::Format::yaml || format == report::Format::csv ||
      format == report::Format::name)
    throw Error(ErrorKind::usage, "`-w` does not go with `-o " + flags.output + "`",
                "`-o json` prints the whole answer on one line after each change; without -o, and "
                "with `-o wide`, changed rows are printed");
}

int watch(const WatchedViews& views, const GlobalFlags& flags, Env& env) {
  try {
    run(views, flags, env);
    return 0;
  } catch (const Error& error) {
    // Ctrl-C is how one leaves: no error, but its exit code.
    if (error.kind() != ErrorKind::interrupted) throw;
    return exit_code(error.kind());
  }
}

}  // namespace gpu::cmd
