#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_priorityclass_test {
namespace {

GenOptions priority(std::string name) {
  GenOptions options;
  options.name = std::move(name);
  return options;
}

std::string value_and_policy(const GenOptions& options) {
  const Tree object = made("priorityclass", options).documents.front();
  return text_at(object, "value") + " " + text_at(object, "preemptionPolicy");
}

}  // namespace

TEST_CASE("the name of a priorityclass says its value and whom it may stop") {
  CHECK(value_and_policy(priority("gpu-inference")) == "100000 PreemptLowerPriority");
  CHECK(value_and_policy(priority("gpu-interactive")) == "50000 PreemptLowerPriority");
  CHECK(value_and_policy(priority("gpu-training")) == "10000 PreemptLowerPriority");
  CHECK(value_and_policy(priority("gpu-batch")) == "1000 Never");
}

TEST_CASE("--value and --preempt of a priorityclass come before its name") {
  GenOptions options = priority("gpu-batch");
  options.priority_value = -5;
  options.preemption = "lower";
  CHECK(value_and_policy(options) == "-5 PreemptLowerPriority");
  options = priority("team");
  options.priority_value = 1'000'000'000;
  CHECK(value_and_policy(options) == "1000000000 PreemptLowerPriority");
  options.preemption = "never";
  CHECK(value_and_policy(options) == "1000000000 Never");
}

TEST_CASE("a priorityclass is in no namespace, and is not that of all pods") {
  GenOptions options = priority("gpu-batch");
  options.ns = "ml";
  const Generated made_class = made("priorityclass", options);
  const Tree& object = made_class.documents.front();
  CHECK(text_at(object, "metadata") == "{name: gpu-batch}");
  CHECK(text_at(object, "globalDefault") == "false");
  CHECK(comments_on(made_class, "cannot be changed later"));
  CHECK(is_read_back(made_class.documents));
}

TEST_CASE("what the API server refuses of a priorityclass is refused before") {
  CHECK(refusal("priorityclass", priority("system-gpu")) ==
        "names that begin with `system-` belong to Kubernetes");
  CHECK(refusal("priorityclass", priority("team")) == "which value `team` is to have is not said");
  GenOptions options = priority("team");
  options.priority_value = 1'000'000'001;
  CHECK(refusal("priorityclass", options) == "--value 1000000001 is out of range");
  options.priority_value = -2'147'483'649;
  CHECK(refusal("priorityclass", options) == "--value -2147483649 is out of range");
  options.priority_value = 1;
  options.preemption = "Never";
  CHECK(refusal("priorityclass", options) == "`--preempt Never` cannot be read");
}

}  // namespace gpu::manifest::test::kinds_priorityclass_test
