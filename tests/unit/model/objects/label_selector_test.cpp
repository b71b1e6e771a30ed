#include "model/objects/label_selector.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace objects_label_selector_test {

using namespace gpu;

namespace {
const StringMap kLabels = {{"pool", "train"}, {"gen", "5"}, {"nvidia.com/gpu.present", "true"}};

bool matches(const char* selector) { return LabelSelector::parse(selector).matches(kLabels); }
}  // namespace

TEST_CASE("selectors as kubectl reads them") {
  for (const char* yes :
       {"", "pool", "!tier", "pool=train", "pool==train", "pool!=batch", "tier!=x",
        "pool in (a,train)", "pool notin (a, b)", "tier notin (a)", "gen>4", "gen<6",
        "pool=train,gen=5", " pool = train , gen in ( 5 ) ", "nvidia.com/gpu.present=true"}) {
    INFO(yes);
    CHECK(matches(yes));
  }
  for (const char* no :
       {"tier", "!pool", "pool=batch", "pool!=train", "pool in (a,b)", "pool notin (train)",
        "gen>5", "gen<5", "pool>1", "tier=", "pool=train,x"}) {
    INFO(no);
    CHECK_FALSE(matches(no));
  }
}

TEST_CASE("a broken selector is shown with its place") {
  for (const char* broken : {",", "pool in train", "pool in (a", "a b", "gen>x", "=x", "a=b,,c"}) {
    INFO(broken);
    CHECK_THROWS_AS(LabelSelector::parse(broken), Error);
  }
  try {
    LabelSelector::parse("pool in train");
    FAIL("must throw");
  } catch (const Error& error) {
    CHECK(error.message() == "the selector `pool in train` is not valid: expected ( at column 9");
  }
}

}  // namespace objects_label_selector_test
