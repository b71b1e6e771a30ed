#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_rayjob_test {
namespace {

GenOptions ray_job() {
  GenOptions options;
  options.name = "train";
  options.command = {"python", "train.py"};
  return options;
}

const Tree& only(const Generated& made) { return made.documents.back(); }

constexpr const char* kWorker = "spec.rayClusterSpec.workerGroupSpecs[0]";
constexpr const char* kWorkerPod = "spec.rayClusterSpec.workerGroupSpecs[0].template.spec";
constexpr const char* kHeadPod = "spec.rayClusterSpec.headGroupSpec.template.spec";

std::string in(const char* part, const char* path) { return std::string(part) + path; }

}  // namespace

TEST_CASE("a rayjob lets go of its GPUs when it ends") {
  const Generated job = made("rayjob", ray_job());
  CHECK(text_at(only(job), "apiVersion") == "ray.io/v1");
  CHECK(text_at(only(job), "kind") == "RayJob");
  CHECK(text_at(only(job), "spec.shutdownAfterJobFinishes") == "true");
  CHECK(text_at(only(job), "spec.ttlSecondsAfterFinished") == "300");
  CHECK(is_read_back(job.documents));
}

TEST_CASE("a long --ttl of a rayjob holds GPUs, and that is said") {
  GenOptions options = ray_job();
  options.ttl_seconds = 86400;
  const Generated job = made("rayjob", options);
  CHECK(text_at(only(job), "spec.ttlSecondsAfterFinished") == "86400");
  CHECK(says(job, "keeps its GPUs for --ttl"));
  CHECK_FALSE(says(made("rayjob", ray_job()), "--ttl"));
}

TEST_CASE("the CPU limit of Ray's pods is the request, since Ray reads limits") {
  const Generated job = made("rayjob", ray_job());
  const std::string expected = R"({cpu: "8", memory: 64Gi, nvidia.com/gpu: 1})";
  CHECK(text_at(only(job), in(kWorkerPod, ".containers[0].resources.requests")) == expected);
  CHECK(text_at(only(job), in(kWorkerPod, ".containers[0].resources.limits")) == expected);
  CHECK(text_at(only(job), in(kHeadPod, ".containers[0].resources.limits.cpu")) == R"("4")");
}

TEST_CASE(
    "--nodes are the workers of Ray, --gpus those of each, and all three counts are written") {
  GenOptions options = ray_job();
  options.nodes = 3;
  options.gpus = 4;
  const Generated job = made("rayjob", options);
  for (const char* count : {".replicas", ".minReplicas", ".maxReplicas"})
    CHECK(text_at(only(job), in(kWorker, count)) == "3");
  CHECK(text_at(only(job), in(kWorkerPod, ".containers[0].resources.limits.nvidia.com/gpu")) ==
        "4");
  CHECK(text_at(only(job), in(kWorker, ".rayStartParams")) == "{}");
  CHECK(yaml_of(job.documents, Comments::left_out).find("num-gpus") == std::string::npos);
}

TEST_CASE("the head of Ray has no GPU and runs no tasks") {
  const Generated job = made("rayjob", ray_job());
  CHECK(text_at(only(job), "spec.rayClusterSpec.headGroupSpec.rayStartParams.num-cpus") ==
        R"("0")");
  CHECK(text_at(only(job), in(kHeadPod, ".containers[0].resources.limits")) ==
        R"({cpu: "4", memory: 16Gi})");
  CHECK(text_at(only(job), in(kHeadPod, ".tolerations")) == "-");
}

TEST_CASE("/dev/shm of Ray's workers is 30 % of their memory") {
  GenOptions options = ray_job();
  options.memory = Quantity::parse("100Gi");
  const Generated job = made("rayjob", options);
  CHECK(text_at(only(job), in(kWorkerPod, ".volumes[0].emptyDir.sizeLimit")) == "30Gi");
  CHECK(text_at(only(job), in(kHeadPod, ".volumes[0].emptyDir.sizeLimit")) == "4Gi");
  options.memory = Quantity::parse("2Gi");
  CHECK(text_at(only(made("rayjob", options)), in(kWorkerPod, ".volumes[0].emptyDir.sizeLimit")) ==
        "614Mi");
}

TEST_CASE("Ray without GPUs has an image without CUDA, and its object store all the same") {
  GenOptions options = ray_job();
  options.is_cpu_only = true;
  const Generated job = made("rayjob", options);
  CHECK(text_at(only(job), in(kWorkerPod, ".containers[0].image")) == "rayproject/ray:2.52.0");
  CHECK(text_at(only(job), in(kWorker, ".groupName")) == "cpu");
  CHECK(text_at(only(job), in(kWorkerPod, ".volumes[0].emptyDir.sizeLimit")) == "1Gi");
  CHECK(text_at(only(job), in(kWorkerPod, ".tolerations")) == "-");
}

