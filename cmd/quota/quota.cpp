#include "cmd/quota/quota.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/quota/view.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/quick_snapshot.hpp"
#include "cmd/shell/reader.hpp"
#include "kube/read/needs.hpp"
#include "quota/answer.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

/// The flags of `quota`, as typed.
struct QuotaFlags {
  GlobalFlags global;
  std::vector<std::string> words;
};

const OutputForms& quota_forms() {
  static const OutputForms kForms{
      .forms = table_forms().forms,
      .jq = "kubectl gpu quota -o json | jq -r '.items[] | [.name, .limit, .used] | @tsv'"};
  return kForms;
}

kube::Needs kinds_only() {
  return {.may_lack_nodes = true,
          .kinds = kQuotaKinds,
          .kinds_of_all_pods = true,
          .pod_lists = kube::PodLists::none};
}

Candidates names_for_tab(const GlobalFlags& flags, const Env& env) {
  const auto snapshot = quick_snapshot(flags, kinds_only(), env);
  Candidates candidates;
  if (!snapshot) return candidates;
  for (const std::string& name : quota::team_names(*snapshot))
    if (is_object_name(name)) candidates.push_back({name});
  return candidates;
}

void add_quota_flags(FlagSet& flags, QuotaFlags& to) {
  flags.words(&to.words).completes([&to](const Typing& typing) {
    return to.words.empty() ? names_for_tab(to.global, typing.env) : Candidates{};
  });
  add_format_flags(flags, to.global, quota_forms());
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
  flags.at("--namespace").help("show what limits this namespace, or the namespace of the TEAM");
}

/// What TEAM and -n mean together.
std::string team_of(const QuotaFlags& flags) {
  if (flags.words.size() > 1)
    throw Error(ErrorKind::usage, "`quota` shows one team at a time",
                "leave the others out, or leave all out to see everything");
  const std::string ns = flags.global.connection.ns.value_or("");
  if (flags.words.empty()) return ns;
  const std::string& word = flags.words.front();
  if (word.empty())
    throw Error(ErrorKind::usage, "the name of a team is empty", "leave it out to see everything");
  const bool is_whole = ns.empty() || word == ns || word.find('/') != std::string::npos;
  return is_whole ? word : ns + "/" + word;
}

kube::Needs needs_of(const QuotaFlags& flags) {
  kube::Needs needs = kinds_only();
  needs.ns = flags.global.connection.ns.value_or("");
  needs.devices = kube::DeviceObjects::all;
  needs.pod_lists = kube::PodLists::all;
  needs.waiting_pods = true;
  needs.owners = true;
  // Who may not make pods; whether they then did is read where somebody may not.
  needs.event_reasons = {"FailedCreate"};
  needs.server_version = true;
  needs.keep = [](const Pod&) { return true; };
  return needs;
}

std::vector<Gap> gaps_for(const Snapshot& snapshot) {
  std::vector<Gap> gaps;
  for (const Gap& gap : snapshot.gaps)
    if (gap.about != GapTopic::use && gap.about != GapTopic::jobs) gaps.push_back(gap);
  return gaps;
}

/// Files do not say what they leave out; of a cluster, a gap does.
void say_what_was_not_read(const quota::QuotaAnswer& answer, const std::vector<Gap>& gaps,
                           const report::Style& style, Env& env) {
  const bool is_said = std::any_of(
      gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.about == GapTopic::scheduling; });
  if (answer.unseen.empty() || is_said) return;
  env.err << report::render_note(
      "not read everywhere, so not all is shown: " + joined(answer.unseen), style);
}

/// Where not all was read, that nothing limits GPUs would be a guess.
std::string empty_text(const std::string& team, const quota::QuotaAnswer& answer) {
  const std::string_view what =
      answer.unseen.empty() ? "nothing limits GPUs" : "nothing that was read limits GPUs";
  return team.empty() ? fmt::format("{} here", what)
                      : fmt::format("{} of {}", what, sanitize(team));
}

int run_quota(QuotaFlags& flags, Env& env) {
  const report::Format format =
      format_of(flags.global, quota_forms()).value_or(report::Format::text);
  const std::string team = team_of(flags);
  Snapshot snapshot = read_snapshot(flags.global, needs_of(flags), env);
  snapshot.taken_at = clock_of(flags.global, snapshot.taken_at, env);
  const quota::QuotaAnswer answer = quota::quota_answer(snapshot, team);
  const std::vector<Gap> gaps = gaps_for(snapshot);
  report::Report report = quota_report(answer, gaps);
  if (answer.rows.empty()) report.empty_text = empty_text(team, answer);
  const report::Style out = out_style(flags.global, env);
  const report::Style err = err_style(flags.global, env);
  env.out << report::render(report, format, out);
  const Reader reader = reader_of(format, flags.global, env);
  if (reader == Reader::people) {
    const std::string text = quota_text(answer, out);
    if (!text.empty()) env.out << (answer.rows.empty() ? "" : "\n") << text;
  }
  env.out.flush();
  // A pipe gets rows alone; what is to be said of them goes beside.
  if (reader == Reader::pipe) env.err << quota_text(answer, err);
  const bool is_text = format == report::Format::text || format == report::Format::wide;
  if (is_text && !report.empty_text.empty()) env.err << report.empty_text << '\n';
  env.err << report::render_gaps(report.gaps, err);
  if (is_text) say_what_was_not_read(answer, gaps, err, env);
  return quota::has_wrong(answer) ? 1 : 0;
}

/// What stands in the table, in the words of help.
constexpr std::string_view kColumnHelp = R"(
Columns:
  LIMIT           hard of a ResourceQuota, nominalQuota of Kueue, capability of Volcano, limit of KAI
  DESERVED        of Volcano and KAI: what other queues cannot keep
  USED            requested by pods, or reserved for workloads
  FREE            what could still be had, with what may be borrowed
  WAITING         `2 for 9` means that 2 workloads wait for 9 GPUs; a ResourceQuota refuses pods instead
  STATE           full, over, closed, ...; `ignored` means that nothing counts the key, `missing` that what
                  it names does not exist, `no nodes` that none has the resource or the labels now
)";

std::string quota_help(FlagSet& flags, std::string_view program) {
  return help_text(kQuota.info, flags.all(), program) + std::string(kColumnHelp) +
         "\nExit code 1: a limit counts nothing, names what does not exist, or is exceeded.\n";
}

BoundCommand bind_quota(FlagSet& flags, Commands /*all*/) {
  auto typed = std::make_shared<QuotaFlags>();
  add_quota_flags(flags, *typed);
  return {.run = [typed](Env& env) { return run_quota(*typed, env); }, .help = quota_help};
}

}  // namespace

const Command kQuota = {
    .info =
        {
            .name = "quota",
            .usage = "quota [TEAM]",
            .summary = "Show what limits GPUs, who is at the limit, and who waits for whom",
            .examples = "quota\n"
                        "quota ml  # a namespace, a queue of Kueue, Volcano or KAI, or a cohort\n"
                        "quota -n ml main  # the LocalQueue main of namespace ml\n"
                        "quota -o wide  # with what may be borrowed\n"
                        "quota -o json | jq '.summary.promises[] | select(.isTooMuch)'\n"
                        "quota --from cluster.json.gz  # made by: kubectl gpu snapshot",
        },
    .bind = bind_quota,
    .answers = [] { return std::vector{quota_form()}; },
};

}  // namespace gpu::cmd
