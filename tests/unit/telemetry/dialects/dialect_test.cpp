#include "telemetry/dialects/dialect.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "telemetry/dialects/interpret.hpp"

namespace dialects_dialect_test {

using namespace gpu::telemetry;

TEST_CASE("every dialect says all that there is to say of an exporter") {
  std::set<std::string_view> names;
  std::set<std::string_view> kinds;
  for (const Dialect* dialect : dialects()) {
    INFO(dialect->name);
    CHECK(names.insert(dialect->name).second);
    CHECK(kinds.insert(dialect->pods.kind).second);
    CHECK_FALSE(dialect->metrics.empty());
    CHECK_FALSE(dialect->windowed.empty());
    CHECK_FALSE(dialect->dated.empty());
    CHECK(dialect->samples != nullptr);
    CHECK(dialect->pods.usual_port > 0);
    CHECK_FALSE(dialect->pods.labels.empty());
    CHECK((!dialect->pods.images.empty() || !dialect->pods.container.empty()));
  }
}

TEST_CASE("a dialect dates its values by names that it reads") {
  for (const Dialect* dialect : dialects())
    for (const std::string_view name : dialect->dated) {
      INFO(name);
      CHECK(is_known_metric(name));
    }
}

TEST_CASE("a label that others write, too, proves nothing without an image") {
  for (const Dialect* dialect : dialects())
    for (const PodLabel& label : dialect->pods.labels)
      if (label.weight == PodLabel::Weight::hint) CHECK_FALSE(dialect->pods.images.empty());
}

}  // namespace dialects_dialect_test
