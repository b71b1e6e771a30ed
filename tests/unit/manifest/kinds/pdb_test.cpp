#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_pdb_test {
namespace {

GenOptions budget() {
  GenOptions options;
  options.name = "web";
  return options;
}

const Tree& spec_of(const Generated& made) { return *made.documents.front().find("spec"); }

}  // namespace

TEST_CASE("a pdb lets one pod go at a time, so that nodes can be drained") {
  const Generated pdb = made("pdb", budget());
  CHECK(text_at(pdb.documents.front(), "apiVersion") == "policy/v1");
  CHECK(text_at(spec_of(pdb), "maxUnavailable") == "1");
  CHECK(text_at(spec_of(pdb), "minAvailable") == "-");
  CHECK(text_at(spec_of(pdb), "unhealthyPodEvictionPolicy") == "AlwaysAllow");
  CHECK(text_at(spec_of(pdb), "selector.matchLabels") == "{app.kubernetes.io/name: web}");
  CHECK(says(pdb, "--selector chooses others"));
  CHECK(is_read_back(pdb.documents));
}

TEST_CASE("a pdb of training keeps a number of pods, which is no text") {
  GenOptions options = budget();
  options.min_available = "4";
  options.selector = {{"job-name", "train"}, {"team", "a"}};
  const Generated pdb = made("pdb", options);
  CHECK(text_at(spec_of(pdb), "minAvailable") == "4");
  CHECK(text_at(spec_of(pdb), "maxUnavailable") == "-");
  CHECK(text_at(spec_of(pdb), "selector.matchLabels") == "{job-name: train, team: a}");
  CHECK(pdb.notes.empty());
  CHECK(is_read_back(pdb.documents));
}

TEST_CASE("a share of pods is a text, and means nothing for Jobs") {
  GenOptions options = budget();
  options.max_unavailable = "25%";
  CHECK(text_at(spec_of(made("pdb", options)), "maxUnavailable") == R"("25%")");
  options = budget();
  options.min_available = "50%";
  CHECK(says(made("pdb", options), "has to be a number"));
}

TEST_CASE("a pdb that lets nothing go is warned of") {
  GenOptions options = budget();
  options.max_unavailable = "0";
  CHECK(says(made("pdb", options), "no node with these pods can be drained"));
}

TEST_CASE("a pdb has one bound, which can be read") {
  GenOptions options = budget();
  options.max_unavailable = "1";
  options.min_available = "1";
  CHECK(refusal("pdb", options) == "--min-available and --max-unavailable exclude each other");
  options.min_available.clear();
  for (const char* bad : {"x", "-1", "101%", "%", "1.5", "2147483648"}) {
    options.max_unavailable = bad;
    CHECK(refusal("pdb", options) == "`--max-unavailable " + std::string(bad) + "` cannot be read");
  }
}

}  // namespace gpu::manifest::test::kinds_pdb_test
