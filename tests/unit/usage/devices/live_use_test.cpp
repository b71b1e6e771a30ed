#include "usage/devices/live_use.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace devices_live_use_test {

using namespace gpu;
using namespace gpu::usage;
using namespace std::chrono_literals;

namespace {

const std::optional<Time> kNow = parse_time("2026-11-01T10:00:00Z");

Snapshot with(std::vector<Sample> samples, const std::vector<Pod>& pods = {}) {
  Snapshot snapshot = make::snapshot({make::node("a", 8)}, pods);
  snapshot.samples = std::move(samples);
  return snapshot;
}

Sample at(Sample sample, std::chrono::seconds before) {
  sample.at = *kNow - before;
  return sample;
}

std::vector<std::string> users_of(const DeviceUse& device) {
  std::vector<std::string> names;
  for (const DeviceUser& user : device.users) names.push_back(user.pod->name);
  return names;
}

const Gap* gap_about(const LiveUse& live, std::string_view word) {
  for (const Gap& gap : live.gaps())
    if (gap.what.find(word) != std::string::npos) return &gap;
  return nullptr;
}

}  // namespace

TEST_CASE("two exporters that name one card are one device") {
  Sample other = make::card("a", 0, {});
  other.uuid = "a-0";  // nvidia_gpu_exporter writes no prefix
  other.measures = {.temperature_celsius = 60};
  Sample by_index = make::card("a", 0, {});
  by_index.uuid.clear();
  by_index.measures = {.last_xid = 31};
  Sample first = make::card("a", 0, 0.5);
  first.pci_bus_id = "00000000:C1:00.0";
  Sample by_address{.node = "a", .pci_bus_id = "0000:c1:00.0"};
  by_address.measures = {.sm_active = 0.25};
  const Snapshot snapshot = with({other, by_index, by_address, first, make::card("a", 1, 0.1)});
  const LiveUse live(snapshot, kNow);
  const auto& devices = live.devices_on("a");
  REQUIRE(devices.size() == 2);
  CHECK(devices[0].sample.uuid == "GPU-a-0");
  CHECK(devices[0].sample.measures.utilization == 0.5);
  CHECK(devices[0].sample.measures.temperature_celsius == 60);
  CHECK(devices[0].sample.measures.last_xid == 31);
  CHECK(devices[0].sample.measures.sm_active == 0.25);
  CHECK(devices[1].sample.index == 1);
  CHECK(live.devices_on("b").empty());
}

TEST_CASE("an index that two cards have joins nothing") {
  Sample replaced = make::card("a", 0, 0.5);
  replaced.uuid = "GPU-old";
  Sample by_index = make::card("a", 0, 0.7);
  by_index.uuid.clear();
  const Snapshot snapshot = with({make::card("a", 0, 0.5), replaced, by_index});
  CHECK(LiveUse(snapshot, kNow).devices_on("a").size() == 3);
}

TEST_CASE("an index does not join cards of different addresses") {
  Sample named = make::card("a", 0, 0.5);
  named.pci_bus_id = "0000:c1:00.0";
  Sample other{.node = "a", .index = 0, .pci_bus_id = "0000:c2:00.0"};
  const Snapshot snapshot = with({named, other});
  CHECK(LiveUse(snapshot, kNow).devices_on("a").size() == 2);
}

TEST_CASE("the newest value counts, and of one time the exporter's") {
  Sample query = at(make::card("a", 0, 0.2), 10s);
  query.source = MetricSource::prometheus;
  query.measures.temperature_celsius = 60;
  const Snapshot newer = with({at(make::card("a", 0, 0.9), 20s), query});
  const DeviceUse by_query = LiveUse(newer, kNow).devices_on("a").front();
  CHECK(by_query.sample.measures.utilization == 0.2);
  CHECK(by_query.sample.source == MetricSource::prometheus);
  CHECK(by_query.age == 10s);
  const Snapshot same = with({query, at(make::card("a", 0, 0.9), 10s)});
  const DeviceUse by_text = LiveUse(same, kNow).devices_on("a").front();
  CHECK(by_text.sample.measures.utilization == 0.9);
  CHECK(by_text.sample.measures.temperature_celsius == 60);
  CHECK(by_text.sample.source == MetricSource::exporter);
}

TEST_CASE("the age of what is shown is that of its oldest part") {
  Sample old = at(make::card("a", 0, 0.2), 90s);
  old.measures.temperature_celsius = 60;
  const Snapshot snapshot = with({old, at(make::card("a", 0, 0.9), 1s)});
  CHECK(LiveUse(snapshot, kNow).devices_on("a").front().age == 90s);
}

