#include "manifest/kinds/check.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"
#include "manifest/kinds/made.hpp"

namespace kinds_check_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

struct Refusal {
  std::string message;
  std::string help;
};

Refusal checked(const GenOptions& options, const ClusterFacts& facts = {},
                std::string_view word = "job") {
  try {
    check_request(*find_gen_kind(word), options, facts);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return {error.message(), error.help()};
  }
  return {};
}

bool is_taken(const GenOptions& options) { return checked(options).message.empty(); }

Refusal named(std::string name, std::string_view word = "job") {
  return checked(options_named(std::move(name)), {}, word);
}

GenOptions with_claims(std::vector<std::string> paths) {
  GenOptions options = options_named("train");
  for (std::string& path : paths)
    options.claims.push_back({.claim = "data", .path = std::move(path)});
  return options;
}

}  // namespace

TEST_CASE("A name has lower case letters, digits, and dashes between them") {
  for (const char* const good : {"a", "z9", "7b", "a-b", "0"}) CHECK(named(good).message.empty());
  for (const char* const bad : {"", "-a", "a-", "A", "a.b", "a_b", "a b", "a`", "a{", "a/b"})
    CHECK(named(bad).message.find("is no valid name of the kind Job") != std::string::npos);
  CHECK(named(std::string(63, 'a')).message.empty());
  CHECK_FALSE(named(std::string(64, 'a')).message.empty());
}

TEST_CASE("A name that a Service bears begins with a letter") {
  CHECK(named("b7", "deployment").message.empty());
  CHECK(named("7b", "deployment").message.find("and begins with a letter") != std::string::npos);
  CHECK(named("7B").message.find("begins with a letter") == std::string::npos);
}

TEST_CASE("The refusal of a name proposes the nearest one that is valid") {
  CHECK(named("My_Train.Job").help == "for example `my-train-job`");
  CHECK(named("a__b").help == "for example `a-b`");
  CHECK(named("_a_").help == "for example `a`");
  CHECK(named("7B", "deployment").help == "for example `gpu-7b`");
  CHECK(named("7B").help == "for example `7b`");
  CHECK(named("___").help == "for example `gpu`");
  CHECK(named(std::string(70, 'a')).help == "for example `" + std::string(63, 'a') + "`");
  CHECK(named(std::string(62, 'a') + "-bcd").help == "for example `" + std::string(62, 'a') + "`");
  CHECK(named("7" + std::string(60, 'a'), "deployment").help ==
        "for example `gpu-7" + std::string(51, 'a') + "`");
}

TEST_CASE("The refusal of a name shows no escapes of a terminal") {
  CHECK(named("a\x1b[2J").message.find('\x1b') == std::string::npos);
}

TEST_CASE("Words that the API server does not take are refused for every kind") {
  GenOptions options = options_named("it");
  options.labels = {{"my team", "a"}};
  for (const char* const word : {"job", "quota", "pvc"})
    CHECK(checked(options, {}, word).message.find("--label") == 0);
}

TEST_CASE("Objects that the cluster does not have are refused, and known ones are taken") {
  ClusterFacts facts;
  facts.queues = facts.priority_classes = facts.runtime_classes =
      facts.storage_classes = {{"gpu-queue"}};
  const auto check = [&](std::string GenOptions::*field, const std::string& kind,
                         const std::string& create) {
    GenOptions options = options_named("train");
    CHECK(checked(options, facts).message.empty());
    options.*field = "gpu-queue";
    CHECK(checked(options, facts).message.empty());
    options.*field = "gpu-quue";
    CHECK(is_taken(options));
    CHECK(checked(options, facts).message == "there is no " + kind + " `gpu-quue`");
    CHECK(checked(options, facts).help == "a similar one is `gpu-queue`");
    options.*field = "zzzzzzzz";
    CHECK(checked(options, facts).help == "there are gpu-queue");
    ClusterFacts none;
    none.queues = none.priority_classes = none.runtime_classes = none.storage_classes =
        std::vector<std::string>{};
    CHECK(checked(options, none).help == create);
  };
  check(&GenOptions::queue, "LocalQueue",
        "it may be in another namespace: --namespace; kubectl gpu gen queue creates one");
  check(&GenOptions::priority_class, "PriorityClass", "create it first");
  check(&GenOptions::runtime_class, "RuntimeClass",
        "leave out --runtime-class: pods that name a missing one are refused");
  check(&GenOptions::storage_class, "StorageClass", "create it first");
}

TEST_CASE("Each claim has to be one of the namespace") {
  ClusterFacts facts;
  facts.claims = {"data"};
  GenOptions options = options_named("train");
  options.claims = {{.claim = "data", .path = "/a"}};
  CHECK(checked(options, facts).message.empty());
  options.claims.push_back({.claim = "dota", .path = "/b"});
  CHECK(checked(options, facts).message == "there is no PersistentVolumeClaim `dota`");
  facts.ns = "ml";
  CHECK(checked(options, facts).message ==
        "there is no PersistentVolumeClaim `dota` in the namespace ml");
}

TEST_CASE("A LocalQueue is looked for in the namespace, and a PriorityClass in none") {
  ClusterFacts facts;
  facts.ns = "ml";
  facts.queues = facts.priority_classes = std::vector<std::string>{};
  GenOptions options = options_named("train");
  options.priority_class = "high";
  CHECK(checked(options, facts).message == "there is no PriorityClass `high`");
  options.queue = "gpu";
  CHECK(checked(options, facts).message == "there is no LocalQueue `gpu` in the namespace ml");
}

