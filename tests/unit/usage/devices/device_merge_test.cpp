#include "usage/devices/device_merge.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace gpu::usage::devices_device_merge_test {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow{10'000s};

Sample at(Sample sample, std::chrono::seconds before) {
  sample.at = kNow - before;
  return sample;
}

std::vector<DeviceUse> merged(const std::vector<Sample>& samples) {
  NodeSamples all;
  for (const Sample& sample : samples) all.push_back(&sample);
  return merged_devices(all, kNow);
}

Sample by(Sample sample, std::string exporter) {
  sample.exporter = std::move(exporter);
  return sample;
}

}  // namespace

TEST_CASE("a sample is stale after five minutes, and ahead after the most that clocks differ") {
  Sample sample = make::card("a", 0, 0.5);
  CHECK_FALSE(is_stale(sample, kNow));
  CHECK_FALSE(is_stale(at(sample, 300s), kNow));
  CHECK(is_stale(at(sample, 301s), kNow));
  CHECK(is_stale(at(sample, 0s), {}));
  CHECK_FALSE(is_ahead(at(sample, -60s), kNow));
  CHECK(is_ahead(at(sample, -61s), kNow));
  CHECK(is_stale(at(sample, -61s), kNow));
  CHECK_FALSE(is_ahead(sample, kNow));
  CHECK_FALSE(is_ahead(at(sample, -61s), {}));
}

TEST_CASE("the age of a sample is at least 0, and unknown where times cannot be compared") {
  const Sample sample = make::card("a", 0, 0.5);
  CHECK(age_of(at(sample, 7s), kNow) == 7s);
  CHECK(age_of(at(sample, -7s), kNow) == 0s);
  CHECK_FALSE(age_of(at(sample, -61s), kNow));
  CHECK_FALSE(age_of(sample, kNow));
  CHECK_FALSE(age_of(at(sample, 7s), {}));
}

TEST_CASE("a device is named by its index, UUID or address, and by its part") {
  Sample sample = make::card("a", 3, 0.5);
  CHECK(device_text("a", sample) == "a/3");
  sample.mig_instance = "7";
  CHECK(device_text("a", sample) == "a/3:7");
  sample.mig_instance = "";
  sample.partition = "1";
  CHECK(device_text("a", sample) == "a/3:1");
  sample.index.reset();
  CHECK(device_text("a", sample) == "a/GPU-a-3:1");
  sample.uuid = "";
  sample.pci_bus_id = "0000:c1:00.0";
  CHECK(device_text("a", sample) == "a/0000:c1:00.0:1");
}

TEST_CASE("the newest sample that is not stale counts, and an older one fills what it lacks") {
  Sample older = at(make::card("a", 0, 0.2), 40s);
  older.measures.temperature_celsius = 60;
  const auto devices = merged({older, at(make::card("a", 0, 0.7), 10s)});
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].sample.measures.utilization == 0.7);
  CHECK(devices[0].sample.measures.temperature_celsius == 60);
  CHECK(devices[0].age == 40s);
  CHECK(devices[0].sample.at == kNow - 40s);
  CHECK_FALSE(devices[0].is_stale);
}

TEST_CASE("of stale samples what is told of a window is left") {
  Sample old = at(make::card("a", 0, 0.2), 600s);
  old.measures.average_utilization = 0.3;
  const auto devices = merged({old});
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].is_stale);
  CHECK_FALSE(devices[0].sample.measures.utilization);
  CHECK(devices[0].sample.measures.average_utilization == 0.3);
}

TEST_CASE("a sample that is ahead is not heard, and who tells it is named") {
  const auto devices =
      merged({by(at(make::card("a", 0, 0.9), -120s), "dev/x"), at(make::card("a", 0, 0.2), 10s)});
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].sample.measures.utilization == 0.2);
  CHECK(devices[0].sample.doubts ==
        std::vector<std::string>{"its metrics by dev/x are dated 2m ahead"});
}