TEST_CASE("a total that is less than what is used is of another reckoning") {
  Sample used = at(make::card("a", 0, 0.2), 1s);
  used.measures.memory_used_bytes = std::int64_t{81} << 30;
  used.measures.memory_total_bytes.reset();
  const Snapshot snapshot = with({used, at(make::card("a", 0, 0.2), 5s)});
  const Measures measures = LiveUse(snapshot, kNow).devices_on("a").front().sample.measures;
  CHECK(measures.memory_used_bytes == std::int64_t{81} << 30);
  CHECK_FALSE(measures.memory_total_bytes);
}

TEST_CASE("samples older than 5 minutes have no measures, and a gap says how old they are") {
  const Snapshot snapshot =
      with({at(make::card("a", 0, 0.2), 301s), at(make::card("a", 1, 0.2), 300s)});
  const LiveUse live(snapshot, kNow);
  const auto& devices = live.devices_on("a");
  CHECK(devices[0].is_stale);
  CHECK(devices[0].sample.measures == Measures{});
  CHECK_FALSE(devices[1].is_stale);
  CHECK(devices[1].age == 300s);
  const Gap* gap = gap_about(live, "too old");
  REQUIRE(gap != nullptr);
  CHECK(gap->what == "1 GPU has metrics that are too old to show");
  CHECK(gap->why == "a/0: 5m1s");
}

TEST_CASE("an old sample adds nothing to a new one") {
  Sample old = at(make::card("a", 0, 0.2), 1h);
  old.measures.temperature_celsius = 60;
  old.owners = {{.ns = "ml", .pod = "gone"}};
  const Snapshot snapshot = with({old, at(make::card("a", 0, 0.9), 1s)}, {make::pod("x", "a", 1)});
  const LiveUse live(snapshot, kNow);
  CHECK_FALSE(live.devices_on("a").front().sample.measures.temperature_celsius);
  CHECK(live.gaps().empty());
}

TEST_CASE("what is told of a window stays where the newest sample is old") {
  Sample old = at(make::card("a", 0, 0.2), 10min);
  old.source = MetricSource::prometheus;
  old.measures.average_utilization = 0.4;
  old.measures.highest_utilization = 0.9;
  old.measures.highest_memory_bytes = 7;
  old.measures.idle_for = 1h;
  const Measures window{
      .average_utilization = 0.4, .highest_utilization = 0.9, .highest_memory_bytes = 7};
  const Snapshot snapshot = with({old});
  const LiveUse live(snapshot, kNow);
  const DeviceUse& device = live.devices_on("a").front();
  CHECK(device.is_stale);
  CHECK(device.sample.measures == window);
  CHECK(gap_about(live, "too old") != nullptr);
  // Of what time the window is, is as unknown as what time it is now.
  CHECK(LiveUse(snapshot, std::nullopt).devices_on("a").front().sample.measures == Measures{});
}

TEST_CASE("without a clock a sample of a told time is no sample of now") {
  const Snapshot snapshot = with({at(make::card("a", 0, 0.2), 1s), make::card("a", 1, 0.3)});
  const LiveUse live(snapshot, std::nullopt);
  CHECK(live.devices_on("a")[0].is_stale);
  CHECK(live.devices_on("a")[1].sample.measures.utilization == 0.3);
  CHECK_FALSE(live.devices_on("a")[1].age);
}

TEST_CASE("a sample from the future tells nothing, and a gap says so") {
  Sample ahead = at(make::card("a", 0, 0.2), -61s);
  ahead.measures.average_utilization = 0.4;
  const Snapshot snapshot = with({ahead, at(make::card("a", 1, 0), -60s)});
  const LiveUse live(snapshot, kNow);
  CHECK_FALSE(live.devices_on("a")[0].age);
  CHECK(live.devices_on("a")[0].sample.measures == Measures{});
  CHECK(live.devices_on("a")[1].age == 0s);
  CHECK(live.devices_on("a")[1].sample.measures.utilization == 0.0);
  REQUIRE(live.gaps().size() == 1);
  CHECK(live.gaps()[0].what == "1 GPU has metrics of a time in the future");
  CHECK(live.gaps()[0].why == "a/0: dated 2026-11-01T10:01:01Z");
}