TEST_CASE("Two volumes are not at one place, nor at those of memory and of scripts") {
  CHECK(is_taken(with_claims({"/a", "/b"})));
  CHECK(checked(with_claims({"/a", "/b", "/a"})).message == "two volumes cannot be at /a");
  CHECK(checked(with_claims({"/a", "/b", "/b"})).message == "two volumes cannot be at /b");
  CHECK(checked(with_claims({"/dev/shm"})).message == "two volumes cannot be at /dev/shm");
  CHECK(checked(with_claims({"/a", "/scripts"})).message == "two volumes cannot be at /scripts");
}

TEST_CASE("A claim for devices is no share, and a slice is one") {
  GenOptions options = options_named("train");
  options.uses_dra = true;
  CHECK(is_taken(options));
  options.is_shared = true;
  CHECK(checked(options).message == "--dra and --shared exclude each other");
  options.uses_dra = false;
  CHECK(is_taken(options));
  options = options_named("train");
  options.mig = "1g.10gb";
  CHECK(is_taken(options));
  options.gpus = 1;
  CHECK(checked(options).message == "--gpus and --mig exclude each other");
  options.mig = "";
  CHECK(is_taken(options));
}

TEST_CASE("A MIG profile has to be one, where a pod asks for it") {
  GenOptions options = options_named("train");
  options.mig = "1g.10gb=2";
  CHECK(checked(options).message == "there is no MIG profile `1g.10gb=2`");
  CHECK(checked(options, {}, "quota").message.empty());
}

TEST_CASE("A pod without GPUs asks for none in any form") {
  GenOptions options = options_named("train");
  options.is_cpu_only = true;
  CHECK(is_taken(options));
  const std::string message = "--cpu-only excludes --gpus, --gpu-model, --mig, --shared and --dra";
  options.gpus = 1;
  CHECK(checked(options).message == message);
  options.gpus.reset();
  options.mig = "1g.10gb";
  CHECK(checked(options).message == message);
  options.mig = "";
  options.is_shared = true;
  CHECK(checked(options).message == message);
  options.is_shared = false;
  options.gpu_models = {"H100"};
  CHECK(checked(options).message == message);
  options.gpu_models.clear();
  options.uses_dra = true;
  CHECK(checked(options).message == message);
}

TEST_CASE("A share is a part of one card") {
  GenOptions options = options_named("train");
  options.is_shared = true;
  options.gpus = 1;
  CHECK(is_taken(options));
  options.gpus = 2;
  CHECK(checked(options).message == "--shared is a part of one card, so --gpus can only be 1");
  options.is_shared = false;
  CHECK(is_taken(options));
}

TEST_CASE("A quota counts both GPUs and slices") {
  GenOptions options = options_named("it");
  options.gpus = 4;
  options.mig = "1g.10gb=2";
  CHECK(checked(options, {}, "quota").message.empty());
}

TEST_CASE("A Secret that the namespace lacks is a warning with the nearest name") {
  ClusterFacts facts;
  facts.ns = "ml";
  GenOptions options = options_named("train");
  options.env = {{.name = "A", .value = {}, .secret = "hf-tokn", .key = "token"},
                 {.name = "B", .value = {}, .secret = "hf-tokn", .key = "more"},
                 {.name = "C", .value = "plain", .secret = {}, .key = {}}};
  CHECK(made("job", options, facts).notes.empty());
  facts.secrets = {"hf-token", "registry"};
  const Generated job = made("job", options, facts);
  REQUIRE(job.notes.size() == 1);
  CHECK(job.notes[0].level == GenNote::Level::warning);
  CHECK(job.notes[0].text == "there is no Secret `hf-tokn` in the namespace ml");
  CHECK(job.notes[0].help == "a similar one is `hf-token`");
  facts.secrets->clear();
  CHECK(made("job", options, facts).notes[0].help ==
        "its pods wait for it: kubectl create secret generic hf-tokn");
  facts.secrets = {"hf-tokn"};
  CHECK(made("job", options, facts).notes.empty());
}

TEST_CASE("Of the Secret with a token of Hugging Face only one that was named is missed") {
  ClusterFacts facts;
  facts.ns = "ml";
  facts.secrets = {"registry"};
  GenOptions options = options_named("llm");
  options.image.clear();
  options.model = "Qwen/Qwen2.5-7B-Instruct";
  CHECK_FALSE(says(made("deployment", options, facts), "there is no Secret"));
  options.hf_secret = "hf/token";
  CHECK(says(made("deployment", options, facts), "there is no Secret `hf` in the namespace ml"));
}

TEST_CASE("A queue in a namespace that Kueue leaves alone is a warning") {
  ClusterFacts facts;
  facts.ns = "kube-system";
  facts.is_managed_by_kueue = false;
  GenOptions options = options_named("train");
  CHECK(made("job", options, facts).notes.empty());
  options.queue = "team";
  CHECK(says(made("job", options, facts), "Kueue does not manage the namespace kube-system"));
  facts.is_managed_by_kueue = true;
  CHECK(made("job", options, facts).notes.empty());
  facts.is_managed_by_kueue.reset();
  CHECK(made("job", options, facts).notes.empty());
}

TEST_CASE("Of a name that is like no other, six of those that there are stand in the help") {
  GenOptions options = options_named("train");
  options.queue = "zzzzzzzzzz";
  ClusterFacts facts;
  facts.queues = {"aa", "bb", "cc", "dd", "ee", "ff"};
  CHECK(checked(options, facts).help == "there are aa, bb, cc, dd, ee, ff");
  facts.queues->push_back("gg");
  facts.queues->push_back("hh");
  CHECK(checked(options, facts).help == "there are aa, bb, cc, dd, ee, ff and 2 more");
}

}  // namespace kinds_check_test
