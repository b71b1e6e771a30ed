#include "kube/snapshot_writer.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/time.hpp"
#include "decode/trim.hpp"
#include "kube/snapshot_envelope.hpp"

namespace gpu::kube {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Text from a gap may be cut in the middle of a character.
std::string dumped(const auto& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

SnapshotWriter::SnapshotWriter(SnapshotFile& file, Names names) : file_(file) {
  if (names == Names::redacted) redactor_.emplace();
  file_.write(std::string(R"({"apiVersion":"kubectl-gpu/v1","kind":")") +
              std::string(kSnapshotKind) + R"(","redacted":)" + (redactor_ ? "true" : "false") +
              ",\"items\":[");
}

void SnapshotWriter::add(const json& object, std::string_view api_version, std::string_view kind) {
  const std::optional<json> kept = decode::trimmed(object, api_version, kind);
  if (!kept) return;
  ++counts_[std::string(kind)];
  if (!redactor_) return put_line(*kept);
  redactor_->learn(*kept);
  held_.push_back(kept->dump());
}

void SnapshotWriter::put_line(const json& object) {
  file_.write((std::exchange(has_lines_, true) ? ",\n" : "\n") + dumped(object));
}

void SnapshotWriter::finish(const Snapshot& snapshot) {
  if (redactor_) {
    redactor_->settle();
    for (const std::string& text : held_) put_line(redactor_->redacted(json::parse(text)));
    held_.clear();
  }
  Snapshot end;
  end.taken_at = snapshot.taken_at;
  end.server_version =
      redactor_ ? decode::Redactor::version(snapshot.server_version) : snapshot.server_version;
  end.node_sight = snapshot.node_sight;
  end.pod_sight = snapshot.pod_sight;
  end.slice_sight = snapshot.slice_sight;
  end.claim_sight = snapshot.claim_sight;
  for (const Gap& gap : snapshot.gaps)
    end.gaps.push_back(redactor_ ? redactor_->redacted(gap) : gap);
  put_end(std::move(end));
}

void SnapshotWriter::put_end(Snapshot snapshot) {
  ordered_json taken_at;
  if (snapshot.taken_at) taken_at = format_time(*snapshot.taken_at);
  ordered_json version;
  if (!snapshot.server_version.empty()) version = snapshot.server_version;
  file_.write("\n],\n\"takenAt\":" + dumped(taken_at) + ",\n\"serverVersion\":" + dumped(version) +
              ",\n\"sight\":" + dumped(sight_json(snapshot)) +
              ",\n\"gaps\":" + dumped(gaps_json(snapshot)) + "}\n");
}

}  // namespace gpu::kube