TEST_CASE("a sample from the future does not win") {
  Sample ahead = at(make::used_by(make::card("a", 0, 0.01), {"liar"}), -24h);
  ahead.exporter = "web/x";
  const Snapshot snapshot = with({ahead, at(make::used_by(make::card("a", 0, 0.9), {"x"}), 5s)},
                                 {make::pod("x", "a", 1), make::pod("liar", "a", 1)});
  const LiveUse live(snapshot, kNow);
  const DeviceUse& device = live.devices_on("a").front();
  CHECK(device.sample.measures.utilization == 0.9);
  CHECK(device.age == 5s);
  CHECK(users_of(device) == std::vector<std::string>{"x"});
  REQUIRE(live.gaps().size() == 1);
  CHECK(live.gaps()[0].why == "a/0: its metrics by web/x are dated 24h ahead");
}

TEST_CASE("power and temperature of MIG instances stay at their card, once") {
  Sample warm = make::slice("a", 0, "3", "1g.6gb", 0.8);
  warm.measures.temperature_celsius = 50;
  warm.measures.last_xid = 31;
  const Snapshot snapshot = with({make::slice("a", 0, "11", "1g.6gb", 0), warm});
  const LiveUse live(snapshot, kNow);
  const auto& devices = live.devices_on("a");
  REQUIRE(devices.size() == 3);
  CHECK(devices[0].sample.mig_instance.empty());
  CHECK(devices[0].sample.measures.power_watts == 100);
  CHECK(devices[0].sample.measures.temperature_celsius == 50);
  CHECK_FALSE(devices[0].sample.measures.utilization);
  CHECK(devices[1].sample.mig_instance == "3");
  CHECK_FALSE(devices[1].sample.measures.power_watts);
  CHECK(devices[1].sample.measures.utilization == 0.8);
  CHECK(devices[2].sample.mig_instance == "11");
  CHECK(devices[2].sample.measures.last_xid == 31);
  CHECK(devices[0].card == devices[2].card);
}

TEST_CASE("only a pod that is there, runs on that node and is no exporter is a user") {
  Pod done = make::pod("done", "a", 1);
  done.phase = "Succeeded";
  Pod again = make::pod("again", "a", 1);
  again.uid = "new";
  Sample sample = make::used_by(make::card("a", 0, 0.5), {"x", "done", "gone", "bare", "elsewhere",
                                                          "waits", "exporter", "again"});
  sample.owners.back().pod_uid = "old";
  sample.exporter = "ml/exporter";
  const Snapshot snapshot =
      with({sample}, {make::pod("x", "a", 1), done, again, make::pod("bare", "a", 0),
                      make::pod("elsewhere", "b", 1), make::pod("waits", "", 1),
                      make::pod("exporter", "a", 0)});
  const LiveUse live(snapshot, kNow);
  CHECK(users_of(live.devices_on("a").front()) == std::vector<std::string>{"x"});
  const Gap* gap = gap_about(live, "finished");
  REQUIRE(gap != nullptr);
  CHECK(gap->what == "metrics still name 2 pods that are finished or gone");
  CHECK(gap->why == "ml/again, ml/done");
  const Gap* none = gap_about(live, "no GPU");
  REQUIRE(none != nullptr);
  CHECK(none->what == "metrics name 2 pods that hold no GPU");
  CHECK(none->why == "ml/bare requests none, ml/gone is gone or requests none");
}

TEST_CASE("where not all pods were read, one that is missing is not gone") {
  Snapshot snapshot =
      with({make::used_by(make::card("a", 0, 0.5), {"x", "hidden"})}, {make::pod("x", "a", 1)});
  snapshot.pod_coverage = Coverage::partial;
  CHECK(LiveUse(snapshot, kNow).gaps().empty());
}

TEST_CASE("without pods nobody is judged") {
  const Snapshot snapshot = with({make::used_by(make::card("a", 0, 0.5), {"x"})});
  const LiveUse live(snapshot, kNow);
  CHECK(live.devices_on("a").front().users.empty());
  CHECK(live.gaps().empty());
}

TEST_CASE("of a device's owners the newest that one exporter named count") {
  Sample before = at(make::used_by(make::card("a", 0, 0.1), {"old"}), 60s);
  Sample now = at(make::used_by(make::card("a", 0, 0.5), {"new"}), 5s);
  Sample query = at(make::used_by(make::card("a", 0, 0.5), {"query"}), 1s);
  query.source = MetricSource::prometheus;
  Sample monitor = at(make::used_by(make::card("a", 0, {}), {"share"}), 9s);
  monitor.exporter = "hami/monitor";
  const Snapshot snapshot =
      with({before, now, query, monitor}, {make::pod("old", "a", 1), make::pod("new", "a", 1),
                                           make::pod("query", "a", 1), make::pod("share", "a", 1)});
  const LiveUse live(snapshot, kNow);
  CHECK(users_of(live.devices_on("a").front()) == std::vector<std::string>{"new", "share"});
}

