#include "cmd/why_pending/question.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "base/error.hpp"

namespace why_pending_question_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::cmd;

namespace {

using About = PendingQuestion::About;

PendingQuestion question(std::vector<std::string> words) {
  return pending_questions({.words = std::move(words)}, "default").front();
}

std::vector<std::string> names_of(std::vector<std::string> words) {
  std::vector<std::string> names;
  for (const PendingQuestion& each : pending_questions({.words = std::move(words)}, "default"))
    names.push_back(each.ns + "/" + each.name);
  return names;
}

std::string refusal(const WhyPendingFlags& flags) {
  try {
    pending_questions(flags, "default");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message();
  }
  return "it is a question";
}

}  // namespace

TEST_CASE("without words all that waits in all namespaces is meant") {
  CHECK(question({}).about == About::all);
  CHECK(question({}).ns.empty());
  CHECK(question({"pods"}).about == About::all);
  WhyPendingFlags flags;
  flags.global.connection.ns = "ml";
  CHECK(pending_questions(flags, "default").front().ns == "ml");
  flags.all_namespaces = true;
  CHECK(pending_questions(flags, "default").front().ns.empty());
}

TEST_CASE("several names are as many questions") {
  using Names = std::vector<std::string>;
  CHECK(names_of({"a", "b"}) == Names{"default/a", "default/b"});
  CHECK(names_of({"ml/a", "research/b", "c"}) == Names{"ml/a", "research/b", "default/c"});
  CHECK(names_of({"job", "a", "b"}) == Names{"default/a", "default/b"});
  CHECK(pending_questions({.words = {"job", "a", "b"}}, "default").back().kind->kind == "Job");
  CHECK(pending_questions({.words = {"job/a", "deploy/b"}}, "default").back().kind->kind ==
        "Deployment");
  CHECK(question({"deply", "infer"}).like_kind == "deployment");
  CHECK(question({"deply/infer", "b"}).like_kind.empty());
}

TEST_CASE("words that end or start like a path are files") {
  for (const char* path : {"train.yaml", "a/b.yml", "x.json", "./train", "../train", "/tmp/x", "-"})
    CHECK(is_path_word(path));
  for (const char* name : {"train-0", "ml/train-0", "job/train", "yaml", "ml/"})
    CHECK_FALSE(is_path_word(name));
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
  CHECK_THAT(refusal({.words = {"node/gpu-a1"}}), Contains("a kind that creates no pods"));
  CHECK_THAT(refusal({.words = {"pod", "ml/a"}}), Contains("which has its type already"));
  CHECK_THAT(refusal({.words = {"ml/"}}), Contains("not the name of a pod"));
}

TEST_CASE("flags and words that do not go together are refused") {
  CHECK_THAT(refusal({.words = {"a"}, .all_namespaces = true}), Contains("`-A`"));
  CHECK_THAT(refusal({.words = {"a"}, .manifests = {.files = {"b.yaml"}}}),
             Contains("`a` is no file"));
  CHECK_THAT(refusal({.words = {"a"}, .manifests = {.recursive = true}}), Contains("`-R`"));
}

TEST_CASE("a word before the slash is a kind where -n names a namespace") {
  WhyPendingFlags flags{.words = {"nimservice/llm"}};
  CHECK_FALSE(pending_questions(flags, "default").front().is_kind_meant);
  CHECK(pending_questions(flags, "default").front().ns == "nimservice");
  flags.global.connection.ns = "dev";
  const PendingQuestion question = pending_questions(flags, "default").front();
  CHECK(question.is_kind_meant);
  CHECK(question.kind_word == "nimservice");
  CHECK(question.ns == "dev");
}

TEST_CASE("patches are of something that is named") {
  WhyPendingFlags flags;
  flags.global.output = "patch";
  CHECK_THAT(refusal(flags), Contains("`-o patch`"));
  flags.words = {"train-0"};
  CHECK(pending_questions(flags, "default").front().format == std::nullopt);
  flags.global.output = "json";
  CHECK(pending_questions(flags, "default").front().format == report::Format::json);
}

}  // namespace why_pending_question_test
