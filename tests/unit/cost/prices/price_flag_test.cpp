#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "cost/prices/priced.hpp"

namespace gpu::cost::prices_price_flag_test {
namespace {

std::string flag_error(std::string_view text) {
  try {
    price_flag(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK_FALSE(error.help().empty());
    return error.message();
  }
  return "none";
}

}  // namespace

TEST_CASE("the forms of --price") {
  const PriceRule any = price_flag("2.5");
  CHECK(any.source == PriceSource::flag);
  CHECK(key_of(any) == PriceKey::any);
  CHECK(any.gpu_hour == usd("2.5"));
  CHECK(any.where == "--price 2.5");
  const PriceRule model = price_flag("H100=0");
  CHECK(model.model == "H100");
  CHECK(model.gpu_hour == Money{0});
  const PriceRule type = price_flag("type/p5.48xlarge=55");
  CHECK(type.instance_type == "p5.48xlarge");
  CHECK(type.node_hour == usd("55"));
  CHECK_FALSE(type.gpu_hour);
  const PriceRule node = price_flag("node/gpu-a1=21.957642");
  CHECK(node.node == "gpu-a1");
  CHECK(node.node_hour == usd("21.957642"));
}

TEST_CASE("what is wrong with --price") {
  CHECK(flag_error("") == "--price : `` is no price");
  CHECK(flag_error("H100") == "--price H100: `H100` is no price");
  CHECK(flag_error("H100=") == "--price H100=: `` is no price");
  CHECK(flag_error("=2") == "--price =2: nothing comes before `=`");
  CHECK(flag_error("node/=2") == "--price node/=2: nothing comes before `=`");
  CHECK(flag_error("pool/a=2") == "--price pool/a=2: `pool/` is neither `type/` nor `node/`");
  CHECK(flag_error("-2") == "--price -2: a price is not below 0");
  CHECK(flag_error("H100=2.5e1") == "--price H100=2.5e1: `2.5e1` is no price");
  CHECK(flag_error("$2") == "--price $2: `$2` is no price");
  CHECK(flag_error("100001") == "--price 100001: that is over 100,000 USD for an hour of a GPU");
  CHECK(flag_error("node/a=10000001") ==
        "--price node/a=10000001: that is over 10 million USD for an hour of a node");
  CHECK(flag_error("L4=1,H100=2") == "--price L4=1,H100=2: one flag has one price");
  CHECK(flag_error("L4=1, H100") == "--price L4=1, H100: `1, H100` is no price");
  CHECK(flag_error("1,5") == "--price 1,5: `1,5` is no price");
  CHECK(flag_error("a\x1b=2x") == "--price a\\x1b=2x: `2x` is no price");
}

TEST_CASE("several prices in one flag are told apart in its help") {
  try {
    price_flag("L4=1, type/g5.xlarge=2,x y=3");
    FAIL("it was taken");
  } catch (const Error& error) {
    CHECK(error.help() ==
          "repeat the flag\n      --price L4=1 --price type/g5.xlarge=2 --price 'x y=3'");
  }
}

}  // namespace gpu::cost::prices_price_flag_test
