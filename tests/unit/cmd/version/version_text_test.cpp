#include "cmd/version/version_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace version_version_text_test {

using Catch::Contains;
using namespace gpu::cmd;

namespace {

constexpr BuildInfo kBuild = {.version = "1.2.3",
                              .commit = "0123456789abcdef0123456789abcdef01234567",
                              .date = "2026-11-30T12:00:00Z"};

}  // namespace

TEST_CASE("version as JSON has what a bug report needs") {
  const auto answer = nlohmann::json::parse(version_json(kBuild, "linux/amd64"));
  CHECK(answer["version"] == "v1.2.3");
  CHECK(answer["commit"] == kBuild.commit);
  CHECK(answer["buildDate"] == kBuild.date);
  CHECK(answer["platform"] == "linux/amd64");
  CHECK(answer["kubernetesVersions"].back() == "1.36");
}

TEST_CASE("a build that does not know its commit says null") {
  const auto answer = nlohmann::json::parse(version_json({.version = "1.2.3"}, "linux/arm64"));
  CHECK(answer["commit"].is_null());
  CHECK(answer["buildDate"].is_null());
}

TEST_CASE("version as YAML says the same, and keeps 1.30 a text") {
  const std::string text = version_yaml(kBuild, "linux/amd64");
  CHECK_THAT(text, Contains("version: \"v1.2.3\"\n") && Contains("commit: \"0123") &&
                       Contains("kubernetesVersions: [\"1.30\", "));
  CHECK_THAT(version_yaml({.version = "1.2.3"}, "linux/amd64"), Contains("commit: null\n"));
}

}  // namespace version_version_text_test
