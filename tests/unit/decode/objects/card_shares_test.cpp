#include "decode/objects/card_shares.hpp"

#include <catch2/catch.hpp>

namespace objects_card_shares_test {

using namespace gpu;
using namespace gpu::decode;

namespace {

constexpr const char* kHami = "hami.io/node-nvidia-register";
constexpr const char* kVolcano = "volcano.sh/node-vgpu-register";
constexpr const char* kHamiPod = "hami.io/vgpu-devices-allocated";
constexpr const char* kAllocation = "scheduler.framework.gpushare.allocation";

}  // namespace

TEST_CASE("HAMi's cards, in each form that versions of it wrote") {
  const SharedCard expected{.uuid = "GPU-a",
                            .type = "NVIDIA-Tesla T4",
                            .slots = 10,
                            .memory_mib = 15360,
                            .cores = 100,
                            .is_healthy = true};
  std::string text;
  SECTION("5 fields") { text = "GPU-a,10,15360,NVIDIA-Tesla T4,true:"; }
  SECTION("6") { text = "GPU-a,10,15360,100,NVIDIA-Tesla T4,true:"; }
  SECTION("7") { text = "GPU-a,10,15360,100,NVIDIA-Tesla T4,0,true:"; }
  SECTION("9") { text = "GPU-a,10,15360,100,NVIDIA-Tesla T4,0,true,0,hami-core:"; }
  SECTION("JSON") {
    text = R"([{"id":"GPU-a","count":10,"devmem":15360,"devcore":100,"type":"NVIDIA-Tesla T4",)"
           R"("mode":"hami-core","health":true,"devicepairscore":{}}])";
  }
  CHECK(shared_cards_from({{kHami, text}}) == std::vector<SharedCard>{expected});
}

TEST_CASE("a sick card of HAMi") {
  // Go's omitempty leaves false out.
  const auto json = shared_cards_from(
      {{kHami, R"([{"id":"GPU-a","count":10,"devmem":15360,"devcore":100,"type":"T4"}])"}});
  REQUIRE(json.size() == 1);
  CHECK_FALSE(json.front().is_healthy);
  const auto text = shared_cards_from({{kHami, "GPU-a,10,15360,100,T4,0,false:"}});
  REQUIRE(text.size() == 1);
  CHECK_FALSE(text.front().is_healthy);
}

TEST_CASE("Volcano's cards have no cores and no numa") {
  for (const char* text :
       {"GPU-b,4,40960,A100,true:GPU-c,4,40960,A100,false:",
        "GPU-b,4,40960,A100,true,hami-core:GPU-c,4,40960,A100,false,hami-core:"}) {
    const auto cards = shared_cards_from({{kVolcano, text}});
    REQUIRE(cards.size() == 2);
    CHECK(cards[0].by == SharingStrategy::volcano);
    CHECK(cards[0].type == "A100");
    CHECK(cards[0].cores == 100);
    CHECK(cards[0].is_healthy);
    CHECK_FALSE(cards[1].is_healthy);
  }
}

TEST_CASE("an annotation that cannot be read as a whole registers no card") {
  const std::string text = GENERATE(
      "", "[]", ":", "[", "{}", "null", "GPU-a",
      "GPU-a,10,15360:", "GPU-a,ten,15360,100,T4,0,true:", "GPU-a,-1,15360,100,T4,0,true:",
      "GPU-a,99999999999999999999,15360,100,T4,0,true:",
      "GPU-a,10,15360,100,T4,0,true:GPU-b,broken:", R"([{"id":"GPU-a","count":1e99}])",
      R"([{"id":"GPU-a","count":18446744073709551615}])", R"([{"count":10}])", R"(["GPU-a"])");
  CHECK(shared_cards_from({{kHami, text}}).empty());
  CHECK(shared_cards_from({{kHami, std::string(100'000, '[')}}).empty());
}

TEST_CASE("what HAMi and Volcano wrote that a pod got") {
  const auto shares = card_shares_from(
      {{kHamiPod, ";GPU-a,NVIDIA,8192,30:GPU-b,NVIDIA,4096,0:;GPU-c[0-1],NVIDIA,20480,42:;"}});
  CHECK(shares == std::vector<CardShare>{{.card = "GPU-a", .memory_mib = 8192, .cores = 30},
                                         {.card = "GPU-b", .memory_mib = 4096},
                                         {.card = "GPU-c", .memory_mib = 20480, .cores = 42}});
  const auto volcano = card_shares_from({{"volcano.sh/vgpu-ids-new", "GPU-a,NVIDIA,1126,0:"}});
  REQUIRE(volcano.size() == 1);
  CHECK(volcano.front().by == SharingStrategy::volcano);
  CHECK(volcano.front().memory_mib == 1126);
}

TEST_CASE("what gpushare wrote that a pod got") {
  CHECK(card_shares_from({{"ALIYUN_COM_GPU_MEM_IDX", "1"}, {"ALIYUN_COM_GPU_MEM_POD", "8"}}) ==
        std::vector<CardShare>{{.by = SharingStrategy::gpushare, .card = "1", .units = 8}});
  CHECK(card_shares_from({{"ALIYUN_COM_GPU_MEM_IDX", "-1"}, {"ALIYUN_COM_GPU_MEM_POD", "8"}})
            .empty());
  CHECK(card_shares_from({{kAllocation, R"({"0":{"1":1},"1":{"1":7}})"}}) ==
        std::vector<CardShare>{{.by = SharingStrategy::gpushare, .card = "1", .units = 1},
                               {.by = SharingStrategy::gpushare, .card = "1", .units = 7}});
}

TEST_CASE("of a pod's annotation that cannot be read as a whole nothing is taken") {
  const std::string text =
      GENERATE("GPU-a", "GPU-a,NVIDIA,8192",
               "GPU-a,NVIDIA,8192,30:GPU-b,NVIDIA,x,0:", ",NVIDIA,1,1:", "GPU-a,NVIDIA,-1,0:");
  CHECK(card_shares_from({{kHamiPod, text}}).empty());
  const std::string json = GENERATE("{", "[]", "7", R"({"c":7})", R"({"c":{"x":7}})",
                                    R"({"c":{"0":"7"}})", R"({"c":{"0":-7}})");
  CHECK(card_shares_from({{kAllocation, json}}).empty());
  CHECK(card_shares_from({}).empty());
}

}  // namespace objects_card_shares_test
