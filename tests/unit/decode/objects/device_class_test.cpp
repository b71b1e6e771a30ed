#include "decode/objects/device_class.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "decode/error_of.hpp"

namespace gpu::decode::objects_device_class_test {
namespace {

DeviceClass from_json(std::string_view text) {
  return device_class_from_json(nlohmann::json::parse(text));
}

}  // namespace

TEST_CASE("a device class") {
  CHECK(
      from_json(
          R"({"metadata":{"name":"gpu.nvidia.com","creationTimestamp":"2026-11-01T10:00:00Z"},"spec":{
            "extendedResourceName":"nvidia.com/gpu",
            "selectors":[{"cel":{"expression":"device.driver == 'gpu.nvidia.com'"}},{},
                         {"cel":{"expression":"true"}}]}})") ==
      DeviceClass{"gpu.nvidia.com",
                  "nvidia.com/gpu",
                  {"device.driver == 'gpu.nvidia.com'", "true"},
                  parse_time("2026-11-01T10:00:00Z")});
  CHECK(from_json("{}") == DeviceClass{});
  CHECK(from_json(R"({"spec":{"selectors":null,"extendedResourceName":null}})") == DeviceClass{});
  CHECK(error_of([] { from_json(R"({"metadata":{"name":"c"},"spec":{"selectors":[1]}})"); }) ==
        "DeviceClass c: spec.selectors[0]: expected an object, got number");
}

}  // namespace gpu::decode::objects_device_class_test
