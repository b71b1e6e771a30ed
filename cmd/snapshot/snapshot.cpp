#include "cmd/snapshot/snapshot.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "input/snapshot/writer.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::cmd {

namespace {

/// The flags of `snapshot`, as typed.
struct SnapshotFlags {
  GlobalFlags global;
  MetricsFlags metrics;
  std::string file;
  bool redact = false;
};

/// There is one form, and it is for machines.
void add_snapshot_flags(FlagSet& flags, SnapshotFlags& to) {
  flags.words(&to.file).completes([&to](const Typing&) {
    return to.file.empty() ? std::nullopt : std::optional(Candidates{});
  });
  flags.toggle("--redact", &to.redact)
      .in(FlagGroup::what)
      .help("replace names, addresses, labels and images with numbers");
  add_metrics_flags(flags, to.metrics);
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
}

/// "9 nodes, 31 pods, 2 resource slices".
std::string counted_kinds(const input::SnapshotWriter& writer) {
  struct Noun {
    std::string_view kind;
    std::string_view noun;
  };
  static constexpr std::array<Noun, 6> kNouns = {{{"Node", "node"},
                                                  {"Pod", "pod"},
                                                  {"ResourceSlice", "resource slice"},
                                                  {"ResourceClaim", "resource claim"},
                                                  {"DeviceClass", "device class"},
                                                  {"Scrape", "scrape"}}};
  std::int64_t others = 0;
  for (const auto& [kind, count] : writer.counts()) others += count;
  std::string text;
  for (const auto& [kind, noun] : kNouns) {
    const auto found = writer.counts().find(kind);
    const std::int64_t count = found == writer.counts().end() ? 0 : found->second;
    others -= count;
    const bool is_always_said = kind == "Node" || kind == "Pod";
    if (count == 0 && !is_always_said) continue;
    text += (text.empty() ? "" : ", ") + (kind == "DeviceClass" && count != 1
                                              ? fmt::format("{} device classes", count)
                                              : counted(count, noun));
  }
  if (others > 0) text += ", " + counted(others, "other object");
  return text;
}

std::string shown_size(std::uint64_t bytes) {
  constexpr std::uint64_t kKibi = 1024;
  if (bytes < kKibi) return fmt::format("{} bytes", bytes);
  if (bytes < kKibi * kKibi) return fmt::format("{} KiB", (bytes + kKibi / 2) / kKibi);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (kKibi * kKibi));
}

void say_what_was_written(const SnapshotFlags& flags, const input::SnapshotWriter& writer,
                          const input::SnapshotFile& file, const Snapshot& snapshot, Env& env) {
  const report::Style style = err_style(flags.global, env);
  std::vector<report::Note> gaps;
  for (const Gap& gap : snapshot.gaps) gaps.push_back({gap.what, gap.why, gap.help});
  env.err << report::render_gaps(gaps, style);
  const std::string name =
      flags.file == "-" ? "" : sanitize(std::filesystem::path(flags.file).filename().string());
  env.err << fmt::format("wrote {}{}{}, {}; {}\n", name, name.empty() ? "" : ": ",
                         counted_kinds(writer), shown_size(file.size()),
                         flags.redact ? "names are replaced" : "names are real, see --redact");
  if (file.names_left() > 0)
    env.err << fmt::format("note: the file had {}, which still {} what it held before\n",
                           counted(static_cast<std::int64_t>(file.names_left()), "other name"),
                           file.names_left() == 1 ? "has" : "have");
}

int run_snapshot(SnapshotFlags& flags, Env& env) {
  if (flags.file.empty())
    throw Error(ErrorKind::usage, "`snapshot` needs the name of a file",
                fmt::format("for example\n      {} snapshot cluster.json.gz", env.program));
  // What is mistaken in flags is found before the cluster is asked.
  err_style(flags.global, env);
  kube::MetricsNeeds metrics =
      metrics_needs(flags.metrics, origin_of(flags.global), env.environment);

  input::SnapshotFile file(flags.file, env.out);
  input::SnapshotWriter writer(file, flags.redact ? input::Names::redacted : input::Names::real);
  kube::Needs needs = kube::scheduling_needs();
  needs.kinds = needs.kinds | kPlanningKinds | kMovingKinds | kFittingKinds | kCostKinds |
                kForecastKinds | kQuotaKinds | ObjectKinds{ObjectKind::cluster_policy};
  needs.finished_pods = true;
  needs.waiting_pods = true;
  needs.owners = true;
  needs.keep = is_gpu_pod;
  needs.metrics = std::move(metrics);
  needs.on_object = [&](const nlohmann::json& object, std::string_view api_version,
                        std::string_view kind) { writer.add(object, api_version, kind); };
  Snapshot snapshot = read_snapshot(flags.global, std::move(needs), env);
  snapshot.taken_at = clock_of(flags.global, snapshot.taken_at, env);
  writer.finish(snapshot);
  file.finish();
  say_what_was_written(flags, writer, file, snapshot, env);
  return 0;
}

}  // namespace

const Command kSnapshot = {
    .info =
        {
            .name = "snapshot",
            .usage = "snapshot FILE[.gz]",
            .summary =
                "Save what every command reads, for later and for others: --from FILE reads it",
            .examples =
                "snapshot cluster.json.gz\n"
                "snapshot --redact cluster.json.gz  # to publish, without names and labels\n"
                "top --from cluster.json.gz\n"
                "snapshot --since 1d cluster.json.gz  # with idle times, from Prometheus\n"
                "snapshot --from cluster.json --redact public.json  # redact an existing file\n"
                "snapshot - | jq -r '.items[].kind' | sort | uniq -c",
        },
    .bind = bound<SnapshotFlags, add_snapshot_flags, run_snapshot>,
};

}  // namespace gpu::cmd
