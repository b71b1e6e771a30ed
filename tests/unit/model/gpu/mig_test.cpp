#include "model/gpu/mig.hpp"

#include <catch2/catch.hpp>

namespace gpu_mig_test {

using namespace gpu;

namespace {

std::optional<std::int64_t> slices(std::string_view product, std::string_view profile) {
  return slices_per_card(product, std::nullopt, profile);
}

}  // namespace

TEST_CASE("chips of seven slices") {
  struct Row {
    std::string_view product, small, media, wide, two, three, four, seven;
  };
  const Row row = GENERATE(Row{"NVIDIA-A100-SXM4-40GB", "1g.5gb", "1g.5gb.me", "1g.10gb", "2g.10gb",
                               "3g.20gb", "4g.20gb", "7g.40gb"},
                           Row{"NVIDIA-A100-SXM4-80GB", "1g.10gb", "1g.10gb.me", "1g.20gb",
                               "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"},
                           Row{"NVIDIA-H100-80GB-HBM3", "1g.10gb", "1g.10gb+me", "1g.20gb",
                               "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"},
                           Row{"NVIDIA-H100-NVL", "1g.12gb", "1g.12gb.me", "1g.24gb", "2g.24gb",
                               "3g.47gb", "4g.47gb", "7g.94gb"},
                           Row{"NVIDIA-H200", "1g.18gb", "1g.18gb.me", "1g.35gb", "2g.35gb",
                               "3g.71gb", "4g.71gb", "7g.141gb"},
                           Row{"NVIDIA-B200", "1g.23gb", "1g.23gb.me.all", "1g.45gb", "2g.45gb",
                               "3g.90gb", "4g.90gb", "7g.180gb"});
  CHECK(slices(row.product, row.small) == 7);
  CHECK(slices(row.product, row.media) == 1);
  CHECK(slices(row.product, row.wide) == 4);
  CHECK(slices(row.product, row.two) == 3);
  CHECK(slices(row.product, row.three) == 2);
  CHECK(slices(row.product, row.four) == 1);
  CHECK(slices(row.product, row.seven) == 1);
}

TEST_CASE("chips of four slices") {
  CHECK(slices("NVIDIA-A30", "1g.6gb") == 4);
  CHECK(slices("NVIDIA-A30", "2g.12gb") == 2);
  CHECK(slices("NVIDIA-A30", "2g.12gb.me") == 1);
  CHECK(slices("NVIDIA-A30", "4g.24gb") == 1);
  CHECK(slices("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", "1g.24gb") == 4);
  CHECK(slices("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", "1g.24gb-me") == 4);
  CHECK(slices("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", "2g.48gb") == 2);
}

TEST_CASE("the product as labels of a cut or shared card have it") {
  CHECK(slices("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "1g.5gb") == 7);
  CHECK(slices("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED", "1g.5gb") == 7);
  CHECK(slices("nvidia-tesla-a100", "1g.5gb") == 7);
}

TEST_CASE("drivers round a profile's memory each in its own way") {
  CHECK(slices("NVIDIA-H100-NVL", "1g.11gb") == 7);
  CHECK(slices("NVIDIA-H200", "1g.17gb") == 7);
}

TEST_CASE("a name that several cards have") {
  // 1g.10gb is a seventh of the larger A100 and a quarter of the smaller one.
  CHECK_FALSE(slices("A100", "1g.10gb"));
  CHECK(slices("A100", "1g.5gb") == 7);
  CHECK(slices_per_card("A100", 81920, "1g.10gb") == 7);
  CHECK(slices_per_card("A100", 40960, "1g.10gb") == 4);
}

TEST_CASE("what the table does not know is unknown") {
  CHECK_FALSE(slices("", "1g.5gb"));
  CHECK_FALSE(slices("NVIDIA-X999", "1g.5gb"));
  CHECK_FALSE(slices("Tesla-T4", "1g.5gb"));
  CHECK_FALSE(slices("NVIDIA-GB300", "1g.35gb"));  // its profiles are not in the table
  CHECK_FALSE(slices("NVIDIA-A30", "7g.40gb"));
  const std::string_view broken = GENERATE("", "g.gb", "1g", "1g.", "1g.xgb", "0g.5gb", "-1g.5gb",
                                           "1c.3g.20gb", "all-balanced", "1g.99999999999999gb");
  CHECK_FALSE(slices("NVIDIA-A100-SXM4-40GB", broken));
}

}  // namespace gpu_mig_test
