#include "model/objects/quantity_text.hpp"

#include <catch2/catch.hpp>

namespace gpu::objects_quantity_text_test {

TEST_CASE("cpu is shown in thousandths where it is not whole") {
  CHECK(amount_text("cpu", 2000) == "2");
  CHECK(amount_text("cpu", 1999) == "1999m");
  CHECK(amount_text("cpu", 0) == "0");
  CHECK(quantity_text("cpu", *Quantity::parse("1500m")) == "1500m");
}

TEST_CASE("bytes are shown in the largest unit that they are a whole number of, up to Ti") {
  CHECK(amount_text("memory", 0) == "0");
  CHECK(amount_text("memory", 1023) == "1023");
  CHECK(amount_text("memory", 1024) == "1Ki");
  CHECK(amount_text("memory", 1025) == "1025");
  CHECK(amount_text("memory", std::int64_t{3} << 20) == "3Mi");
  CHECK(amount_text("ephemeral-storage", std::int64_t{3} << 30) == "3Gi");
  CHECK(amount_text("hugepages-2Mi", std::int64_t{3} << 40) == "3Ti");
  CHECK(amount_text("memory", std::int64_t{1} << 50) == "1024Ti");
}

TEST_CASE("other resources are counted") {
  CHECK(amount_text("nvidia.com/gpu", 1024) == "1024");
  CHECK(quantity_text("nvidia.com/gpu", Quantity::of(2)) == "2");
  CHECK(quantity_text("memory", *Quantity::parse("2Ki")) == "2Ki");
}

}  // namespace gpu::objects_quantity_text_test
