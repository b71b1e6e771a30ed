#include "cmd/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "checkup/run/checkup.hpp"
#include "cmd/doctor/machine.hpp"
#include "cmd/doctor/view.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cmd {
namespace {

/// The flags of `doctor`, as typed.
struct DoctorFlags {
  GlobalFlags global;
  MetricsFlags metrics;
  std::vector<std::string> words;
  std::vector<std::string> nodes;
};

/// How far back the check of idle GPUs looks.
constexpr std::chrono::hours kIdleWindow{24};

const OutputForms& doctor_forms() {
  static const OutputForms kForms = [] {
    OutputForms forms = table_forms();
    forms.jq = "kubectl gpu doctor -o json | jq -r '.items[] | select(.state == \"FAIL\").summary'";
    return forms;
  }();
  return kForms;
}

Candidates check_candidates(const std::vector<std::string>& typed) {
  Candidates candidates;
  for (const checkup::CheckInfo& each : checkup::checks())
    if (std::find(typed.begin(), typed.end(), each.name) == typed.end())
      candidates.push_back({std::string(each.name), std::string(each.says)});
  return candidates;
}

void add_doctor_flags(FlagSet& flags, DoctorFlags& to) {
  flags.words(&to.words).completes([&to](const Typing&) { return check_candidates(to.words); });
  flags.list("--node NODE", to.nodes).in(FlagGroup::filter).help("check only this node");
  add_metrics_flags(flags, to.metrics);
  add_format_flags(flags, to.global, doctor_forms());
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
  flags.at("--namespace").help("namespace to check if you cannot list the pods of all namespaces");
}

/// "device plugin" is how the screen calls it.
std::string as_named(const std::string& typed) {
  std::string name = lower_case(typed);
  std::replace_if(
      name.begin(), name.end(), [](char each) { return each == ' ' || each == '_'; }, '-');
  return name;
}

std::vector<std::string> checks_typed(const DoctorFlags& flags) {
  std::vector<std::string_view> known;
  for (const checkup::CheckInfo& each : checkup::checks()) known.push_back(each.name);
  std::vector<std::string> names;
  for (const std::string& word : flags.words) {
    std::string name = as_named(word);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const auto nearest = nearest_name(name, known);
      throw Error(ErrorKind::usage, fmt::format("there is no check `{}`", sanitize(word)),
                  nearest
                      ? fmt::format("a similar one is `{}`; checks are {}", *nearest, joined(known))
                      : "checks are " + joined(known));
    }
    names.push_back(std::move(name));
  }
  return names;
}

kube::Needs needs_of_doctor(const DoctorFlags& flags, const std::vector<std::string>& names,
                            const Env& env) {
  kube::Needs needs;
  needs.node_names = words_in(flags.nodes);
  if (!flags.nodes.empty() && needs.node_names.empty())
    throw Error(ErrorKind::usage, "the name of the node in --node is empty",
                "leave --node out to look at all nodes");
  needs.may_lack_nodes = true;
  needs.waiting_pods = true;
  const checkup::CheckNeeds of_checks = checkup::needs_of(names);
  needs.kinds = of_checks.kinds;
  needs.event_reasons = of_checks.event_reasons;
  needs.pod_selectors = of_checks.pod_selectors;
  needs.devices = kube::DeviceObjects::all;
  needs.server_version = true;
  needs.keep = checkup::is_of_interest;
  needs.also_pods_of = checkup::may_have_gpus;
  const MetricsOrigin origin = origin_of(flags.global);
  needs.metrics = metrics_needs(flags.metrics, origin, env.environment);
  const bool asks_prometheus = needs.metrics.choice == kube::MetricsChoice::automatic ||
                               needs.metrics.choice == kube::MetricsChoice::prometheus;
  if (asks_prometheus && origin == MetricsOrigin::cluster && !needs.metrics.since)
    needs.metrics.since = kIdleWindow;
  return needs;
}

std::string place_asked(const GlobalFlags& flags, const Env& env) {
  if (flags.from) return *flags.from;
  return place_of(kube::resolve_connection(flags.connection, {.environment = env.environment}));
}

DoctorAnswer answer_of(const DoctorFlags& flags, Commands all, const Env& env) {
  const std::vector<std::string> names = checks_typed(flags);
  Snapshot snapshot;
  DoctorAnswer answer;
  auto metrics = checkup::Surroundings::Metrics::asked;
  if (checkup::needs_of(names).needs_cluster) {
    kube::Needs needs = needs_of_doctor(flags, names, env);
    if (needs.metrics.choice == kube::MetricsChoice::none)
      metrics = checkup::Surroundings::Metrics::left_out;
    snapshot = read_snapshot(flags.global, std::move(needs), env);
    answer.place = place_asked(flags.global, env);
  }
  const checkup::Surroundings surroundings{.source = flags.global.from
                                                         ? checkup::Surroundings::Source::files
                                                         : checkup::Surroundings::Source::cluster,
                                           .metrics = metrics,
                                           .now = clock_of(flags.global, snapshot.taken_at, env),
                                           .hiding = hiding_programs(all, env.environment),
                                           .completion = completion_of(env.environment)};
  answer.source = surroundings.source;
  answer.found = checkup::check_up(snapshot, surroundings, names);
  answer.server_version = snapshot.server_version;
  answer.gaps = std::move(snapshot.gaps);
  return answer;
}

int run_doctor(const DoctorFlags& flags, Commands all, Env& env) {
  const report::Format format = format_of(flags.global, doctor_forms()).value();
  const report::Style style = out_style(flags.global, env);
  const DoctorAnswer answer = answer_of(flags, all, env);
  if (format == report::Format::text || format == report::Format::wide)
    env.out << doctor_text(answer, style);
  else
    env.out << report::render(doctor_report(answer), format, style);
  return answer.count(checkup::CheckState::failed) > 0 ? 1 : 0;
}

/// The checks stand in it, in the order in which they run.
std::string doctor_help(FlagSet& flags, std::string_view program) {
  std::string text = help_text(kDoctor.info, flags.all(), program) + "\nChecks:\n";
  for (const checkup::CheckInfo& each : checkup::checks())
    text += fmt::format("  {:<16}{}\n", each.name, each.says);
  return text;
}

BoundCommand bind_doctor(FlagSet& flags, Commands all) {
  auto typed = std::make_shared<DoctorFlags>();
  add_doctor_flags(flags, *typed);
  return {.run = [typed, all](Env& env) { return run_doctor(*typed, all, env); },
          .help = doctor_help};
}

}  // namespace

const Command kDoctor = {
    .info =
        {
            .name = "doctor",
            .usage = "doctor [CHECK...]",
            .summary = "Check the GPU stack, and say which numbers can be trusted",
            .examples = "doctor\n"
                        "doctor metrics  # one check, and those that it needs\n"
                        "doctor --node gpu-a4  # one node\n"
                        "doctor --from cluster.json.gz  # what a snapshot shows\n"
                        "doctor -o json | jq -r '.items[] | select(.state == \"FAIL\").summary'\n"
                        "doctor driver device-plugin  # exit code 1 where one fails",
        },
    .bind = bind_doctor,
    .answers = [] { return std::vector{check_form()}; },
};

}  // namespace gpu::cmd
