#include "diagnose/answer/request_parts.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace answer_request_parts_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

/// A container that requests so many GPUs; a sidecar, or one that runs once, where it is an init
/// container.
Container container(std::string name, std::int64_t gpus) {
  Container made{.name = std::move(name)};
  if (gpus > 0) made.requests.set("nvidia.com/gpu", Quantity::of(gpus));
  return made;
}

Container sidecar(std::string name, std::int64_t gpus) {
  Container made = container(std::move(name), gpus);
  made.restarts_always = true;
  return made;
}

std::string told(std::vector<Container> containers, std::vector<Container> init = {}) {
  Pod pod = make::pod("p", "", 0);
  pod.containers = std::move(containers);
  pod.init_containers = std::move(init);
  const auto remark = request_parts(pod);
  return remark ? remark->text : "";
}

}  // namespace

TEST_CASE("GPUs of one container need no word") {
  CHECK(told({container("a", 0)}).empty());
  CHECK(told({container("a", 8), container("b", 0)}).empty());
  CHECK(told({container("a", 8)}, {container("first", 8)}).empty());
}

TEST_CASE("containers that request GPUs are named, at most four of them") {
  CHECK(told({container("a", 4), container("b", 1)}) ==
        "of the 5 nvidia.com/gpu, a requests 4, b 1: containers do not share them");
  CHECK(told({container("a", 4)}, {sidecar("s", 1)}) ==
        "of the 5 nvidia.com/gpu, a requests 4, s 1: containers do not share them");
  std::vector<Container> many;
  for (const char* name : {"a", "b", "c", "d"}) many.push_back(container(name, 1));
  CHECK(told(many) ==
        "of the 4 nvidia.com/gpu, a requests 1, b 1, c 1, d 1: containers do not share "
        "them");
  many.push_back(container("e", 1));
  many.push_back(container("f", 2));
  CHECK(told(many) ==
        "of the 7 nvidia.com/gpu, a requests 1, b 1, c 1, d 1, 2 more containers "
        "the rest: containers do not share them");
}

TEST_CASE("an init container that requests more than what runs after it is named") {
  CHECK(told({container("a", 2)}, {container("small", 3), container("large", 8)}) ==
        "its init container large requests 8 nvidia.com/gpu, and what runs after it 2: the pod "
        "needs the larger number");
  CHECK(told({container("a", 2), container("b", 1)}, {container("large", 3)}) ==
        "of the 3 nvidia.com/gpu, a requests 2, b 1: containers do not share them");
}

TEST_CASE("what the pod itself requests is not of its containers") {
  Pod pod = make::pod("p", "", 4);
  pod.containers.push_back(container("b", 4));
  REQUIRE(request_parts(pod));
  pod.pod_requests.emplace();
  CHECK_FALSE(request_parts(pod));
}

}  // namespace answer_request_parts_test
