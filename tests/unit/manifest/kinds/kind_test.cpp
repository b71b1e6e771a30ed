#include "manifest/kinds/kind.hpp"

#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace kinds_kind_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

TEST_CASE("a name may have 63 characters, and fewer only for a reason that is told") {
  for (const GenKind* kind : gen_kinds()) {
    INFO(kind->word);
    CHECK(kind->name.most <= 63);
    CHECK((kind->name.most == 63) == kind->name.why.empty());
  }
}

TEST_CASE("what trains has five minutes to save its state when it is ended") {
  GenOptions options = options_named("train");
  options.gpus = 8;
  options.command = {"python", "train.py"};
  // A TrainJob may not say so before Trainer 2.3.
  for (const char* word : {"job", "jobset", "mpijob", "pytorchjob", "tfjob"}) {
    INFO(word);
    const std::string yaml = yaml_of(made(word, options).documents, Comments::left_out);
    CHECK_THAT(yaml, Catch::Contains("terminationGracePeriodSeconds: 300\n"));
  }
}

}  // namespace kinds_kind_test
