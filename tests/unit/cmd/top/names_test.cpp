#include "cmd/top/names.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

using namespace gpu;
using namespace gpu::cmd;

namespace {

using Names = std::vector<std::string>;

Pool pool_on(const std::string& node, const std::string& model = "H100-80G") {
  Pool made{.node = node, .resource = "nvidia.com/gpu"};
  made.kind.kind = DeviceKind::card;
  made.model = model;
  return made;
}

usage::GpuUsage card(const Pool& pool, std::int64_t index, const std::string& uuid) {
  usage::GpuUsage made{.pool = &pool, .index = index};
  made.uuid = uuid;
  return made;
}

/// The names of the GPUs that are left of three on two nodes.
Names kept(const Names& names) {
  const Pool one = pool_on("n1");
  const Pool other = pool_on("n2");
  std::vector<usage::GpuUsage> rows = {card(one, 0, "GPU-aaaa0000-1"),
                                       card(one, 1, "GPU-aaaa1111-1"),
                                       card(other, 0, "GPU-bbbb0000-1")};
  rows[1].mig_instance = "7";
  keep_named_gpus(rows, names);
  Names left;
  for (const usage::GpuUsage& row : rows) left.push_back(gpu_name(row));
  return left;
}

Names models_kept(const Names& names) {
  const Pool big = pool_on("n1");
  const Pool small = pool_on("n2", "L4");
  std::vector<usage::ModelUsage> rows(2);
  rows[0].pool = &big;
  rows[1].pool = &small;
  keep_named_models(rows, names);
  Names left;
  for (const usage::ModelUsage& row : rows) left.push_back(row.pool->model);
  return left;
}

std::string help_for(const Names& names) {
  try {
    kept(names);
  } catch (const Error& error) {
    return error.help();
  }
  return "no error";
}

}  // namespace

TEST_CASE("without names all GPUs stay") { CHECK(kept({}) == Names{"n1/0", "n1/1:7", "n2/0"}); }

TEST_CASE("a GPU is named by its node, index, instance or UUID") {
  CHECK(kept({"n1"}) == Names{"n1/0", "n1/1:7"});
  CHECK(kept({"n1/1"}) == Names{"n1/1:7"});
  CHECK(kept({"n1/1:7", "n2/0"}) == Names{"n1/1:7", "n2/0"});
  CHECK(kept({"GPU-bbbb0000-1"}) == Names{"n2/0"});
  CHECK(kept({"n2/GPU-bbbb0000-1"}) == Names{"n2/0"});
}

TEST_CASE("of a UUID eight letters are enough, with its prefix or without") {
  CHECK(kept({"aaaa0000"}) == Names{"n1/0"});
  CHECK(kept({"GPU-aaaa"}) == Names{"n1/0", "n1/1:7"});
  CHECK_THROWS_AS(kept({"aaaa000"}), Error);
}

TEST_CASE("a name that no GPU has is refused with a similar one, or with those there are") {
  CHECK(help_for({"n1", "n1/00"}) == "a similar one is `n1/0`");
  CHECK(help_for({"something-else"}).starts_with("there are "));
}

TEST_CASE("a model is named by a part of its name in any letter case") {
  CHECK(models_kept({"h100"}) == Names{"H100-80G"});
  CHECK(models_kept({"80g", "L4"}) == Names{"H100-80G", "L4"});
  CHECK_THROWS_AS(models_kept({""}), Error);
  CHECK_THROWS_AS(models_kept({"A100"}), Error);
}

TEST_CASE("what may be a UUID") {
  CHECK(may_be_uuid("GPU-4b3c11aa"));
  CHECK(may_be_uuid("4b3c11aa"));
  CHECK(may_be_uuid("MIG-4B3C-11"));
  CHECK_FALSE(may_be_uuid("4b3c11a"));
  CHECK_FALSE(may_be_uuid("gpu-node-a2"));
}
