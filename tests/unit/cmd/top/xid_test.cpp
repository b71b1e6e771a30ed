#include "cmd/top/xid.hpp"

#include "model/gpu/xid.hpp"

#include <catch2/catch.hpp>

namespace top_xid_test {

using namespace gpu;
using namespace gpu::cmd;

TEST_CASE("an error that a program causes itself is a warning, all others are broken GPUs") {
  CHECK(concern_of_xid(31) == report::Concern::warning);
  CHECK(concern_of_xid(79) == report::Concern::broken);
  CHECK(meaning_of_xid(79) == "the GPU has fallen off the bus");
}

TEST_CASE("an error that is not known may be a broken GPU") {
  CHECK(concern_of_xid(99999) == report::Concern::broken);
  CHECK(meaning_of_xid(99999) == "see NVIDIA's list of XID errors");
}

}  // namespace top_xid_test
