#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_pvc_test {
namespace {

GenOptions claim() {
  GenOptions options;
  options.name = "models";
  options.storage = Quantity::parse("200Gi");
  return options;
}

}  // namespace

TEST_CASE("a pvc has the size, and the default class") {
  const Generated pvc = made("pvc", claim());
  const Tree& object = pvc.documents.front();
  CHECK(text_at(object, "kind") == "PersistentVolumeClaim");
  CHECK(text_at(object, "metadata.name") == "models");
  CHECK(text_at(object, "spec.accessModes") == "[ReadWriteOnce]");
  CHECK(text_at(object, "spec.storageClassName") == "-");
  CHECK(text_at(object, "spec.resources.requests.storage") == "200Gi");
  CHECK(comments_on(pvc, "several nodes need ReadWriteMany"));
  CHECK(is_read_back(pvc.documents));
}

TEST_CASE("the access modes of a pvc, short and long") {
  GenOptions options = claim();
  options.storage_class = "nfs";
  for (const auto& [word, mode] : {std::pair{"RWO", "ReadWriteOnce"},
                                   {"RWX", "ReadWriteMany"},
                                   {"ROX", "ReadOnlyMany"},
                                   {"RWOP", "ReadWriteOncePod"},
                                   {"ReadWriteMany", "ReadWriteMany"}}) {
    options.access_mode = word;
    const Tree object = made("pvc", options).documents.front();
    CHECK(text_at(object, "spec.accessModes[0]") == mode);
    CHECK(text_at(object, "spec.storageClassName") == "nfs");
  }
}

TEST_CASE("a pvc needs a size, a mode that there is, and a class that there is") {
  GenOptions options = claim();
  options.access_mode = "RWM";
  CHECK(refusal("pvc", options) == "there is no access mode `RWM`");
  options = claim();
  options.storage.reset();
  CHECK(refusal("pvc", options) == "--storage is missing");
  options = claim();
  options.storage_class = "fast";
  ClusterFacts facts;
  facts.storage_classes = {"standard"};
  CHECK(refusal("pvc", options, facts) == "there is no StorageClass `fast`");
}

}  // namespace gpu::manifest::test::kinds_pvc_test
