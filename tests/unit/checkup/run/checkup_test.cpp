#include "checkup/run/checkup.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "make.hpp"

namespace run_checkup_test {

using namespace gpu;
using namespace gpu::checkup;

namespace {

CheckResults look(const Snapshot& snapshot, const std::vector<std::string>& names = {},
                  Surroundings::Source source = Surroundings::Source::cluster) {
  return check_up(snapshot, {.source = source}, names).results;
}

const CheckResult* first_of(const CheckResults& results, std::string_view check) {
  for (const CheckResult& each : results)
    if (each.check == check) return &each;
  return nullptr;
}

}  // namespace

TEST_CASE("checks have names of their own, and say something in a cluster without anything") {
  std::set<std::string_view> names;
  for (const CheckInfo& each : checks()) {
    CHECK(names.insert(each.name).second);
    CHECK_FALSE(each.says.empty());
  }
  for (const CheckResult& each : look(Snapshot{})) {
    CHECK(names.contains(each.check));
    CHECK_FALSE(each.says.empty());
  }
}

TEST_CASE("what depends on a check that failed is skipped, by whatever way it depends on it") {
  const CheckResults results = look(Snapshot{});
  REQUIRE(first_of(results, "access") != nullptr);
  CHECK(first_of(results, "access")->state == CheckState::failed);
  for (const char* const name : {"server", "gpu-nodes", "runtime", "numbers", "idle", "quota"}) {
    REQUIRE(first_of(results, name) != nullptr);
    CHECK(first_of(results, name)->state == CheckState::skipped);
    CHECK(first_of(results, name)->says == "needs access");
  }
  CHECK(first_of(results, "plugin-path")->state == CheckState::ok);
}

TEST_CASE("a check that is asked for says what it found, and those that it needs nothing") {
  const Snapshot snapshot = make::snapshot({make::node("a", 8)}, {});
  const CheckResults results = look(snapshot, {"gpus"});
  REQUIRE(results.size() == 1);
  CHECK(results[0].check == "gpus");
  CHECK(results[0].state == CheckState::ok);
}

TEST_CASE("a check of this machine alone needs no cluster") {
  CHECK_FALSE(needs_of(std::vector<std::string>{"plugin-path", "completion"}).needs_cluster);
  CHECK(needs_of(std::vector<std::string>{"access"}).needs_cluster);
  CHECK(needs_of({}).needs_cluster);
  CHECK(needs_of(std::vector<std::string>{"quota"}).kinds.contains(ObjectKind::resource_quota));
  CHECK_FALSE(
      needs_of(std::vector<std::string>{"gpus"}).kinds.contains(ObjectKind::resource_quota));
}

TEST_CASE("pods of the GPU stack are kept, and pods that see all GPUs") {
  Pod plugin = make::pod("nvidia-device-plugin-x1", "a", 0);
  plugin.owners = {{.kind = "DaemonSet", .name = "nvidia-device-plugin-daemonset"}};
  CHECK(is_of_interest(plugin));
  Pod web = make::pod("web", "a", 0);
  CHECK_FALSE(is_of_interest(web));
  web.containers[0].sees_all_gpus = true;
  CHECK(is_of_interest(web));
  CHECK(is_of_interest(make::pod("train", "", 1)));
}

TEST_CASE("files tell neither rights nor what is on this machine") {
  const CheckResults results =
      look(make::snapshot({make::node("a", 8)}, {}), {}, Surroundings::Source::files);
  for (const char* const name : {"access", "plugin-path", "completion"})
    CHECK(first_of(results, name)->state == CheckState::skipped);
}

}  // namespace run_checkup_test
