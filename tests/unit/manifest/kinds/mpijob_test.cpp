#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace kinds_mpijob_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kLauncher = "spec.mpiReplicaSpecs.Launcher.";
const std::string kMPIWorker = "spec.mpiReplicaSpecs.Worker.";

std::string of_mpi(const Generated& made, std::string_view path) {
  return text_at(made.documents.back(), path);
}

GenOptions mpi_options() {
  GenOptions options = options_named("allreduce");
  options.nodes = 2;
  options.gpus = 8;
  options.command = {"mpirun", "-np", "16", "-x", "LR", "python", "train.py"};
  return options;
}

}  // namespace

TEST_CASE("The launcher of an MPIJob has no GPU, and waits for its workers") {
  const Generated two = made("mpijob", mpi_options());
  CHECK(of_mpi(two, "apiVersion") == "kubeflow.org/v2beta1");
  CHECK(of_mpi(two, "spec.launcherCreationPolicy") == "WaitForWorkersReady");
  CHECK(of_mpi(two, kLauncher + "replicas") == "1");
  CHECK(of_mpi(two, kLauncher + "template.spec.containers[0].resources") ==
        "{requests: {cpu: \"1\", memory: 2Gi}, limits: {memory: 2Gi}}");
  CHECK(of_mpi(two, kLauncher + "template.spec.tolerations") == "-");
}

TEST_CASE("An MPIJob has a slot for each GPU of its workers") {
  const Generated two = made("mpijob", mpi_options());
  CHECK(of_mpi(two, "spec.slotsPerWorker") == "8");
  CHECK(of_mpi(two, kMPIWorker + "replicas") == "2");
  CHECK(of_mpi(two, kMPIWorker + "template.spec.containers[0].resources.limits.nvidia.com/gpu") ==
        "8");
  CHECK(of_mpi(two, kMPIWorker + "template.spec.volumes[0].emptyDir.medium") == "Memory");
}

TEST_CASE("The command of an MPIJob is its launcher's, as it was given; workers run sshd") {
  const Generated two = made("mpijob", mpi_options());
  CHECK(of_mpi(two, kLauncher + "template.spec.containers[0].command") ==
        "[mpirun, -np, \"16\", -x, LR, python, train.py]");
  CHECK(of_mpi(two, kMPIWorker + "template.spec.containers[0].command") == "-");
}

TEST_CASE("A script of an MPIJob is run by mpirun on all slots") {
  GenOptions options = mpi_options();
  options.command = {"--epochs", "3"};
  options.script = Script{"train.py", "print(1)\n"};
  options.env = {{"LR", "0.1", "", ""}};
  const Generated two = made("mpijob", options);
  REQUIRE(two.documents.size() == 2);
  const auto& words = std::get<Tree::List>(
      at(two.documents.back(), kLauncher + "template.spec.containers[0].command")->value());
  std::string line;
  for (const Tree::Item& each : words) line += std::get<std::string>(each.value.value()) + " ";
  CHECK(line ==
        "mpirun --allow-run-as-root -np 16 -bind-to none -map-by slot -x PYTHONUNBUFFERED=1 -x "
        "NCCL_DEBUG=WARN -x LR python /scripts/train.py --epochs 3 ");
  for (const std::string& replicas : {kLauncher, kMPIWorker})
    CHECK(of_mpi(two, replicas + "template.spec.containers[0].volumeMounts").find("/scripts") !=
          std::string::npos);
}

TEST_CASE("Variables reach the ranks of an MPIJob only where mpirun hands them on") {
  GenOptions options = mpi_options();
  options.env = {{"LR", "0.1", "", ""}};
  CHECK_FALSE(says(made("mpijob", options), "mpirun hands on"));
  options.command = {"mpirun", "-np", "16", "python", "train.py"};
  CHECK(says(made("mpijob", options), "mpirun hands on"));
}

TEST_CASE("An MPIJob says what it asks of its image") {
  const Generated two = made("mpijob", mpi_options());
  CHECK(of_mpi(two, "spec.sshAuthMountPath") == "/root/.ssh");
  CHECK(comments_on(two, "/home/mpiuser/.ssh"));
  CHECK(comments_on(two, "runs sshd, which the image has to have"));
}

TEST_CASE("sshd in an MPIJob keeps the capabilities of its image") {
  const Generated two = made("mpijob", mpi_options());
  CHECK(of_mpi(two, kMPIWorker + "template.spec.containers[0].securityContext") == "-");
  CHECK(of_mpi(two, kLauncher + "template.spec.containers[0].securityContext") == "-");
}

TEST_CASE("A failed launcher starts again, and workers end with it") {
  GenOptions options = mpi_options();
  const Generated two = made("mpijob", options);
  CHECK(of_mpi(two, kLauncher + "restartPolicy") == "OnFailure");
  CHECK(of_mpi(two, kMPIWorker + "restartPolicy") == "Never");
  CHECK(of_mpi(two, "spec.runPolicy.backoffLimit") == "3");
  CHECK(of_mpi(two, "spec.runPolicy.cleanPodPolicy") == "Running");
  options.retries = 1;
  CHECK(of_mpi(made("mpijob", options), "spec.runPolicy.backoffLimit") == "1");
}

TEST_CASE("Workers of an MPIJob run on nodes of their own, the launcher beside one of them") {
  const Generated two = made("mpijob", mpi_options());
  CHECK(of_mpi(two, kMPIWorker + "template.spec.affinity.podAntiAffinity."
                                 "requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector."
                                 "matchLabels") ==
        "{training.kubeflow.org/job-name: allreduce, training.kubeflow.org/job-role: worker}");
  CHECK(of_mpi(two, kLauncher + "template.spec.affinity") == "-");
}

TEST_CASE("An MPIJob needs a command, and a cluster whose MPIJob is that of mpi-operator") {
  GenOptions options = mpi_options();
  ClusterFacts facts;
  facts.served = {"MPIJob.kubeflow.org/v1"};
  CHECK(says(made("mpijob", options, facts), "version v1 alone"));
  facts.served->emplace_back("MPIJob.kubeflow.org/v2beta1");
  CHECK_FALSE(says(made("mpijob", options, facts), "version v1 alone"));
  options.command = {};
  CHECK(refusal("mpijob", options) == "an mpijob needs a command that starts its ranks");
}

TEST_CASE("Names of MPIJobs begin with a letter and leave room for NAME-worker-INDEX") {
  GenOptions options = mpi_options();
  options.name = "7b";
  CHECK(refusal("mpijob", options).find("begins with a letter") != std::string::npos);
  options.name = std::string(53, 'a');
  CHECK(refusal("mpijob", options).find("NAME-worker-INDEX") != std::string::npos);
}

TEST_CASE("The queue of an MPIJob is on the MPIJob, and it is read back as it was written") {
  GenOptions options = mpi_options();
  options.queue = "gpu";
  const Generated queued = made("mpijob", options);
  CHECK(of_mpi(queued, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(is_read_back(queued.documents));
}

}  // namespace kinds_mpijob_test
