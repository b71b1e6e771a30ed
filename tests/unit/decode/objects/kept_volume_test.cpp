#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "decode/objects/pod_volume.hpp"

namespace objects_kept_volume_test {

using namespace gpu::decode;

TEST_CASE("a pod's folder of its node and its emptyDir are told apart, in both forms") {
  const nlohmann::json folder = {{"name", "v"}, {"hostPath", {{"path", "/d"}}}};
  const nlohmann::json empty = {{"name", "v"}, {"emptyDir", nlohmann::json::object()}};
  CHECK(is_of(JsonObject(folder, Path{}), KeptVolume::host_path));
  CHECK_FALSE(is_of(JsonObject(folder, Path{}), KeptVolume::empty_dir));
  CHECK(is_of(JsonObject(empty, Path{}), KeptVolume::empty_dir));
  // Volume{name: "v", volumeSource: {hostPath: {path: "/d"}}}, and with emptyDir in its place.
  const std::string_view host("\x0a\x01v\x12\x06\x0a\x04\x0a\x02/d", 11);
  const std::string_view scratch("\x0a\x01v\x12\x02\x12\x00", 7);
  CHECK(is_of(host, KeptVolume::host_path));
  CHECK_FALSE(is_of(host, KeptVolume::empty_dir));
  CHECK(is_of(scratch, KeptVolume::empty_dir));
  CHECK_FALSE(is_of(scratch, KeptVolume::host_path));
}

}  // namespace objects_kept_volume_test
