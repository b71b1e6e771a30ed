#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_limitrange_test {
namespace {

GenOptions gpu_limit() {
  GenOptions options;
  options.name = "gpus";
  options.gpus = 4;
  return options;
}

}  // namespace

TEST_CASE("a limitrange gives no GPU to containers that ask for none") {
  const Generated range = made("limitrange", gpu_limit());
  const Tree& object = range.documents.front();
  CHECK(text_at(object, "kind") == "LimitRange");
  CHECK(text_at(object, "spec.limits[0].type") == "Container");
  CHECK(text_at(object, "spec.limits[0].max") == R"({nvidia.com/gpu: "4"})");
  CHECK(text_at(object, "spec.limits[0].default") == R"({nvidia.com/gpu: "0"})");
  for (const char* trap : {"min", "defaultRequest", "maxLimitRequestRatio"})
    CHECK(text_at(object, std::string("spec.limits[0].") + trap) == "-");
  CHECK(text_at(object, "spec.limits[1]") == "-");
  CHECK(is_read_back(range.documents));
}

TEST_CASE("each resource of a limitrange has its default") {
  GenOptions options = gpu_limit();
  options.mig = "1g.10gb=1";
  const Tree object = made("limitrange", options).documents.front();
  CHECK(text_at(object, "spec.limits[0].default") ==
        R"({nvidia.com/gpu: "0", nvidia.com/mig-1g.10gb: "0"})");
}

TEST_CASE("a limitrange needs a number") {
  GenOptions options = gpu_limit();
  options.gpus.reset();
  CHECK(refusal("limitrange", options) == "how many GPUs is not said");
}

}  // namespace gpu::manifest::test::kinds_limitrange_test
