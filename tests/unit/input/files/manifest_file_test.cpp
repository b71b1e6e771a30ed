#include "input/files/manifest_file.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "kube/folder.hpp"

namespace gpu::input::files_manifest_file_test {

using Catch::Contains;

namespace {

std::string pod(const std::string& name) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         "}\nspec: {containers: [{name: c}]}\n";
}

std::string problem_of(const std::string& path) {
  PlannedObjects planned;
  try {
    add_manifests(planned, path, "ml");
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.message() : "another kind";
  }
  return "no error";
}

}  // namespace

TEST_CASE("a folder's manifests are read by name, and nothing else in it") {
  const test::Folder folder;
  folder.write("b.yml", pod("second"));
  folder.write("a.yaml", pod("first"));
  folder.write("c.json", R"({"apiVersion": "v1", "kind": "List", "items": []})");
  folder.write("notes.txt", ": not YAML : [");
  folder.write("inner/d.yaml", pod("deeper"));
  PlannedObjects planned;
  add_manifests(planned, folder.path(), "ml");
  REQUIRE(planned.pods.size() == 2);
  CHECK(planned.pods[0].pod.name == "first");
  CHECK(planned.pods[0].file == folder.at("a.yaml"));
  CHECK(planned.pods[1].pod.ns == "ml");
  add_manifests(planned, folder.at("a.yaml"), "other");
  CHECK(planned.pods.size() == 3);
}

TEST_CASE("folders below a folder are named, or read with it") {
  const test::Folder folder;
  folder.write("a.yaml", pod("first"));
  folder.write("inner/deep/d.yaml", pod("deeper"));
  folder.write(".git/x.yaml", pod("hidden"));
  const ManifestPaths flat = manifest_paths(folder.path());
  CHECK(flat.files == std::vector<std::string>{folder.at("a.yaml")});
  CHECK(flat.unread_folders == std::vector<std::string>{folder.at("inner")});
  const ManifestPaths all = manifest_paths(folder.path(), Recursion::yes);
  CHECK(all.files.size() == 3);
  CHECK(all.files.back() == folder.at("inner/deep/d.yaml"));
  CHECK(all.unread_folders.empty());
  CHECK_THROWS_AS(manifest_paths(folder.at("inner")), Error);
}

TEST_CASE("what is no manifest is told by the file's name") {
  const test::Folder folder;
  CHECK_THAT(problem_of(folder.path()), Contains("holds no .yaml, .yml or .json file"));
  CHECK_THAT(problem_of(folder.at("none.yaml")), Contains("none.yaml: no such file"));
  folder.write("a.yaml", pod("first") + "---\nkind: [\n");
  CHECK_THAT(problem_of(folder.path()), Contains("a.yaml: line ") && Contains(", column "));
  folder.write("a.yaml", std::string((4U << 20U) + 1, '#'));
  CHECK_THAT(problem_of(folder.at("a.yaml")), Contains("a.yaml: more than 4 MB"));
}

}  // namespace gpu::input::files_manifest_file_test
