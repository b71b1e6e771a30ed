// Manifests of any text: what is wrong with one is said by an Error, and by nothing else.
#include "fuzz.hpp"
#include "manifest/read/manifest.hpp"

using gpu::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text = gpu::fuzz::text_of(data, size);
    for (const auto& made : gpu::manifest::read_manifest(text, "x.yaml", "ml").pods) {
      require(!made.pod.name.empty(), "every pod has a name");
      require(made.count >= 0 && made.count <= 4'000'000'000, "a count is one of pods");
      require((made.count == 0) == !made.none_because.empty(), "no pods are made for a reason");
    }
  } catch (const gpu::Error& error) {
    require(error.kind() == gpu::ErrorKind::usage, "a wrong manifest is a mistake in its use");
    require(error.message().starts_with("x.yaml: "), "an error names the file");
  }
  return 0;
}
