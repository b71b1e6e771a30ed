#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace kinds_tfjob_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kTFWorker = "spec.tfReplicaSpecs.Worker.";

std::string of_tfjob(const Generated& made, std::string_view path) {
  return text_at(made.documents.back(), path);
}

GenOptions tf_options() {
  GenOptions options = options_named("mnist");
  options.nodes = 3;
  options.gpus = 4;
  options.command = {"python", "train.py"};
  return options;
}

}  // namespace

TEST_CASE("A TFJob has as many Workers as nodes, and no other replicas") {
  const Generated three = made("tfjob", tf_options());
  CHECK(of_tfjob(three, "apiVersion") == "kubeflow.org/v1");
  CHECK(of_tfjob(three, "kind") == "TFJob");
  CHECK(of_tfjob(three, kTFWorker + "replicas") == "3");
  CHECK(std::get<Tree::Map>(at(three.documents.back(), "spec.tfReplicaSpecs")->value()).size() ==
        1);
  CHECK(of_tfjob(three, "spec.successPolicy") == "AllWorkers");
  GenOptions one = tf_options();
  one.nodes = {};
  CHECK(of_tfjob(made("tfjob", one), kTFWorker + "replicas") == "1");
  CHECK(of_tfjob(made("tfjob", one), "spec.successPolicy") == "-");
}

TEST_CASE("The container of a TFJob is called tensorflow, as its webhook wants it") {
  const Generated three = made("tfjob", tf_options());
  CHECK(of_tfjob(three, kTFWorker + "template.spec.containers[0].name") == "tensorflow");
  CHECK(of_tfjob(three, kTFWorker + "template.spec.containers[0].command") == "[python, train.py]");
}

TEST_CASE("A TFJob fails once, and gives back what still runs") {
  const Generated three = made("tfjob", tf_options());
  CHECK(of_tfjob(three, kTFWorker + "restartPolicy") == "Never");
  CHECK(of_tfjob(three, "spec.runPolicy.backoffLimit") == "0");
  CHECK(of_tfjob(three, "spec.runPolicy.cleanPodPolicy") == "Running");
  CHECK(comments_on(three, "OnFailure restarts one rank alone, for ever"));
  CHECK_FALSE(find_gen_kind("tfjob")->options.contains(Option::retries));
}

TEST_CASE("TensorFlow takes memory as it needs it where others share the card") {
  GenOptions options = tf_options();
  CHECK(of_tfjob(made("tfjob", options), kTFWorker + "template.spec.containers[0].env")
            .find("ALLOW_GROWTH") == std::string::npos);
  options.gpus = {};
  options.is_shared = true;
  CHECK(of_tfjob(made("tfjob", options), kTFWorker + "template.spec.containers[0].env")
            .find("{name: TF_FORCE_GPU_ALLOW_GROWTH, value: \"true\"}") != std::string::npos);
}

TEST_CASE("A script of a TFJob is run by python, in an image of TensorFlow") {
  GenOptions options = tf_options();
  options.image = "";
  options.command = {};
  options.script = Script{"fit.py", "print(1)\n"};
  const Generated three = made("tfjob", options);
  CHECK(of_tfjob(three, kTFWorker + "template.spec.containers[0].command") ==
        "[python, /scripts/fit.py]");
  CHECK(of_tfjob(three, kTFWorker + "template.spec.containers[0].image")
            .starts_with("tensorflow/tensorflow:"));
  options.script = Script{"fit.sh", "true\n"};
  CHECK(of_tfjob(made("tfjob", options), kTFWorker + "template.spec.containers[0].command") ==
        "[bash, /scripts/fit.sh]");
}

TEST_CASE("Workers of a TFJob run on nodes of their own") {
  CHECK(of_tfjob(made("tfjob", tf_options()),
                 kTFWorker + "template.spec.affinity.podAntiAffinity."
                             "requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector."
                             "matchLabels") == "{training.kubeflow.org/job-name: mnist}");
}

TEST_CASE("Names of TFJobs begin with a letter and leave room for NAME-worker-INDEX") {
  GenOptions options = tf_options();
  options.name = "2d";
  CHECK(refusal("tfjob", options).find("begins with a letter") != std::string::npos);
  options.name = std::string(53, 'a');
  CHECK(refusal("tfjob", options).find("NAME-worker-INDEX") != std::string::npos);
}

TEST_CASE("A TFJob in a queue says what Kueue needs, and is read back as it was written") {
  GenOptions options = tf_options();
  options.queue = "gpu";
  const Generated queued = made("tfjob", options);
  CHECK(says(queued, "Kueue leaves TFJobs alone"));
  CHECK(of_tfjob(queued, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(is_read_back(queued.documents));
}

}  // namespace kinds_tfjob_test
