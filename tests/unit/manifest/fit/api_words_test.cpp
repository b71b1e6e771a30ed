#include "manifest/fit/api_words.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"

namespace fit_api_words_test {

using namespace gpu;
using namespace gpu::manifest;

namespace {

/// The message with which the words are refused; empty where they are taken.
std::string refused(const GenOptions& options) {
  try {
    check_api_words(options);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.message() : "not a usage error";
  }
  return {};
}

std::string text_of(std::size_t size) { return std::string(size, 'a'); }

std::string env_refused(const std::string& name) {
  GenOptions options;
  options.env = {{.name = name, .value = "1", .secret = {}, .key = {}}};
  return refused(options);
}

std::string path_refused(const std::string& path) {
  GenOptions options;
  options.claims = {{.claim = "data", .path = path}};
  return refused(options);
}

std::string script_refused(const std::string& name, const std::string& text = "print()") {
  GenOptions options;
  options.script = Script{.name = name, .text = text};
  return refused(options);
}

}  // namespace

TEST_CASE("A DNS label has 1 to 63 lower case letters, digits and dashes inside") {
  for (const char* const good : {"a", "z", "0", "9", "a-b", "7b"}) CHECK(is_dns_label(good));
  for (const char* const bad : {"", "-a", "a-", "A", "a.b", "a_b", "a b", "{", "`", "\xc3\xa4"})
    CHECK_FALSE(is_dns_label(bad));
  CHECK(is_dns_label(text_of(63)));
  CHECK_FALSE(is_dns_label(text_of(64)));
}

TEST_CASE("The name of an object is DNS labels with dots between them, of 253 characters") {
  for (const char* const good : {"a", "a.b", "0.a-b.c9"}) CHECK(is_dns_subdomain(good));
  for (const char* const bad :
       {"", ".", "a.", ".a", "a..b", "-a.b", "a-.b", "a.-b", "a.b-", "A.b", "a_b", "a/b"})
    CHECK_FALSE(is_dns_subdomain(bad));
  CHECK(is_dns_subdomain(text_of(253)));
  CHECK_FALSE(is_dns_subdomain(text_of(254)));
}

TEST_CASE("The key of a label is a name, or a domain and a name") {
  for (const char* const good : {"team", "Team_1.x-y", "acme.io/team", "acme.io/T"})
    CHECK(is_qualified_name(good));
  for (const char* const bad : {"", "/", "/team", "acme.io/", "Acme.io/team", "a/b/c", "-team",
                                "team-", "_team", "team.", "te am", "acme.io/-team"})
    CHECK_FALSE(is_qualified_name(bad));
  CHECK(is_qualified_name(text_of(63)));
  CHECK_FALSE(is_qualified_name(text_of(64)));
  CHECK(is_qualified_name("acme.io/" + text_of(63)));
  CHECK_FALSE(is_qualified_name("acme.io/" + text_of(64)));
  CHECK(is_qualified_name(text_of(253) + "/a"));
  CHECK_FALSE(is_qualified_name(text_of(254) + "/a"));
}

TEST_CASE("The value of a label may be empty, and has no slash and no blank") {
  for (const char* const good : {"", "NVIDIA-H100-80GB-HBM3", "a_b.c", "0"})
    CHECK(is_label_value(good));
  for (const char* const bad : {"a/b", "NVIDIA A100", "-a", "a-", ".a", "a_", "a=b"})
    CHECK_FALSE(is_label_value(bad));
  CHECK(is_label_value(text_of(63)));
  CHECK_FALSE(is_label_value(text_of(64)));
}

TEST_CASE("Words that were not given are not refused") { CHECK(refused({}).empty()); }

TEST_CASE("A namespace has no dots") {
  GenOptions options;
  options.ns = "ml-team";
  CHECK(refused(options).empty());
  options.ns = "ml.team";
  CHECK(refused(options) == "--namespace: `ml.team` cannot be a namespace");
}

TEST_CASE("Names of other objects are checked, and the refusal names their flag") {
  const auto check = [](std::string GenOptions::*field, const std::string& flag) {
    GenOptions options;
    options.*field = "team.gpu-1";
    CHECK(refused(options).empty());
    options.*field = "Team GPU";
    CHECK(refused(options) == flag + ": `Team GPU` cannot be the name of an object");
  };
  check(&GenOptions::queue, "--queue");
  check(&GenOptions::priority_class, "--priority");
  check(&GenOptions::runtime_class, "--runtime-class");
  check(&GenOptions::service_account, "--service-account");
  check(&GenOptions::storage_class, "--storage-class");
}

TEST_CASE("The Secret of --hf-secret and its key are checked by themselves") {
  GenOptions options;
  options.hf_secret = "hf-token/TOKEN_1";
  CHECK(refused(options).empty());
  for (const char* const none : {"", "/", "/token"}) {
    options.hf_secret = none;
    CHECK(refused(options).find("cannot be a Secret") != std::string::npos);
  }
  for (const char* const bad : {"a/", "a/b/c", "a/b c"}) {
    options.hf_secret = bad;
    CHECK(refused(options).find("cannot be a key of a Secret") != std::string::npos);
  }
  options.hf_secret = "hf_token/token";
  CHECK(refused(options) == "--hf-secret: `hf_token` cannot be the name of an object");
}

TEST_CASE("Keys and values of labels and selectors are checked, and only keys of annotations") {
  const auto check = [](TextPairs GenOptions::*field, const std::string& flag) {
    GenOptions options;
    options.*field = {{"acme.io/team", "a b"}};
    CHECK(refused(options) == flag + ": `a b` cannot be the value of a label");
    options.*field = {{"team", "a"}, {"my team", "a"}};
    CHECK(refused(options) == flag + ": `my team` cannot be the key of a label");
  };
  check(&GenOptions::labels, "--label");
  check(&GenOptions::node_selector, "--node-selector");
  check(&GenOptions::selector, "--selector");
  GenOptions options;
  options.annotations = {{"acme.io/why", "any text: at all / here"}};
  CHECK(refused(options).empty());
  options.annotations = {{"why not", "a"}};
  CHECK(refused(options) == "--annotation: `why not` cannot be the key of an annotation");
}

TEST_CASE("Annotations have 256 KiB together, with their keys") {
  GenOptions options;
  options.annotations = {{"a", text_of(100'000)}, {"b", text_of(162'142)}};
  CHECK(refused(options).empty());
  options.annotations[0].second += "a";
  CHECK(refused(options) == "--annotation: all of them together are larger than 256 KiB");
}

TEST_CASE("The name of a variable is printable, and has no blank and no equals sign") {
  for (const char* const good : {"BATCH_SIZE", "a.b-c", "!", "~"}) CHECK(env_refused(good).empty());
  for (const char* const bad : {"", "A B", "A=B", "A\tB", "\x7f", "\xc3\x84"})
    CHECK(env_refused(bad).find("cannot be the name of a variable") != std::string::npos);
}

TEST_CASE("The Secret of a variable has the name of an object") {
  GenOptions options;
  options.env = {{.name = "TOKEN", .value = {}, .secret = "my_secret", .key = "k"}};
  CHECK(refused(options) == "--env-from-secret: `my_secret` cannot be the name of an object");
}

TEST_CASE("A key of a Secret is what the API server takes as one") {
  const auto message = [](const std::string& key) {
    GenOptions options;
    options.env = {{.name = "TOKEN", .value = {}, .secret = "s", .key = key}};
    return refused(options);
  };
  for (const std::string& good : {std::string("a.b_c-D9"), text_of(253)})
    CHECK(message(good).empty());
  for (const std::string& bad : {std::string(), std::string("."), std::string(".."),
                                 std::string("a/b"), std::string("a b"), text_of(254)})
    CHECK(message(bad).find("cannot be a key of a Secret") != std::string::npos);
}

TEST_CASE("A claim is mounted at a whole path, which has no colon and climbs nowhere") {
  for (const char* const good : {"/d", "/data/in.put"}) CHECK(path_refused(good).empty());
  for (const char* const bad :
       {"", "/", "data", "data/in", "/a:b", "/a/../b", "/a/", "//a", "/a//b", "/a\x1b[31m"})
    CHECK(path_refused(bad).find("cannot be a place in the container") != std::string::npos);
  GenOptions options;
  options.claims = {{.claim = "my_data", .path = "/data"}};
  CHECK(refused(options) == "--volume: `my_data` cannot be the name of an object");
}

TEST_CASE("Key and value of a toleration are those of a label") {
  GenOptions options;
  options.tolerations = {{.key = "acme.io/dedicated", .value = "research", .effect = "NoSchedule"}};
  CHECK(refused(options).empty());
  options.tolerations = {{.key = "my key", .value = {}, .effect = {}}};
  CHECK(refused(options) == "--toleration: `my key` cannot be a taint");
  options.tolerations = {{.key = "dedicated", .value = "a b", .effect = {}}};
  CHECK(refused(options) == "--toleration: `dedicated=a b` cannot be a taint");
}

TEST_CASE("The file of --script is text under a name that a ConfigMap takes as a key") {
  CHECK(script_refused("train_v1-2.PY").empty());
  CHECK(script_refused(text_of(253)).empty());
  for (const std::string& bad : {std::string(), std::string("."), std::string(".."),
                                 std::string("a b.py"), std::string("a/b.py"), text_of(254)})
    CHECK(script_refused(bad).find("cannot be a key of a ConfigMap") != std::string::npos);
  CHECK(script_refused("a.py", std::string("a\0b", 3)).find("it is not text") != std::string::npos);
}

TEST_CASE("Memory, shm and storage are between 1Mi and 1Pi, both included") {
  const auto check = [](std::optional<Quantity> GenOptions::*field, const std::string& flag) {
    const auto message = [&](std::int64_t bytes) {
      GenOptions options;
      options.*field = Quantity::of(bytes);
      return refused(options);
    };
    const std::int64_t least = std::int64_t{1} << 20;
    const std::int64_t most = std::int64_t{1} << 50;
    CHECK(message(least).empty());
    CHECK(message(most).empty());
    CHECK(message(least - 1) == flag + " is not between 1Mi and 1Pi");
    CHECK(message(most + 1) == flag + " is not between 1Mi and 1Pi");
  };
  check(&GenOptions::memory, "--memory");
  check(&GenOptions::shm, "--shm");
  check(&GenOptions::storage, "--storage");
}

TEST_CASE("CPUs are between a thousandth and 4096, both included") {
  const auto message = [](Quantity cpu) {
    GenOptions options;
    options.cpu = cpu;
    return refused(options);
  };
  CHECK(message(Quantity::of_milli(1)).empty());
  CHECK(message(Quantity::of(4096)).empty());
  CHECK(message(Quantity::of(0)) == "--cpu is not between 1m and 4096");
  CHECK(message(Quantity::of_milli(4096001)) == "--cpu is not between 1m and 4096");
}

TEST_CASE("Pods, retries and seconds are no more than the API server takes") {
  const auto check = [](std::optional<std::int64_t> GenOptions::*field, std::int64_t most,
                        const std::string& what) {
    GenOptions options;
    options.*field = most;
    CHECK(refused(options).empty());
    options.*field = most + 1;
    CHECK(refused(options) == what);
  };
  check(&GenOptions::nodes, 100'000, "--nodes is more than 100000");
  check(&GenOptions::retries, 10'000, "--retries is more than 10000");
  check(&GenOptions::ttl_seconds, 2'147'483'647, "--ttl is longer than 24855 days");
  check(&GenOptions::deadline_seconds, 2'147'483'647, "--deadline is longer than 24855 days");
}

TEST_CASE("A model has no bytes that move a terminal's cursor") {
  GenOptions options;
  options.model = "acme/model v2";
  CHECK(refused(options).empty());
  options.model = "acme/\x1b[2J";
  CHECK(refused(options) == "--model: `acme/\\x1b[2J` cannot be a model");
}

TEST_CASE("An image has no blanks and no bytes that move a terminal's cursor") {
  for (const char* const bad : {"a b", "a\tb", "a\n", " a", "a\x1b[2J"}) {
    GenOptions options;
    options.image = bad;
    CHECK(refused(options).find("cannot be an image") != std::string::npos);
  }
  GenOptions options;
  options.image = "ghcr.io/acme/train@sha256:0123";
  CHECK(refused(options).empty());
}

TEST_CASE("A MIG profile has a number of slices and of gigabytes, and may name what it has more") {
  for (const char* const good : {"1g.10gb", "7g.80gb", "1g.10gb+me", "1g.10gb.me", "11g.0gb+z"})
    CHECK(is_mig_profile(good));
  for (const char* const bad :
       {"", "1", "g.10gb", "1g.gb", "1g.10", "xg.10gb", "1g.xgb", "1g10gb", "1g.10gb+ME",
        "1g.10gb+m e", "1g.10gb=7", "1g.10gb,3g.40gb", "mig-1g.10gb", "1g.10mb", "1g.10gbx"})
    CHECK_FALSE(is_mig_profile(bad));
}

TEST_CASE("A refusal shows a terminal no escapes of what was typed") {
  GenOptions options;
  options.queue = "a\x1b[2Jb";
  CHECK(refused(options).find('\x1b') == std::string::npos);
  CHECK_FALSE(refused(options).empty());
}

}  // namespace fit_api_words_test
