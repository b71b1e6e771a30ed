#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cost/forecast/make_forecast.hpp"
#include "manifest/kinds/made.hpp"
#include "manifest/read/manifest.hpp"

namespace gpu::cost::forecast_gen_kinds_test {
namespace {

using manifest::GenOptions;

/// What `gen WORD` prints, forecast on nodes of 8 H100: "PODS pods, UNITS GPUs", and what bounds
/// it.
std::string forecast_of(const std::string& word, const GenOptions& options) {
  Node node = make::of_type(make::node("gpu-a", 8), "p5.48xlarge", "NVIDIA-H100-80GB-HBM3");
  node.provider_id = "aws:///us-east-1a/i-0";
  const make::Forecasting from(make::snapshot({node}, {}));
  manifest::Documents documents = manifest::test::made(word, options).documents;
  const PlannedObjects planned =
      manifest::read_manifest(manifest::yaml_of(documents), "x.yaml", "default");
  const std::vector<ObjectForecast> objects =
      forecast(planned, {from.snapshot, from.ledger, from.prices, from.lines},
               {.run_for = std::chrono::hours(1)});
  if (objects.size() != 1) return std::to_string(objects.size()) + " objects";
  const ObjectForecast& object = objects.front();
  std::int64_t pods = 0;
  for (const PodForecast& each : object.pods)
    if (!each.gpus.empty()) pods += each.bounds.pods_at_once;
  const Money expected = share_of(parse_money("55.04").value(), object.units(), 8);
  const bool is_priced = object.cost.hour == MoneyRange{expected, expected};
  return std::to_string(pods) + " pods, " + std::to_string(object.units()) + " GPUs, " +
         (is_priced ? "" : "wrong price, ") + (object.cost.ends ? "ends" : "stays") +
         (object.cost.by_deadline ? " by a deadline" : "");
}

GenOptions options_of(std::int64_t nodes, std::int64_t gpus) {
  GenOptions options = manifest::test::options_named("train");
  if (nodes > 1) options.nodes = nodes;
  options.gpus = gpus;
  return options;
}

GenOptions with_command(GenOptions options, const char* word = "train.py") {
  options.command = {word};
  return options;
}

GenOptions with_deadline(GenOptions options) {
  options.deadline_seconds = 3600;
  return options;
}

GenOptions with_model(GenOptions options, const char* model = "hf://Qwen/Qwen2.5-7B-Instruct") {
  options.model = model;
  return options;
}

}  // namespace

TEST_CASE("what gen prints is forecast with its pods and GPUs, for jobs of each kind") {
  for (const char* const word : {"job", "jobset", "pytorchjob", "trainjob", "mpijob", "tfjob"}) {
    INFO(word);
    CHECK(forecast_of(word, with_command(options_of(1, 4))) == "1 pods, 4 GPUs, ends");
    CHECK(forecast_of(word, with_command(options_of(2, 8))) == "2 pods, 16 GPUs, ends");
    CHECK(forecast_of(word, with_command(with_deadline(options_of(2, 8)))) ==
          "2 pods, 16 GPUs, ends by a deadline");
  }
  CHECK(forecast_of("rayjob", with_command(with_deadline(options_of(2, 8)))) ==
        "2 pods, 16 GPUs, ends by a deadline");
}

TEST_CASE("what gen prints is forecast with its pods and GPUs, for what stays") {
  CHECK(forecast_of("notebook", options_of(1, 1)) == "1 pods, 1 GPUs, stays");
  CHECK(forecast_of("deployment", with_command(options_of(1, 2))) == "1 pods, 2 GPUs, stays");
  CHECK(forecast_of("raycluster", options_of(2, 8)) == "2 pods, 16 GPUs, stays");
  CHECK(forecast_of("rayservice", with_command(options_of(2, 8), "app:deployment")) ==
        "2 pods, 16 GPUs, stays");
  CHECK(forecast_of("leaderworkerset", with_model(options_of(2, 8))) == "2 pods, 16 GPUs, stays");
  CHECK(forecast_of("inferenceservice", with_model(options_of(1, 2))) == "1 pods, 2 GPUs, stays");
  CHECK(forecast_of("pod", options_of(1, 1)) == "1 pods, 1 GPUs, ends");
}

}  // namespace gpu::cost::forecast_gen_kinds_test
