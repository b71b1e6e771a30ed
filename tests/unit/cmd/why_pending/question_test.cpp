#include "cmd/why_pending/question.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

using Catch::Contains;
using namespace gpu;
using namespace gpu::cmd;

namespace {

using About = PendingQuestion::About;

PendingQuestion question(std::vector<std::string> words) {
  return pending_question({.words = std::move(words)}, "default");
}

std::string refusal(const WhyPendingFlags& flags) {
  try {
    pending_question(flags, "default");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message();
  }
  return "it is a question";
}

}  // namespace

TEST_CASE("without words all that waits in the context's namespace is meant") {
  CHECK(question({}).about == About::all);
  CHECK(question({}).ns == "default");
  CHECK(pending_question({.all_namespaces = true}, "default").ns.empty());
}

TEST_CASE("a slash stands behind a kind, else behind a namespace") {
  CHECK(question({"train-0"}).name == "train-0");
  CHECK(question({"train-0"}).ns == "default");
  CHECK(question({"ml/train-0"}).about == About::pod);
  CHECK(question({"ml/train-0"}).ns == "ml");
  CHECK(question({"job/train"}).about == About::workload);
  CHECK(question({"job/train"}).kind->kind == "Job");
  CHECK(question({"job", "train"}).name == "train");
  CHECK(question({"pod/train-0"}).ns == "default");
}

TEST_CASE("what names no pod and no owner is refused") {
  CHECK_THAT(refusal({.words = {"node/gpu-a1"}}), Contains("a kind that makes no pods"));
  CHECK_THAT(refusal({.words = {"a", "b", "c"}}), Contains("one pod or one owner at a time"));
  CHECK_THAT(refusal({.words = {"ml/"}}), Contains("not the name of a pod"));
  CHECK_THAT(refusal({.words = {"thing", "train"}}), Contains("there is no kind `thing`"));
}

TEST_CASE("flags and words that do not go together are refused") {
  CHECK_THAT(refusal({.words = {"a"}, .all_namespaces = true}), Contains("`-A`"));
  CHECK_THAT(refusal({.words = {"a"}, .files = {"b.yaml"}}), Contains("`-f` and a name"));
}

TEST_CASE("a word before the slash is a kind where -n names a namespace") {
  WhyPendingFlags flags{.words = {"nimservice/llm"}};
  CHECK_FALSE(pending_question(flags, "default").is_kind_meant);
  CHECK(pending_question(flags, "default").ns == "nimservice");
  flags.global.connection.ns = "dev";
  const PendingQuestion question = pending_question(flags, "default");
  CHECK(question.is_kind_meant);
  CHECK(question.kind_word == "nimservice");
  CHECK(question.ns == "dev");
}

TEST_CASE("patches are of something that is named") {
  WhyPendingFlags flags;
  flags.global.output = "patch";
  CHECK_THAT(refusal(flags), Contains("`-o patch`"));
  flags.words = {"train-0"};
  CHECK(pending_question(flags, "default").format == std::nullopt);
  flags.global.output = "json";
  CHECK(pending_question(flags, "default").format == report::Format::json);
}