TEST_CASE("an old sample comes before one that is ahead, which has no age") {
  Sample old = by(at(make::card("a", 0, 0.2), 600s), "dev/y");
  old.measures.average_utilization = 0.3;
  Sample ahead = by(at(make::card("a", 0, 0.9), -120s), "dev/x");
  ahead.measures.average_utilization = 0.8;
  const auto devices = merged({ahead, old});
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].is_stale);
  CHECK(devices[0].age == 600s);
  CHECK(devices[0].sample.measures.average_utilization == 0.3);
}

TEST_CASE("a total of memory that is less than what is used is of another interface") {
  Sample first = at(make::card("a", 0, 0.5), 10s);
  first.measures.memory_used_bytes = 100;
  first.measures.memory_total_bytes.reset();
  Sample second = at(make::card("a", 0, 0.5), 20s);
  second.measures.memory_used_bytes.reset();
  second.measures.memory_total_bytes = 99;
  CHECK_FALSE(merged({first, second})[0].sample.measures.memory_total_bytes);
  second.measures.memory_total_bytes = 100;
  CHECK(merged({first, second})[0].sample.measures.memory_total_bytes == 100);
}

TEST_CASE("power and temperature of a MIG instance are its card's; the last error is both's") {
  Sample part = at(make::slice("a", 0, "7", "1g.10gb", 0.5), 10s);
  part.measures.temperature_celsius = 60;
  part.measures.last_xid = 79;
  const auto devices = merged({part, at(make::slice("a", 0, "9", "1g.10gb", 0.5), 10s)});
  REQUIRE(devices.size() == 3);
  CHECK(devices[0].sample.mig_instance.empty());
  CHECK(devices[0].sample.measures.power_watts == 100);
  CHECK(devices[0].sample.measures.temperature_celsius == 60);
  CHECK(devices[0].sample.measures.last_xid == 79);
  CHECK(devices[0].age == 10s);
  for (const std::size_t i : {1, 2}) {
    CHECK_FALSE(devices[i].sample.measures.power_watts);
    CHECK_FALSE(devices[i].sample.measures.temperature_celsius);
    CHECK(devices[i].sample.measures.last_xid == 79);
    CHECK(devices[i].card == devices[0].card);
  }
  CHECK(devices[1].sample.mig_instance == "7");
}

TEST_CASE("devices stand by index, then by instance as a number; without an index last") {
  Sample unnamed = at(make::card("a", 9, 0.5), 10s);
  unnamed.index.reset();
  std::string order;
  for (const DeviceUse& device : merged(
           {unnamed, at(make::slice("a", 1, "10", "1g.10gb", 0.5), 10s),
            at(make::slice("a", 1, "9", "1g.10gb", 0.5), 10s), at(make::card("a", 0, 0.5), 10s)}))
    order += device_text("", device.sample) + " ";
  CHECK(order == "/0 /1 /1:9 /1:10 /GPU-a-9 ");
}

TEST_CASE("owners are those that the best source's newest sample names, each once") {
  const auto names = [](const std::vector<Sample>& samples) {
    const std::vector<DeviceUse> devices = merged(samples);
    std::string text;
    for (const SampleOwner& owner : devices[0].sample.owners) text += owner.pod + " ";
    return text;
  };
  const Sample card = make::card("a", 0, 0.5);
  const Sample now = by(at(make::used_by(card, {"x", "y"}), 10s), "gpu-operator/one");
  CHECK(names({now, now}) == "x y ");
  CHECK(names({now, by(at(make::used_by(card, {"z"}), 20s), "gpu-operator/one")}) == "x y ");
  CHECK(names({now, by(at(make::used_by(card, {"z"}), 20s), "gpu-operator/two")}) == "x y z ");
  CHECK(names({now, by(at(make::used_by(card, {"z"}), 5s), "dev/two")}) == "x y ");
  Sample query = at(make::used_by(card, {"q"}), 5s);
  query.source = MetricSource::prometheus;
  CHECK(names({now, query}) == "x y ");
  CHECK(names({query}) == "q ");
}

}  // namespace gpu::usage::devices_device_merge_test
