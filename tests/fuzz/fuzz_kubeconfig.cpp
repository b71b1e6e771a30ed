// A kubeconfig, or any YAML that a person gives us.
#include "decode/wire/yaml.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = gpu::fuzz::text_of(data, size);
  nlohmann::json document;
  const std::string error =
      gpu::fuzz::error_of([&] { document = gpu::decode::yaml_to_json(text); });
  if (!error.empty()) gpu::fuzz::require(error.starts_with("line "), "an error names its line");
  return 0;
}
