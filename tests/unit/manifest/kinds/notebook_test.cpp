#include <catch2/catch.hpp>
#include <string>

#include "manifest/kinds/made.hpp"

namespace kinds_notebook_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kContainer = "spec.template.spec.containers[0].";

GenOptions lab() {
  GenOptions options;
  options.name = "lab";
  return options;
}

std::string notebook_at(const GenOptions& options, std::string_view path) {
  return text_at(made("notebook", options).documents.back(), path);
}

}  // namespace

TEST_CASE("The container of a Notebook is called as it is, and runs Kubeflow's image with CUDA") {
  CHECK(notebook_at(lab(), "apiVersion") == "kubeflow.org/v1");
  CHECK(notebook_at(lab(), "kind") == "Notebook");
  CHECK(notebook_at(lab(), kContainer + "name") == "lab");
  CHECK(notebook_at(lab(), kContainer + "image").find("jupyter-pytorch-cuda-full:v1") !=
        std::string::npos);
  CHECK(notebook_at(lab(), kContainer + "command") == "-");
  GenOptions options = lab();
  options.image = "mine:1";
  options.command = {"start.sh"};
  CHECK(notebook_at(options, kContainer + "image") == "mine:1");
  CHECK(notebook_at(options, kContainer + "command") == "[start.sh]");
}

TEST_CASE("The home directory of a Notebook is on a claim that is created before it") {
  GenOptions options = lab();
  const Generated two = made("notebook", options);
  REQUIRE(two.documents.size() == 2);
  const Tree& claim = two.documents[0];
  CHECK(text_at(claim, "apiVersion") == "v1");
  CHECK(text_at(claim, "kind") == "PersistentVolumeClaim");
  CHECK(text_at(claim, "metadata.name") == "lab-workspace");
  CHECK(text_at(claim, "spec") ==
        "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}");
  CHECK(notebook_at(options, "spec.template.spec.volumes[1]") ==
        "{name: workspace, persistentVolumeClaim: {claimName: lab-workspace}}");
  CHECK(notebook_at(options, kContainer + "volumeMounts[1]") ==
        "{name: workspace, mountPath: /home/jovyan}");
  CHECK(is_read_back(two.documents));
}

TEST_CASE("--storage and --storage-class are those of the claim of a Notebook") {
  GenOptions options = lab();
  options.storage = Quantity::parse("50Gi");
  options.storage_class = "fast";
  CHECK(text_at(made("notebook", options).documents[0], "spec") ==
        "{accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: "
        "50Gi}}}");
}

TEST_CASE("The template of a Notebook has no metadata, which its schema lacks") {
  CHECK(notebook_at(lab(), "spec.template.metadata") == "-");
  CHECK(notebook_at(lab(), "metadata.labels") == "{app: lab}");
  CHECK(notebook_at(lab(), "metadata.annotations") ==
        "{notebooks.kubeflow.org/server-type: jupyter}");
}

TEST_CASE("A Notebook cannot claim devices, train on nodes or wait in a queue") {
  const OptionSet options = find_gen_kind("notebook")->options;
  for (const Option each : {Option::dra, Option::nodes, Option::queue, Option::script})
    CHECK_FALSE(options.contains(each));
  for (const Option each : {Option::storage, Option::gpus, Option::mig, Option::volumes})
    CHECK(options.contains(each));
}

TEST_CASE("A Notebook is sized for one person, and says that it holds its GPU") {
  CHECK(notebook_at(lab(), kContainer + "resources") ==
        "{requests: {cpu: \"4\", memory: 16Gi, nvidia.com/gpu: 1}, limits: {memory: 16Gi, "
        "nvidia.com/gpu: 1}}");
  CHECK(says(made("notebook", lab()), "the GPU is held until the notebook is stopped"));
}

TEST_CASE("A Notebook's name leaves room for the label of its StatefulSet") {
  GenOptions options = lab();
  options.name = std::string(52, 'a');
  CHECK(refusal("notebook", options).empty());
  options.name = std::string(53, 'a');
  CHECK(refusal("notebook", options).find("labels its pods NAME-HASH") != std::string::npos);
}

TEST_CASE("A cluster that does not serve Notebooks is warned of") {
  ClusterFacts facts;
  facts.served = {"Job.batch/v1"};
  const Generated made_there = made("notebook", lab(), facts);
  CHECK(says(made_there, "this cluster does not serve the kind Notebook of kubeflow.org"));
  facts.served = {"Notebook.kubeflow.org/v1"};
  CHECK_FALSE(says(made("notebook", lab(), facts), "does not serve"));
  CHECK_FALSE(says(made("notebook", lab()), "does not serve"));
}

}  // namespace kinds_notebook_test
