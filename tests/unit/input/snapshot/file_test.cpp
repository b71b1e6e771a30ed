#include "input/snapshot/file.hpp"
#include "input/files/collect_from_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.hpp"
#include "input/snapshot/envelope.hpp"
#include "input/snapshot/writer.hpp"
#include "kube/collect/collect.hpp"
#include "kube/folder.hpp"

namespace gpu::input::snapshot_file_test {

using namespace gpu::kube;
namespace {

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files_in(const test::Folder& folder) {
  const std::filesystem::directory_iterator all(folder.path());
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

nlohmann::json node_object(const std::string& name) {
  return {{"metadata", {{"name", name}}}, {"status", {{"capacity", {{"nvidia.com/gpu", "8"}}}}}};
}

/// A snapshot with two nodes, a pod, and a gap of each sort.
std::string write_snapshot(const test::Folder& folder, const std::string& name) {
  std::ostringstream out;
  SnapshotFile file(folder.at(name), out);
  SnapshotWriter writer(file, Names::real);
  writer.add(node_object("b"), "v1", "Node");
  writer.add(node_object("a"), "v1", "Node");
  writer.add({{"metadata", {{"name", "p"}, {"namespace", "n"}}}}, "v1", "Pod");
  writer.add({{"metadata", {{"name", "s"}}}}, "v1", "Secret");
  Snapshot snapshot;
  snapshot.taken_at = parse_time("2026-11-01T10:00:00Z");
  snapshot.server_version = "v1.36.1";
  snapshot.node_coverage = Coverage::whole;
  snapshot.pod_coverage = Coverage::partial;
  snapshot.slice_coverage = Coverage::whole;
  snapshot.gaps = {{.what = "pods", .why = "forbidden\xff", .help = "ask"}};
  writer.finish(snapshot);
  file.finish();
  CHECK(writer.counts().size() == 2);
  return folder.at(name);
}

}  // namespace

TEST_CASE("snapshot file: appears whole, with the mode of what was there") {
  const test::Folder folder;
  const std::string path = folder.write("x.json", "old");
  ::chmod(path.c_str(), 0640);
  std::ostringstream out;
  {
    SnapshotFile file(path, out);
    file.write("new");
    CHECK(content_of(path) == "old");
    file.finish();
    CHECK(file.size() == 3);
  }
  CHECK(content_of(path) == "new");
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  {
    SnapshotFile file(path, out);
    file.write("half");
  }
  CHECK(content_of(path) == "new");
  CHECK(files_in(folder) == 1);
  CHECK(out.str().empty());
}

TEST_CASE("snapshot file: a new one is for its owner alone, whatever its name's length") {
  const test::Folder folder;
  std::ostringstream out;
  for (const std::string& name : {std::string("x"), std::string(255, 'n')}) {
    SnapshotFile file(folder.at(name), out);
    file.write("new");
    file.finish();
    struct stat status {};
    REQUIRE(::stat(folder.at(name).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    CHECK(file.names_left() == 0);
  }
  std::filesystem::create_hard_link(folder.at("x"), folder.at("y"));
  SnapshotFile file(folder.at("x"), out);
  file.write("newer");
  file.finish();
  CHECK(file.names_left() == 1);
  CHECK(content_of(folder.at("y")) == "new");
}

TEST_CASE("snapshot file: what is open already is written on, not replaced") {
  const test::Folder folder;
  const std::string path = folder.write("app.log", "OLD\n");
  const int log = ::open(path.c_str(), O_WRONLY | O_APPEND);
  REQUIRE(log >= 0);
  std::ostringstream out;
  const std::string name = std::to_string(log);
  std::filesystem::create_symlink("/dev/fd/" + name, folder.at("to-log"));
  for (const std::string& way : {"/dev/fd/" + name, "/proc/self/fd/" + name, folder.at("to-log")}) {
    SnapshotFile file(way, out);
    file.write("x");
    file.finish();
  }
  ::close(log);
  CHECK(content_of(path) == "OLD\nxxx");
  CHECK(files_in(folder) == 2);
  CHECK_THROWS_AS(SnapshotFile("/dev/fd/999", out), Error);
}

TEST_CASE("snapshot file: a link to what is not there leads there, one in a circle nowhere") {
  const test::Folder folder;
  std::ostringstream out;
  std::filesystem::create_symlink("new.json", folder.at("link"));
  SnapshotFile file(folder.at("link"), out);
  file.write("new");
  file.finish();
  CHECK(std::filesystem::is_symlink(folder.at("link")));
  CHECK(content_of(folder.at("new.json")) == "new");
  std::filesystem::create_symlink("b", folder.at("a"));
  std::filesystem::create_symlink("a", folder.at("b"));
  CHECK_THROWS_AS(SnapshotFile(folder.at("a"), out), Error);
  CHECK(std::filesystem::is_symlink(folder.at("a")));
}

TEST_CASE("snapshot file: links stay, folders are refused, - is the stream") {
  const test::Folder folder;
  folder.write("real.json", "old");
  std::filesystem::create_symlink(folder.at("real.json"), folder.at("link.json"));
  std::ostringstream out;
  SnapshotFile linked(folder.at("link.json"), out);
  linked.write("new");
  linked.finish();
  CHECK(std::filesystem::is_symlink(folder.at("link.json")));
  CHECK(content_of(folder.at("real.json")) == "new");
  CHECK_THROWS_AS(SnapshotFile(folder.path(), out), Error);
  CHECK_THROWS_AS(SnapshotFile(folder.at("none/x.json"), out), Error);
  SnapshotFile stream("-", out);
  stream.write("text");
  stream.finish();
  CHECK(out.str() == "text");
}

TEST_CASE("snapshot file: what was written is read, packed or not") {
  const test::Folder folder;
  for (const char* const name : {"s.json", "s.json.gz"}) {
    const std::string path = write_snapshot(folder, name);
    CHECK((content_of(path).front() == '\x1f') == (std::string_view(name) == "s.json.gz"));
    std::vector<std::string> told;
    Needs needs;
    needs.keep = [](const Pod&) { return true; };
    needs.on_object = [&](const nlohmann::json&, std::string_view version, std::string_view kind) {
      told.push_back(std::string(version) + " " + std::string(kind));
    };
    const Snapshot read = collect_from_files(path, needs);
    CHECK(told == std::vector<std::string>{"v1 Node", "v1 Node", "v1 Pod"});
    REQUIRE(read.nodes.size() == 2);
    CHECK(read.nodes[0].name == "a");
    CHECK(read.pods.size() == 1);
    CHECK(read.taken_at == parse_time("2026-11-01T10:00:00Z"));
    CHECK(read.server_version == "v1.36.1");
    CHECK(read.node_coverage == Coverage::whole);
    CHECK(read.pod_coverage == Coverage::partial);
    CHECK(read.slice_coverage == Coverage::whole);
    CHECK(read.claim_coverage == Coverage::none);
    REQUIRE(read.gaps.size() == 1);
    CHECK(read.gaps[0].why == "forbidden\xef\xbf\xbd");
  }
}

TEST_CASE("snapshot file: what code has to know of gaps comes back") {
  const test::Folder folder;
  std::vector<Gap> gaps = {{.what = "plain", .why = "w", .help = "h"}};
  for (const GapTopic about : {GapTopic::owners, GapTopic::use, GapTopic::scheduling})
    gaps.push_back({.what = "topic", .why = "w", .help = "h", .about = about});
  for (const Missing missing :
       {Missing::pods, Missing::pods_of_file, Missing::metrics, Missing::window})
    gaps.push_back({.what = "m", .why = "w", .help = "h", .missing = missing, .nodes = {"a"}});
  for (const HelpForm form : {HelpForm::command, HelpForm::role})
    gaps.push_back({.what = "form", .why = "w", .help = "h", .help_form = form});
  for (const GapCause cause : {GapCause::refused, GapCause::absent})
    gaps.push_back({.what = "cause", .why = "w", .help = "h", .cause = cause});
  gaps.push_back({.what = "topic", .why = "w", .help = "h", .about = GapTopic::jobs});
  Snapshot snapshot;
  snapshot.gaps = gaps;
  const nlohmann::json written = nlohmann::json::parse(gaps_json(snapshot).dump());
  CHECK(written[0] == nlohmann::json({{"what", "plain"}, {"why", "w"}, {"help", "h"}}));
  CHECK(written[1].at("about") == "owners");
  CHECK(written[5].at("missing") == "podsOfFile");
  CHECK(written[8].at("helpForm") == "command");
  CHECK(written[10].at("cause") == "refused");
  const std::string begin =
      R"({"apiVersion":"kubectl-gpu/v1","kind":"Snapshot","items":[],"sight":{},"gaps":)";
  Needs needs;
  needs.owners = true;
  needs.kinds = kSchedulingKinds | kPlanningKinds | kCostKinds;
  needs.devices = kube::DeviceObjects::all;
  needs.metrics.choice = MetricsChoice::automatic;
  const auto read = [&](const std::string& text) {
    return collect_from_files(folder.write("gaps.json", begin + text + "}"), needs).gaps;
  };
  CHECK(read(written.dump()) == gaps);
  needs.kinds = kSchedulingKinds;  // nobody counts pods that are gone
  CHECK(read(written.dump()) == std::vector<Gap>(gaps.begin(), gaps.end() - 1));
  // Words of a later version mean nothing here, and an older one has fewer members.
  const std::string told = R"("what":"m","why":"w","help":"h")";
  CHECK(read("[{" + told + R"(,"about":"x","missing":"y","helpForm":"z"}])").at(0) ==
        Gap{.what = "m", .why = "w", .help = "h"});
  CHECK(read("[{" + told + R"(,"about":"use"}])").at(0).about == GapTopic::use);
}

TEST_CASE("snapshot file: a broken one says what is wrong") {
  const test::Folder folder;
  const auto error = [&](const std::string& text) {
    const std::string path = folder.write("broken.json", text);
    try {
      collect_from_files(path, {});
    } catch (const Error& thrown) {
      return thrown.message().substr(path.size() + 2);
    }
    return std::string("none");
  };
  const std::string begin = R"({"apiVersion":"kubectl-gpu/v1","kind":"Snapshot","items":[],)";
  CHECK(error(begin + R"("sight":{"nodes":"all"}})") ==
        "snapshot: sight.nodes: expected whole, partial, or none");
  CHECK(error(begin + R"("sight":{},"takenAt":"noon"})") ==
        "snapshot: takenAt: expected a time such as 2026-11-01T10:00:00Z");
  CHECK(error(begin + R"("sight":{},"gaps":[1]})") == "snapshot: gaps: expected objects");
  CHECK(error(begin + R"("redacted":false})") == "snapshot: sight: expected an object");
  CHECK(error(R"({"apiVersion":"kubectl-gpu/v9","kind":"Snapshot","items":[]})") ==
        "snapshot: apiVersion: expected kubectl-gpu/v1, the only one so far");
  const std::string packed = content_of(write_snapshot(folder, "whole.json.gz"));
  CHECK(error(packed.substr(0, packed.size() - 9)).find("cut off") != std::string::npos);
}

}  // namespace gpu::input::snapshot_file_test