TEST_CASE("rayVersion is that of the image's tag") {
  const char* const path = "spec.rayClusterSpec.rayVersion";
  CHECK(text_at(only(made("rayjob", ray_job())), path) == R"("2.52.0")");
  GenOptions options = ray_job();
  for (const auto& [image, version] :
       {std::pair{"registry:5000/acme/ray:2.49.1-py312-gpu", "2.49.1"},
        {"rayproject/ray:2.50.0.abc123", "2.50.0"},
        {"rayproject/ray:2.50.0@sha256:0123", "2.50.0"},
        {"rayproject/ray:nightly", "-"},
        {"rayproject/ray:2.50", "-"},
        {"rayproject/ray:2..50", "-"},
        {"registry:5000/ray", "-"},
        {"acme/ray@sha256:0123", "-"}}) {
    options.image = image;
    CAPTURE(image);
    const std::string text = *version == '-' ? "-" : "\"" + std::string(version) + "\"";
    CHECK(text_at(only(made("rayjob", options)), path) == text);
    CHECK(says(made("rayjob", options), "rayVersion is left out") == (std::string(version) == "-"));
  }
}

TEST_CASE("--ray-version says what the tag does not, and is warned of where they differ") {
  GenOptions options = ray_job();
  options.image = "acme/train:7";
  options.ray_version = "2.50.0";
  const Generated job = made("rayjob", options);
  CHECK(text_at(only(job), "spec.rayClusterSpec.rayVersion") == R"("2.50.0")");
  CHECK_FALSE(says(job, "not known"));
  options.image = "rayproject/ray:2.52.0-gpu";
  CHECK(says(made("rayjob", options), "is not the 2.52.0 of the image's tag"));
  for (const char* bad : {"2.5", "latest", "2.52.0-gpu", "2.52.0.1"}) {
    options.ray_version = bad;
    CHECK(refusal("rayjob", options) == "`--ray-version " + std::string(bad) + "` cannot be read");
  }
}

TEST_CASE("the entrypoint of a rayjob is one line that sh reads as the words") {
  GenOptions options = ray_job();
  options.command = {"train.py", "--name", "it's a $HOME", ""};
  CHECK(std::get<std::string>(at(only(made("rayjob", options)), "spec.entrypoint")->value()) ==
        R"(python train.py --name 'it'\''s a $HOME' '')");
  options.command = {"--epochs", "3"};
  options.script = Script{.name = "train.py", .text = "print(1)\n"};
  const Generated job = made("rayjob", options);
  CHECK(text_at(only(job), "spec.entrypoint") == "python /scripts/train.py --epochs 3");
  REQUIRE(job.documents.size() == 2);
  CHECK(text_at(job.documents.front(), "kind") == "ConfigMap");
  CHECK(text_at(only(job), in(kHeadPod, ".volumes[1].configMap.name")) == "train-script");
  CHECK(is_read_back(job.documents));
  options.script->name = "run.sh";
  CHECK(text_at(only(made("rayjob", options)), "spec.entrypoint") ==
        "bash /scripts/run.sh --epochs 3");
}

TEST_CASE("a rayjob needs something to run") {
  GenOptions options = ray_job();
  options.command.clear();
  CHECK(refusal("rayjob", options) == "a rayjob needs something to run");
}

TEST_CASE("names of rayjobs have at most 47 characters and begin with a letter") {
  GenOptions options = ray_job();
  options.name = std::string(47, 'a');
  CHECK(refusal("rayjob", options).empty());
  options.name += 'a';
  CHECK(refusal("rayjob", options).find("at most 47") != std::string::npos);
  options.name = "7b";
  CHECK(refusal("rayjob", options).find("begins with a letter") != std::string::npos);
}

TEST_CASE("deadline, retries and queue of a rayjob stand on the job") {
  GenOptions options = ray_job();
  options.deadline_seconds = 3600;
  options.retries = 0;
  options.queue = "gpu";
  const Generated job = made("rayjob", options);
  CHECK(text_at(only(job), "spec.activeDeadlineSeconds") == "3600");
  CHECK(text_at(only(job), "spec.backoffLimit") == "0");
  CHECK(text_at(only(job), "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
}

TEST_CASE("with --dra Ray is told how many GPUs its workers have, as limits do not say it") {
  GenOptions options = ray_job();
  options.uses_dra = true;
  options.gpus = 2;
  options.nodes = 3;
  const Generated job = made("rayjob", options);
  REQUIRE(job.documents.size() == 2);
  CHECK(text_at(job.documents[0], "kind") == "ResourceClaimTemplate");
  CHECK(text_at(job.documents[0], "spec.spec.devices.requests[0].exactly.count") == "2");
  CHECK(text_at(only(job), in(kWorker, ".rayStartParams")) == R"({num-gpus: "2"})");
  CHECK(text_at(only(job), in(kWorkerPod, ".resourceClaims[0].resourceClaimTemplateName")) ==
        "train-gpu");
  CHECK(text_at(only(job), in(kWorkerPod, ".containers[0].resources.claims[0].name")) == "gpu");
  CHECK(text_at(only(job), in(kWorkerPod, ".containers[0].resources.limits")) ==
        R"({cpu: "16", memory: 128Gi})");
  CHECK(text_at(only(job), in(kHeadPod, ".resourceClaims")) == "-");
  CHECK(text_at(only(job), "spec.rayClusterSpec.headGroupSpec.rayStartParams.num-gpus") == "-");
  CHECK(is_read_back(job.documents));
}

}  // namespace gpu::manifest::test::kinds_rayjob_test