TEST_CASE("all pods at 0 on a busy device are not measured") {
  Sample sample = make::used_by(make::card("a", 0, 0.7), {"x", "y"});
  sample.measures.memory_used_bytes = std::int64_t{9} << 30;
  for (SampleOwner& owner : sample.owners) {
    owner.own.utilization = 0;
    owner.own.memory_used_bytes = 0;
  }
  const std::vector<Pod> pods = {make::pod("x", "a", 1), make::pod("y", "a", 1)};
  const Snapshot unmapped = with({sample}, pods);
  const LiveUse live(unmapped, kNow);
  for (const DeviceUser& user : live.devices_on("a").front().users) {
    CHECK_FALSE(user.own.utilization);
    CHECK_FALSE(user.own.memory_used_bytes);
  }
  sample.owners[1].own.utilization = 0.7;
  sample.owners[1].own.memory_used_bytes = std::int64_t{9} << 30;
  const Snapshot mapped = with({sample}, pods);
  CHECK(LiveUse(mapped, kNow).devices_on("a").front().users[0].own.utilization == 0.0);
}

TEST_CASE("from one GiB on, a device is full enough to doubt pods that all hold 0") {
  const auto memory_of_user = [](std::int64_t bytes) {
    Sample sample = make::used_by(make::card("a", 0, 0.0), {"x"});
    sample.measures.memory_used_bytes = bytes;
    sample.owners[0].own.memory_used_bytes = 0;
    const Snapshot snapshot = with({sample}, {make::pod("x", "a", 1)});
    return LiveUse(snapshot, kNow).devices_on("a").front().users.at(0).own.memory_used_bytes;
  };
  constexpr std::int64_t kGiB = std::int64_t{1} << 30;
  CHECK(memory_of_user(kGiB - 1) == 0);
  CHECK_FALSE(memory_of_user(kGiB));
}

TEST_CASE("what was not believed stands in one gap") {
  Sample first = make::card("a", 0, {});
  first.doubts = {"use is 4294967295"};
  Sample second = make::slice("a", 1, "7", "1g.10gb", {});
  second.doubts = {"memory is -1", "power is 9e9"};
  Sample nameless{.node = "a", .uuid = "GPU-z", .doubts = {"w"}};
  const Snapshot snapshot = with({first, second, nameless});
  const LiveUse live(snapshot, kNow);
  REQUIRE(live.gaps().size() == 1);
  CHECK(live.gaps()[0].what == "4 values of metrics were not used");
  CHECK(live.gaps()[0].why ==
        "a/0: use is 4294967295, a/1:7: memory is -1, a/1:7: power is 9e9 and 1 more");
}

TEST_CASE("what looks wrong and is shown is no value that was not believed") {
  Sample cold = make::card("a", 0, {});
  cold.suspect = {"temperature is 0"};
  Sample again = cold;
  again.exporter = "ml/other";
  again.doubts = {"power is blank"};
  Sample third = again;
  third.exporter = "ml/third";
  const Snapshot snapshot = with({cold, again, third});
  const LiveUse live(snapshot, kNow);
  REQUIRE(live.gaps().size() == 2);
  CHECK(live.gaps()[0].what == "1 value of metrics was not used");
  CHECK(live.gaps()[0].why == "a/0: power is blank");
  CHECK(live.gaps()[1].what == "1 value of metrics is shown as reported, and suspect");
  CHECK(live.gaps()[1].why == "a/0: temperature is 0");
}

TEST_CASE("a host label is a node where one has that name") {
  Sample known = make::card("", 0, 0.5);
  known.host = "a";
  Sample unknown = make::card("", 1, 0.5);
  unknown.host = "dcgm-exporter-x";
  const Snapshot snapshot = with({known, unknown});
  const LiveUse live(snapshot, kNow);
  CHECK(live.devices_on("a").size() == 1);
  CHECK(live.devices_on("").empty());
}

TEST_CASE("metrics of a pod are of no device") {
  const Snapshot snapshot = with(
      {{.source = MetricSource::custom, .pod_only = "ml/x", .measures = {.utilization = 0.4}}});
  const LiveUse live(snapshot, kNow);
  REQUIRE(live.of_pod("ml", "x") != nullptr);
  CHECK(live.of_pod("ml", "x")->measures.utilization == 0.4);
  CHECK(live.of_pod("ml", "y") == nullptr);
}

}  // namespace devices_live_use_test
